// What the page does when it is opened.

// The text is for those without scripts, and for those who ask for it.
document.documentElement.classList.add('scripted');
const tips = draw('svg', { width: 0, height: 0, class: 'defs', 'aria-hidden': 'true' }, draw('defs', {},
  draw('marker', { id: 'tip', viewBox: '0 0 8 8', refX: 6, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto-start-reverse' }, draw('path', { d: 'M0,0 L8,4 L0,8 z', class: 'tip' }))));
document.body.append(tips);

copyButtons();
helpWithKeys();
const diagrams = document.getElementById('diagrams');
const happened = diagrams && page.executions.length ? new Happened(diagrams) : null;
if (happened) tryFaults(happened);
if (page.proof) document.getElementById('scope').append(askProof(page.proof));
const summary = document.querySelector('.summary');
if (happened && summary) followSummary(summary, happened);
const why = document.getElementById('lineage');
if (why && page.lineages) {
  const place = el('div', { class: 'why' });
  why.querySelector('h2').after(place);
  let graph = null;
  const make = () => {
    if (graph) return;
    graph = new Graph(place, page.lineages);
    if (happened) happened.watch((world) => graph.follow(world));
  };
  soon(place, make);
  addEventListener('beforeprint', () => { make(); graph.paper(true); });
  addEventListener('afterprint', () => { if (graph) graph.paper(false); });
}
const printed = document.querySelector('#printed details');
if (printed) printed.open = false;

// soon does something when a place is about to be seen.
function soon(place, what) {
  const observer = new IntersectionObserver((all) => {
    if (!all.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    what();
  }, { rootMargin: '800px' });
  observer.observe(place);
}

// On paper everything is open, but for the first fault set, which the page begins with.
let closed = [];
addEventListener('beforeprint', () => {
  closed = [...document.querySelectorAll('details:not([open])')].filter((d) => !d.matches('.options, .words, .keys, #sets > ol > li:first-child > details'));
  for (const d of closed) d.open = true;
  for (const draws of drawSets) draws();
});
addEventListener('afterprint', () => { for (const d of closed) d.open = false; });
