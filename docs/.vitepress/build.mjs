// Builds the documentation as a site: node docs/.vitepress/build.mjs [FOLDER]
//
// It needs Go, Node and npm, and leaves nothing but the folder, docs/.vitepress/dist if none is
// named. LDFI_BASE is the path under which the site is served, such as /ldfi/.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { anchor, layOut, sidebar } from './pages.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const root = resolve(here, '../..')
const out = resolve(process.argv[2] ?? join(here, 'dist'))
const scratch = mkdtempSync(join(tmpdir(), 'ldfi-site-'))
try {
  const site = join(scratch, 'site')
  const pages = layOut(root, site)
  const menu = sidebar(root, pages)
  cpSync(here, join(site, '.vitepress'), { recursive: true, filter: (file) => !/\/(dist|node_modules)$/.test(file) })
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(here, file), join(site, file))
  if (spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--silent'], { cwd: site, stdio: 'inherit' }).status !== 0) {
    console.error('the site is not built: npm ci, which installs what builds it, failed')
    process.exitCode = 75 // .ci/run tells it from a page that is wrong
  } else {
    build(site, pages, menu)
  }
} catch (err) {
  if (err.status === undefined) console.error(`the site is not built: ${err.message}`) // else a program has said why
  process.exitCode = 1
} finally {
  rmSync(scratch, { recursive: true })
}

// build makes the site of pages that are laid out.
function build(site, pages, menu) {
  addFinds(site)
  const env = { ...process.env, LDFI_SITE: JSON.stringify({ root, pages, menu }) }
  run('npx', ['vitepress', 'build', '--outDir', out], { cwd: site, env })
  checkLinks(out)
  console.log(`${out}: ${Object.keys(pages).length + 1} pages`)
}

function run(program, args, options) {
  execFileSync(program, args, { stdio: 'inherit', ...options })
}

// addFinds executes what finds.json lists, and the protocols of the catalogue, and writes a
// report of each, which the page of finds and the pages of the catalogue link.
function addFinds(site) {
  const ldfi = join(scratch, 'ldfi')
  run('go', ['build', '-o', ldfi, './cmd/ldfi'], { cwd: root })
  mkdirSync(join(site, 'public/finds'))
  const find = (name, command) => {
    const report = join(site, 'public/finds', name + '.html')
    const { status, stderr, stdout } = spawnSync(ldfi, [command[0], '--report', report, ...command.slice(1)], { cwd: root, encoding: 'utf8', env: { ...process.env, GITHUB_ACTIONS: '' } })
    if (status !== 1 || !existsSync(report)) throw new Error(`ldfi ${command.join(' ')} found nothing, exit status ${status}:\n${stdout}${stderr}`)
    return `/finds/${name}.html`
  }
  const finds = JSON.parse(readFileSync(join(here, 'finds.json'), 'utf8')).map(({ name, title, about, command }) =>
    `## ${title}\n\n${about} [**Open the report**](${find(name, command)}){target="_self"}\n\n\`\`\`sh\nldfi ${command.map(quoted).join(' ')}\n\`\`\`\n`)
  // A section of the catalogue has the command line that finds its bug.
  const published = []
  for (const page of readdirSync(join(site, 'catalogue')).sort()) {
    const file = join(site, 'catalogue', page)
    const text = readFileSync(file, 'utf8').replace(/^## (.*)\n(?:(?!## ).*\n)*?```sh\nldfi run (\S+\.ded)\n(?:(?!```).*\n)*```\n/gm, (section, title, program) => {
      const report = find(program.replace(/^testdata\/protocols\/|\.ded$/g, '').replaceAll('/', '-'), ['run', program])
      published.push(`- [${title}](/catalogue/${page}#${anchor(title)}): [**open the report**](${report}){target="_self"}`)
      return `${section}\n[**Open the report of this find**](${report}){target="_self"}\n`
    })
    writeFileSync(file, text)
  }
  if (!published.length) throw new Error('no page of docs/catalogue has a section with a command such as ldfi run FILE.ded between ```sh and ```')
  writeFileSync(join(site, 'finds.md'), `# Finds

Each report is one page: step through the execution, undo the faults one by one, and read the reason. \`--report FILE\` writes such a page of your own system.

${finds.join('\n')}
## Published bugs

${published.join('\n')}
`)
}

// quoted writes a word for a shell.
function quoted(word) {
  return /^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

// checkLinks follows the links within the built site, to files and to headings.
function checkLinks(folder) {
  const base = process.env.LDFI_BASE ?? '/'
  const dead = []
  const ids = new Map()
  const idsOf = (file) => {
    if (!ids.has(file)) ids.set(file, new Set([...readFileSync(file, 'utf8').matchAll(/\sid="([^"]+)"/g)].map((m) => m[1])))
    return ids.get(file)
  }
  for (const page of readdirSync(folder, { recursive: true }).filter((page) => page.endsWith('.html') && !page.startsWith('finds/') && page !== '404.html')) {
    for (const [, link] of readFileSync(join(folder, page), 'utf8').matchAll(/\s(?:href|src)="([^"]+)"/g)) {
      if (/^[a-z]+:/.test(link)) continue
      const [path, heading] = link.split('#')
      let file = path === '' ? page : path.startsWith(base) ? path.slice(base.length) : undefined
      if (file === '' || file?.endsWith('/')) file += 'index.html'
      const there = file !== undefined && [file, file + '.html'].map((f) => join(folder, decodeURI(f))).find((f) => existsSync(f) && statSync(f).isFile())
      if (!there || (heading && there.endsWith('.html') && !idsOf(there).has(decodeURIComponent(heading)))) dead.push(`${page} links to ${link}`)
    }
  }
  if (dead.length) throw new Error(`dead links:\n${dead.join('\n')}`)
}
