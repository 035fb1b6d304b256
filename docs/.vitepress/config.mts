import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitepress'
import { anchor, repository, resolver } from './pages.mjs'

// build.mjs says where the repository is, what its pages are, and what is in the menu.
const { LDFI_SITE, LDFI_BASE: base = '/' } = process.env
if (!LDFI_SITE) throw new Error('the site is built by node docs/.vitepress/build.mjs')
const { root, pages, menu } = JSON.parse(LDFI_SITE)
const resolve = resolver(root, pages)

const text = (node) => node.value ?? (node.children ?? []).map(text).join('')

export default defineConfig({
  title: 'ldfi',
  description: 'Finds the faults that break a distributed system, and says why.',
  base,
  lang: 'en',
  markdown: {
    anchor: { slugify: anchor },
    languages: [{ ...JSON.parse(readFileSync(join(root, 'docs/editors/vscode/ded.tmLanguage.json'), 'utf8')), name: 'dedalus' }],
    codeTransformers: [{
      // The command lines of a console.
      line(node) {
        if (text(node).startsWith('$ ')) this.addClassToHast(node, 'command')
      },
    }],
    config(md) {
      // What is indented looks like what stands between fences.
      md.core.ruler.push('languages', ({ tokens }) => {
        for (const token of tokens) {
          if (token.type === 'code_block') Object.assign(token, { type: 'fence', info: 'text', markup: '```' })
          if (token.type === 'fence') token.info = { console: 'text', tool: 'json' }[token.info] ?? token.info
        }
      })
      // Links are written for the repository.
      md.core.ruler.push('repository-links', ({ tokens, env }) => {
        const visit = (token) => {
          for (const name of ['href', 'src']) {
            const link = token.attrGet?.(name)
            if (!link) continue
            const { href, file } = resolve(env.relativePath, link)
            token.attrSet(name, href)
            // Files are no pages: the browser is to load them, and VitePress leaves them as they are.
            if (name === 'href' && (file || token.attrGet('target'))) {
              token.attrSet('target', '_self')
              token.attrSet('href', href.replace(/^\//, base))
            }
          }
          if (/^html/.test(token.type)) {
            token.content = token.content.replace(/\b(href|src|srcset)="([^"]+)"/g, (_, name, link) => `${name}="${resolve(env.relativePath, link).href}"`)
          }
          token.children?.forEach(visit)
        }
        tokens.forEach(visit)
      })
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Contents', link: '/contents' },
      { text: 'Finds', link: '/finds' },
      { text: 'Catalogue', link: '/catalogue' },
    ],
    sidebar: menu,
    socialLinks: [{ icon: 'github', link: repository }],
  },
})
