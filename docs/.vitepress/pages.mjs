// Lays the pages of the documentation out as the site has them: README.md of the repository
// is the front page, docs/README.md the contents, and what is in docs stands as it does there.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, posix, sep } from 'node:path'

export const repository = 'https://github.com/lineage-driven/ldfi'

// files returns all files below a folder of docs, by their paths in the repository.
const files = (root) => readdirSync(join(root, 'docs'), { recursive: true })
  .map((name) => 'docs/' + name.split(sep).join('/'))
  .filter((name) => !name.startsWith('docs/.') && !name.endsWith('.go') && statSync(join(root, name)).isFile())
  .sort()

// pageOf says which file of the site a page of the repository is.
export function pageOf(name) {
  if (name === 'README.md') return 'index.md'
  if (name === 'docs/README.md') return 'contents.md'
  return name.slice('docs/'.length).replace(/(^|\/)README\.md$/, '$1index.md')
}

// layOut copies the pages of the repository in root to a folder, and what else is in docs to
// its folder public. It returns the pages, by their paths in the repository.
export function layOut(root, folder) {
  const pages = {}
  for (const name of ['README.md', ...files(root)]) {
    const page = name.endsWith('.md')
    const to = join(folder, page ? pageOf(name) : join('public', name.slice('docs/'.length)))
    mkdirSync(dirname(to), { recursive: true })
    cpSync(join(root, name), to)
    if (page) pages[name] = pageOf(name)
  }
  return pages
}

// resolver returns a function that says where a link of a page leads on the site: to another
// page, to a file that the site has, or to the repository. It fails for a link to nothing.
export function resolver(root, pages) {
  const from = Object.fromEntries(Object.entries(pages).map(([name, page]) => [page, name]))
  return (page, link) => {
    const source = from[page]
    if (!source || /^([a-z]+:|\/|#)/.test(link)) return { href: link }
    const [path, anchor] = link.split(/(?=#)/)
    const name = posix.normalize(posix.join(posix.dirname(source), decodeURI(path))).replace(/\/$/, '')
    if (pages[name]) return { href: '/' + pages[name].replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '.html') + (anchor ?? '') }
    const file = join(root, name)
    if (!existsSync(file)) throw new Error(`${source} links to ${link}: there is no ${name}; mend the link`)
    const directory = statSync(file).isDirectory()
    if (directory && pages[name + '/README.md']) return { href: '/' + pages[name + '/README.md'].replace(/index\.md$/, '') }
    if (!directory && name.startsWith('docs/') && !name.endsWith('.go')) return { href: '/' + name.slice('docs/'.length), file: true }
    return { href: `${repository}/${directory ? 'tree' : 'blob'}/main/${name}` + (anchor ?? '') }
  }
}

// contents reads the sections of docs/README.md: the title or a heading, and the pages that the
// text below it links, each where it is linked first.
function contents(root) {
  const sections = [], listed = new Set()
  for (const line of readFileSync(join(root, 'docs/README.md'), 'utf8').split('\n')) {
    const heading = line.match(/^##? (.*)/)
    if (heading) sections.push({ text: plain(heading[1]), items: [] })
    for (const [, text, link] of line.matchAll(/\[([^\]]+)\]\(([^):#]+\.md)\)/g)) {
      const name = posix.normalize(posix.join('docs', link))
      if (!existsSync(join(root, name))) throw new Error(`docs/README.md lists ${link}: there is no ${name}; write it, or take it off the list`)
      if (!name.startsWith('docs/') || listed.has(name)) continue
      listed.add(name)
      sections.at(-1).items.push({ text: capital(plain(text), title(root, name)), name })
    }
  }
  return sections.filter((s) => s.items.length)
}

// capital begins a link with a capital letter, unless its first word is a name such as etcd,
// which the title of the page has in small letters too.
function capital(text, title) {
  const [word] = text.match(/^[\w-]*/)
  return title.split(/[^\w-]/).includes(word) ? text : text.replace(/^[a-z]/, (c) => c.toUpperCase())
}

const title = (root, name) => plain(readFileSync(join(root, name), 'utf8').match(/^# (.*)/m)?.[1] ?? name)

const plain = (text) => text.replace(/[`*]/g, '')

// sidebar makes the menu of the contents. Below a page with a folder of its own name, or that
// is the README of a folder, stand the pages of that folder which are not listed otherwise.
export function sidebar(root, pages) {
  const url = (name) => '/' + pages[name].replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '')
  const sections = contents(root)
  const listed = new Set(['README.md', 'docs/README.md', ...sections.flatMap((s) => s.items.map((i) => i.name))])
  const below = (name) => {
    const folder = name.endsWith('/README.md') ? posix.dirname(name) : name.replace(/\.md$/, '')
    return Object.keys(pages).filter((p) => posix.dirname(p) === folder && !listed.has(p))
  }
  const menu = sections.map(({ text, items }) => ({
    text,
    items: items.map(({ text, name }) => {
      const more = below(name).map((p) => ({ text: title(root, p), link: url(p), name: p })).sort((a, b) => a.text.localeCompare(b.text, 'en'))
      for (const p of more) listed.add(p.name)
      return { text, link: url(name), ...(more.length && { collapsed: true, items: more.map(({ text, link }) => ({ text, link })) }) }
    }),
  }))
  const lost = Object.keys(pages).filter((name) => !listed.has(name))
  if (lost.length) throw new Error(`no list leads to ${lost.join(', ')}: name them in docs/README.md`)
  return menu
}

// anchor makes the anchor of a heading as GitHub does, so that links go on working.
export const anchor = (heading) => heading.trim().toLowerCase().replace(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-')
