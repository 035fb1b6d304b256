// Lineage as a graph: what the broken outcome comes from, or lacks. dagre lays it out.

const FONT = 12.5;
const CHAR = FONT * 0.602; // the width of a character
const WIDEST = 44; // characters of a line in a node
const LEGIBLE = 0.62; // the least scale at which nodes are easily read
const LEAST = 0.45; // the least at which they can be read

class Graph {
  constructor(place, lineages) {
    this.all = lineages;
    this.shown = 0;
    this.folded = true;
    this.about = el('div', { class: 'of', role: 'status' });
    this.svg = draw('svg', { class: 'graph', role: 'group', 'aria-label': 'Lineage', 'aria-describedby': 'graph-keys' });
    this.view = draw('g');
    this.svg.append(draw('defs', {}, draw('marker', { id: 'edge-tip', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, orient: 'auto' }, draw('path', { d: 'M0,0 L8,4 L0,8 z' }))), this.view);
    this.detail = el('aside', { class: 'detail', 'aria-live': 'polite', 'aria-label': 'What was chosen in the graph' });
    this.tabs = el('div', { class: 'tabs', role: 'group', 'aria-label': 'Which lineage' });
    const fold = choice('fold persistence', true, (on) => { this.folded = on; this.layout(); });
    const zoom = el('div', { class: 'zoom' }, button('−', { 'aria-label': 'Smaller' }, () => this.zoom(1 / 1.25)), button('+', { 'aria-label': 'Larger' }, () => this.zoom(1.25)), button('Fit', { 'aria-label': 'Fit the graph into the frame' }, () => this.fit()));
    place.append(...[this.picker(), this.about, this.tabs].filter(Boolean), el('div', { class: 'tools' }, lineages.some((l) => l.edges.some((e) => e.since)) && fold, zoom, el('span', { class: 'faint', id: 'graph-keys' }, 'Drag to move, Ctrl and wheel to zoom; arrow keys go from node to node.')),
      el('div', { class: 'graphbox' }, this.svg, this.detail));
    this.scale = 1;
    this.x = 0;
    this.y = 0;
    this.listen();
    new ResizeObserver(() => { if (this.size && !this.moved && !this.onPaper) this.begin(); }).observe(this.svg);
    this.pick(page.sets.findIndex((s) => s.execution >= 0));
  }

  // follow shows the lineages of the fault set that is drawn, and else says whose they are.
  follow(world) {
    this.world = world;
    const set = setOf(world);
    if (set >= 0 && set !== this.set) this.pick(set);
    this.say();
  }

  // say says whose lineages these are, where that is not what is drawn.
  say() {
    const world = this.world;
    const drawn = world ? setOf(world) : this.set;
    this.about.hidden = drawn === this.set || !page.sets[this.set];
    if (this.about.hidden) return;
    const told = drawn >= 0 ? `This is the lineage of fault set ${this.set + 1}, ` : 'This is the lineage of the fault set ';
    const other = drawn >= 0 ? page.sets[drawn].why : world.broken && world.broken.length ? askingWhy(world) : '';
    this.about.replaceChildren(el('p', {}, told, el('code', {}, page.sets[this.set].schedule), '; drawn above is ', el('code', {}, drawnNow(world)), '.', other ? ' Of that, this prints it:' : ''), ...[command(other)].filter(Boolean));
  }

  // picker chooses the fault set, where several have lineages.
  picker() {
    const sets = page.sets.map((s, i) => [s, i]).filter(([s]) => this.all.some((l) => l.execution === s.execution));
    if (sets.length < 2) return null;
    this.select = el('select', { change: () => { this.pick(Number(this.select.value)); this.say(); } }, sets.map(([s, i]) => el('option', { value: i }, `${i + 1}. ${s.schedule}`)));
    return el('label', { class: 'picker' }, 'Fault set ', this.select);
  }

  // pick shows the lineages of a fault set; if it has none, what is shown stays.
  pick(set) {
    const own = set >= 0 ? lineagesOf(page.executions[page.sets[set].execution]) : [];
    if (!own.length && this.lineages) return;
    const lineages = own.length ? own : this.all;
    if (this.select) this.select.value = set;
    this.set = own.length ? set : 0;
    this.lineages = lineages;
    this.shown = 0;
    this.tabs.replaceChildren(...lineages.map((l, i) => button(shorten(l.title, 100), { 'aria-pressed': String(i === 0) }, (event) => {
      for (const b of this.tabs.children) b.setAttribute('aria-pressed', String(b === event.currentTarget));
      this.shown = i;
      this.layout();
    })));
    this.layout();
  }

  get lineage() { return this.lineages[this.shown]; }

  // unfolded makes a node of each round in which a fact persisted.
  unfolded() {
    const { nodes, edges } = this.lineage;
    const all = { nodes: nodes.map((n, i) => ({ ...n, id: i })), edges: [] };
    const chains = new Map(); // by the fact and the round
    for (const e of edges) {
      if (!e.since || this.folded || e.until <= nodes[e.to].last) {
        all.edges.push({ ...e });
        continue;
      }
      let above = e.from;
      let text = '';
      const base = nodes[e.to].text.replace(/@[\d.]+$/, '');
      for (let round = e.until; round > e.since; round--) {
        const key = `${e.to} ${round}`;
        const known = chains.get(key);
        if (known === undefined) {
          chains.set(key, all.nodes.length);
          all.nodes.push({ kind: 'fact', kept: true, text: `${base}@${round}`, met: nodes[e.to].met, rule: (e.rules || [-1])[0], first: round, last: round, id: all.nodes.length, when: round === e.until ? e.when : undefined, notes: ['kept from the round before'] });
        }
        all.edges.push({ from: above, to: chains.get(key), text });
        above = chains.get(key);
        text = '';
        if (known !== undefined) { above = -1; break; }
      }
      if (above >= 0) all.edges.push({ from: above, to: e.to, text: '' });
    }
    return all;
  }

  // layout finds places for all nodes.
  layout() {
    const graph = this.unfolded();
    const g = new dagre.graphlib.Graph({ multigraph: true });
    g.setGraph({ rankdir: 'TB', nodesep: 22, ranksep: 40, marginx: 14, marginy: 14 });
    g.setDefaultEdgeLabel(() => ({}));
    for (const n of graph.nodes) {
      n.lines = linesOfNode(n);
      g.setNode(String(n.id), { width: Math.max(...n.lines.map((l) => widthOf(l, `${FONT}px ${MONO}`))) + 22, height: n.lines.length * 17 + 12 });
    }
    this.ways = waysOf(graph);
    const straight = new Set(this.ways.flatMap((way) => way.slice(1).map((id, i) => `${way[i]} ${id}`)));
    graph.edges.forEach((e, i) => g.setEdge(String(e.from), String(e.to), { index: i, weight: straight.has(`${e.from} ${e.to}`) ? 20 : 1, ...(e.text && { width: e.text.length * CHAR + 8, height: 16, labelpos: 'c' }) }, String(i)));
    dagre.layout(g);
    this.graph = graph;
    this.size = g.graph();
    this.svg.style.height = `${Math.max(260, Math.min(700, this.size.height + 30))}px`;
    this.place = (id) => g.node(String(id));
    this.view.replaceChildren();
    for (const name of g.edges()) this.edge(graph.edges[Number(name.name)], g.edge(name));
    this.items = graph.nodes.map((n) => this.node(n));
    this.svg.setAttribute('aria-label', `${this.lineage.title}: ${count(graph.nodes.length, 'node')}`);
    this.moved = false;
    this.begin();
    this.choose(this.graph.nodes[0], false);
  }

  edge(e, laid) {
    const [first, ...rest] = laid.points;
    const d = `M${first.x},${first.y} ` + rest.map((p) => `L${p.x},${p.y}`).join(' ');
    const to = this.graph.nodes[e.to];
    this.view.append(draw('path', { d, class: `edge ${to.met ? '' : 'unmet'}`, 'marker-end': 'url(#edge-tip)' }));
    if (e.text) this.view.append(draw('text', { x: laid.x, y: laid.y + 4, 'text-anchor': 'middle', class: 'edgetext' }, e.text));
  }

  node(n) {
    const at = this.place(n.id);
    const g = draw('g', {
      class: `node ${n.kind} ${n.met ? 'met' : 'unmet'} ${n.kept ? 'kept' : ''}`, transform: `translate(${at.x - at.width / 2},${at.y - at.height / 2})`,
      tabindex: -1, role: 'button', 'aria-label': spoken(n), 'aria-pressed': 'false',
    }, n.rule >= 0 && draw('title', {}, `${page.rules[n.rule].place}\n${page.rules[n.rule].text}`), draw('rect', { width: at.width, height: at.height, rx: n.kind === 'step' ? at.height / 2 : 7 }), n.lines.map((line, i) => draw('text', { x: 11, y: 21 + i * 17 }, line)));
    g.addEventListener('click', () => { if (!this.dragged) this.choose(n, true); });
    g.addEventListener('focus', () => this.choose(n, true));
    this.view.append(g);
    return g;
  }

  // choose shows what there is to know about a node.
  choose(n, focus) {
    this.chosen = n;
    this.items.forEach((g, i) => {
      const is = this.graph.nodes[i] === n;
      g.setAttribute('tabindex', is ? 0 : -1);
      g.setAttribute('aria-pressed', String(is));
      g.classList.toggle('chosen', is);
      if (is && focus && document.activeElement !== g) g.focus({ preventScroll: true });
    });
    this.detail.replaceChildren(...about(n, this.lineage, this.graph).filter(Boolean));
  }

  // listen moves and scales what is seen.
  listen() {
    let from = null;
    this.svg.addEventListener('pointerdown', (e) => { from = { x: e.clientX - this.x, y: e.clientY - this.y, at: [e.clientX, e.clientY] }; this.dragged = false; });
    addEventListener('pointermove', (e) => {
      if (!from) return;
      if (Math.hypot(e.clientX - from.at[0], e.clientY - from.at[1]) > 4) this.dragged = true;
      if (this.dragged) this.drag(e.clientX - from.x, e.clientY - from.y);
    });
    addEventListener('pointerup', () => { from = null; setTimeout(() => { this.dragged = false; }); });
    this.svg.addEventListener('wheel', (e) => {
      if (!e.ctrlKey && !e.metaKey) return;
      e.preventDefault();
      const box = this.svg.getBoundingClientRect();
      this.zoom(Math.exp(-e.deltaY / 300), e.clientX - box.left, e.clientY - box.top);
    }, { passive: false });
    this.svg.addEventListener('keydown', (e) => {
      const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
      const direction = directions[e.key];
      if (direction && e.shiftKey) this.drag(this.x - 60 * direction[0], this.y - 60 * direction[1]);
      else if (direction) this.step(direction);
      else if (e.key === '+' || e.key === '=') this.zoom(1.25);
      else if (e.key === '-') this.zoom(1 / 1.25);
      else if (e.key === '0') this.fit();
      else return;
      e.preventDefault();
    });
  }

  // step goes to the nearest node in a direction.
  step([dx, dy]) {
    const here = this.place(this.chosen.id);
    let best = null;
    let least = Infinity;
    for (const n of this.graph.nodes) {
      const at = this.place(n.id);
      const along = (at.x - here.x) * dx + (at.y - here.y) * dy;
      const beside = Math.abs((at.x - here.x) * dy) + Math.abs((at.y - here.y) * dx);
      if (along > 5 && along + 2 * beside < least && (dx === 0 || beside < along * 2)) [best, least] = [n, along + 2 * beside];
    }
    if (!best) return;
    this.choose(best, true);
    this.reveal(best);
  }

  // reveal moves a node into the frame.
  reveal(n) {
    const at = this.place(n.id);
    const [w, h] = [this.svg.clientWidth, this.svg.clientHeight];
    const [x, y] = [at.x * this.scale + this.x, at.y * this.scale + this.y];
    if (x < 60 || x > w - 60 || y < 30 || y > h - 30) this.move(w / 2 - at.x * this.scale, h / 2 - at.y * this.scale);
  }

  move(x, y) {
    this.x = x;
    this.y = y;
    this.moved = true;
    this.transform();
  }

  // drag moves the graph, of which some stays in the frame.
  drag(x, y) {
    const some = (at, size, frame) => Math.max(60 - size * this.scale, Math.min(frame - 60, at));
    this.move(some(x, this.size.width, this.svg.clientWidth), some(y, this.size.height, this.svg.clientHeight));
  }

  // zoom scales about a point of the frame. It leaves no room empty that the graph could
  // fill: once the graph is small enough all of it is there.
  zoom(by, x = this.svg.clientWidth / 2, y = this.svg.clientHeight / 2) {
    const next = Math.max(Math.min(0.15, this.whole), Math.min(3, this.scale * by));
    this.look(next, x - (x - this.x) * next / this.scale, y - (y - this.y) * next / this.scale);
    this.moved = true;
  }

  // look shows the graph at a scale, at a place or the nearest one that leaves no room empty.
  look(scale, x, y) {
    const filled = (at, size, frame) => (size <= frame ? (frame - size) / 2 : Math.max(frame - size, Math.min(0, at)));
    this.scale = scale;
    this.x = filled(x, this.size.width * scale, this.svg.clientWidth);
    this.y = filled(y, this.size.height * scale, this.svg.clientHeight);
    this.transform();
  }

  // whole is the scale at which the whole graph is in the frame.
  get whole() { return Math.min(1, this.svg.clientWidth / this.size.width, this.svg.clientHeight / this.size.height); }

  // fit shows the whole graph.
  fit() {
    if (!this.svg.clientWidth) return;
    this.look(this.whole, 0, 0);
    this.moved = false;
  }

  // begin shows the whole graph if it can be read then, and else how what was asked about
  // comes from what was lost.
  begin() {
    if (!this.svg.clientWidth) return;
    if (this.whole >= LEGIBLE) {
      this.fit();
      return;
    }
    const [w, h] = [this.svg.clientWidth, this.svg.clientHeight];
    const box = this.relevant(w / LEGIBLE, h / LEGIBLE);
    const scale = Math.min(1, w / (box.right - box.left), h / (box.bottom - box.top));
    this.look(scale, w / 2 - scale * (box.left + box.right) / 2, -scale * box.top);
  }

  // relevant is where the root is, and the ways from there to what was lost, those that take
  // least room first, as many as there is room for. To have the whole of the first it may be
  // somewhat larger.
  relevant(width, height) {
    const room = ({ left, right, top, bottom }) => Math.max((right - left) / width, (bottom - top) / height);
    const sorted = this.ways.map((way) => [room(this.around(way)), way]).sort(([a], [b]) => a - b).map(([, way]) => way);
    let box = this.around([0]);
    sorted.forEach((way, i) => {
      for (const part of i ? [way] : way.map((_, n) => way.slice(0, n + 1))) {
        const more = this.around(part, box);
        if (room(more) > (i ? 1 : LEGIBLE / LEAST)) break;
        box = more;
      }
    });
    return box;
  }

  // around is the least frame around nodes, and around another one.
  around(ids, box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity }) {
    return ids.map((id) => this.place(id)).reduce((b, at) => ({
      left: Math.min(b.left, at.x - at.width / 2 - 14), right: Math.max(b.right, at.x + at.width / 2 + 14),
      top: Math.min(b.top, at.y - at.height / 2 - 14), bottom: Math.max(b.bottom, at.y + at.height / 2 + 14),
    }), box);
  }

  // paper lays the whole graph on a page as wide as that is, or takes it from there.
  paper(on) {
    this.onPaper = on;
    if (on) {
      this.svg.setAttribute('viewBox', `0 0 ${this.size.width} ${this.size.height}`);
      this.svg.style.maxWidth = `${this.size.width}px`;
      this.view.removeAttribute('transform');
      return;
    }
    this.svg.removeAttribute('viewBox');
    this.svg.style.maxWidth = '';
    this.transform();
  }

  transform() { this.view.setAttribute('transform', `translate(${this.x},${this.y}) scale(${this.scale})`); }
}

// waysOf are the shortest ways from the root to the messages that were lost; where none was,
// to all messages.
function waysOf(graph) {
  const next = new Map(graph.nodes.map((n) => [n.id, []]));
  for (const e of graph.edges) next.get(e.from).push(e.to);
  const above = new Map([[0, null]]);
  for (const id of above.keys()) {
    for (const to of next.get(id)) if (!above.has(to)) above.set(to, id);
  }
  const messages = graph.nodes.filter((n) => n.kind === 'message' && above.has(n.id));
  return (messages.some((n) => n.lost) ? messages.filter((n) => n.lost) : messages).map((end) => {
    const way = [];
    for (let id = end.id; id !== null; id = above.get(id)) way.unshift(id);
    return way;
  });
}

// linesOfNode is what is written in a node.
function linesOfNode(n) {
  const rule = n.kind === 'step' && n.rule >= 0 ? page.rules[n.rule].place : '';
  let text = n.text;
  if (n.kind === 'absence') text = `no ${text}`;
  if (n.kind === 'step') text = `${n.met ? 'by' : 'not by'} ${rule || 'persistence'}${text ? `  ${text}` : ''}`;
  const lines = wrapped(text);
  if (n.kind !== 'step' && n.notes && n.kind !== 'fact') lines.push(...n.notes.flatMap(wrapped).slice(0, 2));
  return lines.slice(0, 4);
}

// wrapped breaks a text where there is a space.
function wrapped(text) {
  const lines = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line && (line + word).length > WIDEST) {
      lines.push(line);
      line = '';
    }
    line += (line && ' ') + shorten(word, WIDEST);
  }
  return [...lines, line];
}

// spoken is a node for who does not see it.
function spoken(n) {
  const kinds = { fact: n.met ? '' : 'holds, and must not: ', absence: 'absent: ', step: n.met ? 'rule: ' : 'rule that did not give it: ', message: '', other: '' };
  return kinds[n.kind] + linesOfNode(n).join(' ');
}

// about is what the panel beside the graph says of a node.
function about(n, lineage, graph) {
  const kinds = { fact: n.met ? 'holds' : 'holds, and must not', absence: n.met ? 'is absent, as it has to be' : 'does not hold', step: n.met ? 'took place' : 'did not take place', message: n.lost ? 'was lost' : 'arrived', other: n.met ? '' : 'is not so' };
  const rule = n.rule >= 0 ? page.rules[n.rule] : null;
  const kept = lineage.edges.find((e) => e.since && e.to === n.id && !n.kept);
  const rounds = n.first ? (n.first === n.last ? `in round ${n.first}` : `in rounds ${n.first} to ${n.last}`) : '';
  return [
    el('h3', { class: 'mono' }, n.kind === 'step' ? (n.met ? 'A step by a rule' : 'A rule that could have given it') : n.text),
    el('p', {}, n.kind === 'message' ? el('span', { class: n.lost ? 'bad' : '' }, kinds.message) : `${kinds[n.kind]} ${rounds}`),
    ...(n.notes || []).map((text) => el('p', { class: 'mono faint' }, text)),
    n.kind === 'step' && n.text && el('p', { class: 'mono faint' }, n.text),
    rule && el('div', {}, el('h4', {}, n.kind === 'step' || n.kept ? 'Rule' : 'Comes from', el('span', { class: 'place' }, ' ', placeOf(rule.place))), el('pre', { tabindex: 0 }, rule.text)),
    n.when && condition(n.when, n.kind === 'absence' ? 'There is such a fact' : 'It holds', n.last),
    kept && el('div', {}, el('h4', {}, 'Then it persisted'), el('p', {}, `from round ${kept.since} to ${kept.until}`, kept.rules && ', by'), (kept.rules || []).map((r) => el('pre', { tabindex: 0 }, page.rules[r].text)), kept.when && condition(kept.when, 'It holds', kept.until)),
  ];
}

// condition says under which faults something holds.
function condition(when, what, round) {
  const head = [el('h4', {}, `When, within the bounds (round ${round})`), el('p', { class: 'faint' }, 'About this fact alone, not about the promise.')];
  switch (when.word) {
    case 'always': return el('div', {}, head, el('p', {}, `${what}, whatever the faults are.`));
    case 'never': return el('div', {}, head, el('p', {}, `Under no schedule within the bounds.`));
    case 'large': return el('div', {}, head, el('p', {}, 'Its condition is too large to be written out.'));
    default: {
      const terms = when.terms.map((t) => termOf(t));
      if (when.more) terms.push(el('li', { class: 'faint' }, `and ${count(when.more, 'further way')}, left out`));
      return el('div', {}, head, el('p', {}, `${what} ${when.word === 'unless' ? 'unless' : 'when'} one of these happens:`), el('ul', { class: 'terms' }, terms));
    }
  }
}

// meaning says in words what becomes of the promise.
const meaning = { holds: 'the promise is kept', violated: 'breaks the promise' };

// termOf is a term with what it means for the promise.
function termOf(term) {
  const verdict = outcomeOf(term);
  return el('li', {}, term, verdict && el('span', { class: `meaning ${verdict === 'violated' ? 'bad' : 'good'}` }, ` ${meaning[verdict]}`));
}

const outcomes = new Map(); // of terms

// outcomeOf is the verdict under the faults of a term alone, '' where the page cannot tell.
function outcomeOf(term) {
  if (!outcomes.has(term)) outcomes.set(term, verdictUnder(term.startsWith('not ') ? [] : term.split(', but not ')[0].split(' and ')));
  return outcomes.get(term);
}

function verdictUnder(faults) {
  if (!page.circuit) return '';
  const units = circuitUnits(page).map((unit) => unit.text);
  const on = new Uint8Array(units.length);
  for (const fault of faults) {
    const unit = units.indexOf(fault);
    if (unit < 0) return '';
    on[unit] = 1;
  }
  const world = evaluateCircuit(page, on);
  return world.impossible ? '' : world.verdict;
}
