// Space-time diagrams: a lifeline for each process, time runs downwards.

const ROW = 30; // the height of a line
const START = 10; // where an arrow begins in it
const DROP = 13; // how far an arrow falls on its way
const GUTTER = 58; // the column with the rounds
const NOTES = 4; // remarks of a round
const FEW = 24; // the messages of a round that are drawn, unless all are asked for

// shows tells whether a message is drawn.
function shows(message, view) {
  if (!page.system && message.round >= page.eot) return false; // which nobody sees any more
  if (message.from === message.to && !view.own) return false;
  const relation = atoms.relation[message.atom];
  return !view.hidden.has(relation);
}

// neededIn are the messages that the lineages of an execution speak of, by relation, sender
// and receiver. Of an execution without any, they are those of the first fault set.
function neededIn(world, other) {
  const drawn = world === page.executions[page.plain] && other ? other : world;
  const about = (page.lineages || []).some((l) => page.executions[l.execution] === drawn) ? drawn : page.executions[(page.sets[0] || {}).execution];
  if (!messagesOf.has(about)) messagesOf.set(about, spokenOf(lineagesOf(about)));
  return messagesOf.get(about);
}

const messagesOf = new Map();

function spokenOf(lineages) {
  const needed = new Map();
  for (const lineage of lineages) {
    for (const n of lineage.nodes) {
      if (n.kind !== 'message') continue;
      const key = `${n.relation} ${n.from} ${n.to}`;
      needed.set(key, [...(needed.get(key) || []), [n.first, n.last]]);
    }
  }
  return needed;
}

// lineagesOf are those of an execution, and behind the first what the same fact comes from
// without faults.
function lineagesOf(world) {
  const [first, ...rest] = (page.lineages || []).filter((l) => page.executions[l.execution] === world);
  if (!first) return [];
  const same = (l) => l.execution === page.plain && l !== first && l.nodes[0].text.replace(/^no /, '') === first.nodes[0].text.replace(/^no /, '');
  return [first, ...page.lineages.filter(same), ...rest];
}

// matters tells whether a message is lost, is not there in the other execution, or is one
// that the outcome needs.
function matters(m, view, world) {
  if (!view.matters || m.lost || m.arrival || view.other === null || !arrived(view.other, view.sentToo).has(keyOf(m))) return true;
  return (neededIn(world, view.other).get(`${atoms.relation[m.atom]} ${m.from} ${m.to}`) || []).some(([first, last]) => first <= m.round && m.round <= last);
}

// linesOf says what is drawn of a round of an execution.
function linesOf(world, round, view) {
  const lines = [];
  const begins = world.faults.filter((f) => f.round === round && !f.within);
  const shown = world.byRound(round).filter((m) => shows(m, view) && (view.all || view.open.has(round) || !lossOf(world, m).hidden));
  const messages = view.open.has(round) ? shown : shown.filter((m) => matters(m, view, world));
  for (const f of begins) {
    if (f.kind !== 'omit') lines.push({ kind: 'fault', fault: f, text: f.text });
    else if (!world.byRound(round).some((m) => m.lost && loses(f, m))) lines.push({ kind: 'fault', fault: f, text: `${f.text}: nothing to lose` });
  }
  lines.push(...operations(world, round, 'request'));
  lines.push(...sendsOf(world, messages, view, round));
  if (messages.length < shown.length) {
    const drawn = new Set(messages);
    const rest = shown.filter((m) => !drawn.has(m));
    lines.push({ kind: 'more', count: rest.length, what: 'message', of: rest.map((m) => `${m.from} ${m.to} ${saying(m)} ${telling(m)}`).sort().join(';') });
  }
  lines.push(...operations(world, round, 'reply'));
  for (const f of world.faults) if (f.round === round && f.within) lines.push({ kind: 'fault', fault: f, text: f.text });
  const before = new Set(world.notes.filter((n) => n.round === round - 1).map((n) => n.text));
  const notes = world.notes.filter((n) => n.round === round && (view.all || !before.has(n.text))).map((n) => ({ kind: 'note', text: n.text }));
  const all = view.all || view.open.has(round) || notes.length <= NOTES;
  lines.push(...(all ? notes : [...notes.slice(0, NOTES - 1), { kind: 'more', count: notes.length - NOTES + 1, what: 'remark', of: '' }]));
  return lines;
}

// sendsOf joins the messages of one kind that a process sends in a round, where they say the
// same to each.
function sendsOf(world, messages, view, round) {
  const targets = new Map();
  for (const m of messages) {
    const key = `${m.from} ${m.to} ${saying(m)}`;
    if (!targets.has(key)) targets.set(key, { to: m.to, messages: [], lost: false, differs: false });
    const target = targets.get(key);
    target.messages.push(m);
    target.lost ||= m.lost;
    target.late ||= m.arrival > 0;
    target.differs ||= view.other !== null && (m.lost ? false : !arrived(view.other, view.sentToo).has(keyOf(m)));
  }
  const sends = new Map();
  for (const target of targets.values()) {
    const [m] = target.messages;
    const name = saying(m);
    const told = [...new Set(target.messages.map(telling))].sort();
    const key = JSON.stringify([m.from, name, told]);
    if (!sends.has(key)) sends.set(key, { kind: 'send', from: m.from, name, told: told.length > 2 ? '' : told.join(' | '), says: key, to: new Map(), remarks: new Set(), weight: 0 });
    const send = sends.get(key);
    send.to.set(m.to, target);
    for (const each of target.messages) {
      const often = view.all ? '' : lossOf(world, each).text;
      if (each.lost) send.remarks.add((causeOf(world, each) || { text: 'lost' }).text + (often && ` (${often})`));
      else if (each.arrival) send.remarks.add(fate(world, each));
      if (each.to < 0) send.remarks.add(`to ${atoms.text[each.atom]}, which is no process`);
    }
    send.weight = Math.max(send.weight, target.lost ? 2 : target.differs ? 1 : 0);
  }
  const all = [...sends.values()].sort(bySender);
  if (all.length <= FEW || view.all || view.open.has(round)) return all;
  const kept = new Set([...all].sort((a, b) => b.weight - a.weight).slice(0, FEW));
  const rest = all.filter((s) => !kept.has(s));
  return [...all.filter((s) => kept.has(s)), { kind: 'more', count: rest.length, what: 'send', of: rest.map((s) => `${s.from} ${[...s.to.keys()]} ${s.says} ${s.weight}`).join(';') }];
}

// operations are what clients ask, or are told, in a round of a system.
function operations(world, round, name) {
  if (!page.system) return [];
  if (!world.operations) {
    world.operations = { request: new Map(), reply: new Map() };
    for (let i = 0; i < world.facts.length; i += 3) {
      const atom = world.facts[i];
      const of = world.operations[relationOf(atom).name];
      if (!(of instanceof Map)) continue;
      for (let at = world.facts[i + 1]; at <= world.facts[i + 2]; at++) of.set(at, [...(of.get(at) || []), atom]);
    }
  }
  return (world.operations[name].get(round) || []).map((atom) => ({ kind: 'operation', process: atoms.process[atom], asks: name === 'request', text: atoms.text[atom] }));
}

// aligned gives what is sent alike in several executions the same line in each.
function aligned(all) {
  if (all.length < 2) return all;
  const parts = [(l) => l.kind === 'fault' && !l.fault.within, (l) => l.kind === 'operation' && l.asks, (l) => l.kind === 'send', (l) => l.kind === 'more',
    (l) => l.kind === 'operation' && !l.asks, (l) => l.kind === 'fault' && l.fault.within, (l) => l.kind === 'note'];
  const slots = all.map(() => []);
  for (const part of parts) {
    const keys = [];
    const seen = new Set();
    const key = (l, i) => (l.kind === 'send' ? `${l.from} ${l.says}` : String(i));
    const of = all.map((lines) => new Map(lines.filter(part).map((l, i) => [key(l, i), l])));
    for (const lines of of) for (const [k, l] of lines) if (!seen.has(k)) { seen.add(k); keys.push([k, l]); }
    if (part === parts[2]) keys.sort(([, a], [, b]) => bySender(a, b));
    for (const [k] of keys) of.forEach((lines, i) => slots[i].push(lines.get(k) || null));
  }
  return slots;
}

const bySender = (a, b) => a.from - b.from || (a.says < b.says ? -1 : a.says > b.says ? 1 : 0);

// fitted writes what a message says into so many characters: rather its arguments than
// the whole of its name.
function fitted(send, copies, most) {
  const rest = (send.told && `(${send.told})`) + (copies > 1 && !send.told.includes(' | ') ? ` ×${copies}` : '');
  return shorten(shorten(send.name, Math.max(3, most - rest.length)) + rest, most);
}

// sameAs is equal for rounds that look the same.
function sameAs(world, round, lines) {
  return JSON.stringify([
    page.names.map((_, p) => [stopped(world, p, round, false), (lasting(world, p, round) || {}).text]),
    lines.map((l) => [l.kind, l.from, l.says, l.to && [...l.to.values()].map((t) => [t.to, t.lost, t.messages.length, t.differs, t.messages.map((m) => m.cause)]), l.count, l.of]),
  ]);
}

// SpaceTime draws executions beside each other, round by round.
class SpaceTime {
  constructor(worlds, picked, name = 'Space-time diagram') {
    this.worlds = worlds; // {world, title, other}
    this.picked = picked; // called with a round
    this.view = { all: false, own: false, matters: page.lineages !== undefined, hidden: new Set(), open: new Set() };
    page.relations.forEach((r, i) => { if (r.beside) this.view.hidden.add(i); });
    this.round = 0;
    this.heads = el('div', { class: 'heads' });
    this.canvas = el('div', { class: 'canvas' });
    this.box = el('div', { class: 'spacetime', tabindex: 0, role: 'region', 'aria-label': `${name}; the same is in words below` }, this.heads, this.canvas);
    this.box.addEventListener('scroll', () => this.paint(), { passive: true });
    this.element = this.box;
    this.legend = el('p', { class: 'legend' });
    new ResizeObserver(() => this.layout()).observe(this.box);
  }

  // fits tells whether so many executions have room beside each other.
  fits(n) { return !this.box.clientWidth || this.box.clientWidth >= GUTTER + n * (28 + 64 * (page.names.length - 1) + 130); }

  // show changes what is drawn.
  show(worlds) {
    this.worlds = worlds;
    this.prepare();
  }

  // prepare decides which rounds are drawn, and how high they are.
  prepare() {
    this.rows = [];
    let before = '';
    let folded = null;
    let y = 0;
    for (let round = 1; round <= page.eot; round++) {
      const lines = this.worlds.map(({ world, other, sentToo }) => linesOf(world, round, { ...this.view, other: other || null, sentToo }));
      const same = lines.map((l, i) => sameAs(this.worlds[i].world, round, l)).join('\n');
      const begins = this.worlds.some(({ world }) => world.faults.some((f) => f.round === round));
      const remarks = lines.flat().some((l) => l.kind === 'note' || l.kind === 'operation');
      if (!this.view.all && round > 1 && same === before && !begins && !remarks && round < page.eot + 1) {
        if (folded) folded.last = round;
        else {
          folded = { folded: true, round, last: round, y, height: ROW };
          this.rows.push(folded);
          y += ROW;
        }
        continue;
      }
      before = same;
      folded = null;
      const slots = aligned(lines);
      const height = Math.max(1, ...slots.map((l) => l.length)) * ROW + 10;
      this.rows.push({ round, last: round, lines: slots, y, height });
      y += height;
    }
    this.total = y;
    this.legend.replaceChildren(...legendOf(this.worlds.map((w) => w.world), this.rows));
    this.layout();
  }

  // layout finds places for the lifelines.
  layout() {
    if (!this.rows || !this.box.clientWidth) return;
    const n = page.names.length;
    const font = '13px ' + getComputedStyle(document.body).fontFamily;
    const names = Math.max(...page.names.map((name) => widthOf(name, font)), 20);
    const least = Math.min(Math.max(60, names + 16), 160);
    this.least = least;
    let remarks = this.worlds.map((_, i) => this.remarks(i, 0));
    const needed = () => GUTTER + remarks.reduce((a, b) => a + b + 28 + least * (n - 1), 0);
    if (needed() > this.box.clientWidth) remarks = this.worlds.map((_, i) => this.remarks(i, least * (n - 1))); // what is broken may stand over the lifelines
    const spare = this.box.clientWidth - GUTTER - remarks.reduce((a, b) => a + b, 0) - 28 * this.worlds.length;
    this.gap = Math.max(least, Math.min(190, spare / this.worlds.length / Math.max(n - 1, 1)));
    const widths = remarks.map((r) => 28 + this.gap * (n - 1) + r);
    const left = Math.max(0, this.box.clientWidth - GUTTER - widths.reduce((a, b) => a + b, 0)) / this.worlds.length;
    this.lefts = [];
    this.whole = GUTTER;
    this.widths = widths.map((w) => {
      this.lefts.push(this.whole);
      this.whole += w + left;
      return w + left;
    });
    this.x = (process) => 28 + this.gap * process;
    this.canvas.style.height = `${this.total + 8}px`;
    this.canvas.style.width = `${this.whole}px`;
    this.heads.style.width = this.canvas.style.width;
    this.heading();
    this.drawn = '';
    this.paint();
  }

  // remarks is the room that is needed behind the lifelines; over is what a note has of
  // that in front of them.
  remarks(i, over) {
    let most = 30;
    for (const row of this.rows) {
      if (row.folded) most = Math.max(most, 110);
      for (const line of (row.lines || [[]])[i] || []) {
        if (line && line.kind === 'operation' && line.process >= 0) most = Math.max(most, widthOf(line.text, `12px ${MONO}`) + 50 - this.least * (page.names.length - 1 - line.process));
        const text = !line || line.kind === 'operation' ? '' : line.kind === 'send' ? [...line.remarks].join('; ') : line.text || '';
        if (text) most = Math.max(most, Math.min(widthOf(text, `12px ${MONO}`) + 26, 260) - (line.kind === 'note' ? over : 0));
      }
      if (most >= 260) return 260;
    }
    return most;
  }

  // heading writes the names of the processes over their lifelines.
  heading() {
    const width = this.whole;
    const svg = draw('svg', { width, height: 46, viewBox: `0 0 ${width} 46`, 'aria-hidden': 'true' });
    this.worlds.forEach(({ title, kind }, i) => {
      const left = this.lefts[i];
      const shown = shorten(title, Math.floor((this.widths[i] - 20) / widthOf('0', `12.5px ${MONO}`)));
      svg.append(draw('text', { x: left + 10, y: 16, class: `run ${kind}` }, shown, shown !== title && draw('title', {}, title)));
      page.names.forEach((name, p) => svg.append(draw('text', { x: left + this.x(p), y: 38, class: 'process', 'text-anchor': 'middle' },
        shorten(name, Math.floor(this.gap / 7.5)), draw('title', {}, name))));
    });
    svg.append(draw('text', { x: 12, y: 38, class: 'faint' }, 'round'));
    this.heads.replaceChildren(svg);
  }

  // paint draws the rounds that can be seen.
  paint() {
    const top = this.box.scrollTop - 600;
    const end = this.box.scrollTop + this.box.clientHeight + 600;
    const few = this.total < 12000;
    const first = few ? 0 : lowest(this.rows, (row) => row.y + row.height >= top);
    const last = few ? this.rows.length : lowest(this.rows, (row) => row.y > end);
    const key = `${first} ${last}`;
    if (key === this.drawn) return;
    this.drawn = key;
    const from = this.rows[first] ? this.rows[first].y : 0;
    const until = last < this.rows.length ? this.rows[last].y : this.total;
    const width = this.whole;
    const svg = draw('svg', { width, height: until - from + 8, viewBox: `0 ${from} ${width} ${until - from + 8}`, 'aria-hidden': 'true', focusable: 'false' });
    svg.style.top = `${from}px`;
    for (const row of this.rows.slice(first, last)) svg.append(this.row(row));
    this.canvas.replaceChildren(svg);
    this.mark();
  }

  // row draws a round, or what stands for rounds that are left out.
  row(row) {
    const g = draw('g', { class: row.folded ? 'round folded' : 'round', 'data-round': row.round });
    g.addEventListener('click', () => this.picked(row.round));
    g.append(draw('rect', { x: 0, y: row.y, width: this.whole, height: row.height, class: 'band' }));
    const name = row.folded ? (row.last > row.round ? `${row.round}–${row.last}` : `${row.round}`) : String(row.round);
    g.append(draw('text', { x: 12, y: row.y + 20, class: row.folded ? 'number faint' : 'number' }, name, phaseOf(row.round) && draw('title', {}, phaseOf(row.round))));
    this.worlds.forEach(({ world }, i) => {
      const left = this.lefts[i];
      this.lifelines(g, world, row, row.folded ? [] : row.lines[i], left);
      if (row.folded) g.append(draw('text', { x: left + this.x(page.names.length - 1) + 16, y: row.y + 20, class: 'faint remark' }, `as round ${row.round - 1}`));
      else row.lines[i].forEach((line, at) => line && this.line(g, world, line, left, left + this.widths[i], row.y + 5 + at * ROW, row.round));
    });
    return g;
  }

  // lifelines draws the processes as they are in a round.
  lifelines(g, world, row, lines, left) {
    page.names.forEach((name, p) => {
      const x = left + this.x(p);
      const lasts = lasting(world, p, row.round);
      if (lasts) g.append(draw('rect', { x: x - 9, y: row.y, width: 18, height: row.height, class: apartness(lasts, p) }, draw('title', {}, conditionOf(lasts, p))));
      let down = stopped(world, p, row.round - 1, true);
      let top = row.y;
      const until = (y) => {
        g.append(draw('line', { x1: x, x2: x, y1: top, y2: y, class: down ? 'life down' : lasts ? `life ${apartness(lasts, p)}` : 'life' }));
        top = y;
      };
      lines.forEach((l, at) => { // it dies, and comes back, at the lines that say so
        if (!l || l.kind !== 'fault' || l.fault.process !== p || !(l.fault.kind in stops)) return;
        until(row.y + 5 + at * ROW + ROW / 2);
        down = stops[l.fault.kind];
      });
      until(row.y + row.height);
    });
  }

  // line draws one line of a round.
  line(g, world, line, left, right, y, round) {
    const end = left + this.x(page.names.length - 1) + 16;
    const room = Math.floor((right - end) / 7.3);
    const remark = (text, kind) => g.append(draw('text', { x: end, y: y + 20, class: `remark ${kind}` }, shorten(text, room), text.length > room && draw('title', {}, text)));
    const first = left + this.x(0) - 14;
    switch (line.kind) {
      case 'fault': {
        const x = line.fault.process >= 0 ? left + this.x(line.fault.process) : end;
        if (line.fault.kind === 'crash') g.append(cross(x, y + ROW / 2, 6, 'crash'));
        else if (line.fault.kind === 'restart') g.append(draw('circle', { cx: x, cy: y + ROW / 2, r: 5, class: 'restart' }));
        remark(line.text, 'fault');
        break;
      }
      case 'note':
        { // where there is no room behind the lifelines it begins before their end
          const most = Math.floor((right - first - 6) / 7.3);
          const x = Math.max(first + 6, Math.min(end, right - widthOf(shorten(line.text, most), `12px ${MONO}`) - 10));
          g.append(draw('line', { x1: first, x2: x - 6, y1: y + ROW / 2, y2: y + ROW / 2, class: 'noted' }));
          g.append(draw('text', { x, y: y + 20, class: 'remark note' }, shorten(line.text, most), line.text.length > most && draw('title', {}, line.text)));
        }
        break;
      case 'more':
        g.append(draw('text', { x: left + this.x(0) + 10, y: y + 20, class: 'more', click: (event) => { event.stopPropagation(); this.view.open.add(round); this.prepare(); } },
          `▸ and ${line.count} more ${line.what}${line.count === 1 ? '' : 's'}: show`, draw('title', {}, `Draws all of round ${round}`)));
        break;
      case 'operation': {
        const x = line.process >= 0 ? left + this.x(line.process) : end;
        g.append(draw('circle', { cx: x, cy: y + ROW / 2, r: 3.5, class: line.asks ? 'asks' : 'told' }));
        g.append(draw('text', { x: x + 10, y: y + 20, class: 'says' }, (line.asks ? '← ' : '→ ') + line.text));
        break;
      }
      default:
        this.send(g, world, line, left, y);
        if (line.remarks.size) remark([...line.remarks].join('; '), 'fault');
    }
  }

  // send draws the arrows from a process to those that it sends to.
  send(g, world, send, left, y) {
    if (send.from < 0) {
      g.append(draw('text', { x: left + this.x(0) + 8, y: y + 20, class: 'says' }, `${fitted(send, 1, 60)} from nobody to ${[...send.to.keys()].map(nameOf).join(', ')}`));
      return;
    }
    const x = left + this.x(send.from);
    const group = draw('g', { class: 'send' });
    const texts = (targets) => draw('title', {}, shorten(targets.flatMap((t) => t.messages.map((m) => `${atoms.text[m.atom]} from ${nameOf(m.from)} to ${nameOf(m.to)} ${fate(world, m)}`)).join('\n'), 2000));
    group.append(texts([...send.to.values()]));
    let copies = 1;
    for (const target of send.to.values()) {
      copies = Math.max(copies, target.messages.length);
      if (target.to < 0) continue;
      if (target.to === send.from) {
        group.append(draw('path', { d: `M${x},${y + START} c16,0 16,${DROP} 3,${DROP}`, class: 'arrow own', 'marker-end': 'url(#tip)' }));
        continue;
      }
      const one = draw('g', {}, texts([target]));
      this.arrow(one, x, left + this.x(target.to), y + START, target);
      group.append(one);
    }
    group.append(draw('circle', { cx: x, cy: y + START, r: 2.5, class: 'source' }));
    const toRight = [...send.to.keys()].some((to) => to > send.from);
    const length = Math.max(1, ...[...send.to.keys()].map((to) => (to > send.from) === toRight && to >= 0 ? Math.abs(to - send.from) : 0)) * this.gap;
    group.append(draw('text', { x: toRight ? x + 7 : x - 7, y: y + 9, 'text-anchor': toRight ? 'start' : 'end', class: 'says' }, fitted(send, copies, Math.max(5, Math.floor((length - 14) / 7.3)))));
    g.append(group);
  }

  // arrow draws one of them.
  arrow(group, x, to, y, target) {
    const kind = target.lost ? 'arrow lost' : target.differs ? 'arrow differs' : target.late ? 'arrow late' : 'arrow';
    const sign = to > x ? 1 : -1;
    const length = Math.abs(to - x);
    const until = target.lost ? length - Math.min(26, length / 3) : length - 5;
    const end = y + DROP * until / length;
    group.append(draw('line', { x1: x, y1: y, x2: to, y2: y + DROP, class: 'hit' })); // wide enough for a pointer
    group.append(draw('line', { x1: x, y1: y, x2: x + sign * until, y2: end, class: kind }));
    if (target.lost) group.append(cross(x + sign * until, end, 5, 'miss'));
    else group.append(draw('path', { d: `M${to - sign},${y + DROP} l${-sign * 8},-5 l0,8 z`, class: `tip ${kind}` }));
  }

  // select marks a round.
  select(round) {
    this.round = round;
    this.mark();
    const row = this.rows.find((r) => r.round <= round && round <= r.last);
    if (!row) return;
    const top = this.box.scrollTop;
    if (row.y < top) this.box.scrollTop = row.y;
    else if (row.y + row.height > top + this.box.clientHeight - 50) this.box.scrollTop = row.y + row.height - this.box.clientHeight + 50;
  }

  mark() {
    for (const g of this.canvas.querySelectorAll('.round')) {
      const row = this.rows.find((r) => r.round === Number(g.dataset.round));
      g.classList.toggle('current', row !== undefined && row.round <= this.round && this.round <= row.last);
    }
  }
}

// stops tells of what crashes and brings back whether the process is down afterwards.
const stops = { crash: true, restart: false };

// apartness is how a process is drawn at which a fault lasts: both sides of a partition are
// marked, each in its way.
function apartness(fault, process) {
  if (fault.kind !== 'partition') return 'apart';
  return fault.side.includes(process) ? 'apart side' : 'apart across';
}

// legendOf explains the signs that are drawn, and no others.
function legendOf(worlds, rows) {
  const lines = rows.flatMap((row) => (row.lines || []).flat()).filter(Boolean);
  const targets = lines.filter((l) => l.kind === 'send').flatMap((l) => [...l.to.values()]);
  const kinds = new Set(lines.filter((l) => l.kind === 'fault').map((l) => l.fault.kind));
  const faults = worlds.flatMap((w) => w.faults);
  const down = worlds.some((w) => page.names.some((_, p) => rows.some((row) => stopped(w, p, row.round, true))));
  const item = (sign, text) => el('span', { class: 'item' }, draw('svg', { width: 30, height: 12, 'aria-hidden': 'true' }, sign), text);
  const line = (kind) => draw('line', { x1: 2, x2: 28, y1: 6, y2: 6, class: kind });
  const box = (kind) => draw('rect', { x: 8, y: 0, width: 14, height: 12, class: kind });
  const sides = new Map(faults.filter((f) => f.kind === 'partition').map((f) => [f.text.replace(/^partition (.*)@.*$/, '$1'), f]));
  return [
    targets.some((t) => !t.lost && !t.differs && !t.late) && item(line('arrow'), 'arrives'),
    targets.some((t) => t.lost) && item(line('arrow lost'), 'is lost'),
    targets.some((t) => t.differs && !t.lost) && item(line('arrow differs'), 'only in this execution'),
    targets.some((t) => t.late && !t.lost && !t.differs) && item(line('arrow late'), 'arrives later'),
    kinds.has('crash') && item(cross(15, 6, 5, 'crash'), 'crashes'),
    down && item(line('life down'), 'has crashed'),
    kinds.has('restart') && item(draw('circle', { cx: 15, cy: 6, r: 4.5, class: 'restart' }), 'restarts'),
    ...[['isolate', 'is cut off'], ['pause', 'is paused'], ['fast', 'has a fast clock'], ['slow', 'has a slow clock']].map(([kind, text]) => faults.some((f) => f.kind === kind) && item(box('apart'), text)),
    ...[...sides].flatMap(([text, f]) => [
      item(box('apart side'), `one side of ${text}: ${apartFrom(f, page.names.findIndex((_, p) => !f.side.includes(p)))}`),
      item(box('apart across'), `the other side${text.includes('*') ? ' (* is all others)' : ''}: ${apartFrom(f, f.side[0])}`),
    ]),
  ].filter(Boolean);
}

const MONO = 'ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace';

function cross(x, y, size, kind) {
  return draw('path', { d: `M${x - size},${y - size} l${2 * size},${2 * size} M${x + size},${y - size} l${-2 * size},${2 * size}`, class: kind });
}

// lowest is the first place from which on something is so, by bisection.
function lowest(list, is) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (is(list[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}

// inWords says what happens in an execution, round by round.
function inWords(world, view) {
  const items = [];
  for (let round = 1; round <= page.eot; round++) {
    for (const line of linesOf(world, round, { ...view, all: true, matters: false, other: null })) {
      if (line.kind !== 'send') {
        items.push({ round, text: line.text, bad: line.kind !== 'operation' });
        continue;
      }
      for (const target of line.to.values()) {
        for (const m of target.messages) items.push({ round, text: `${atoms.text[m.atom]} from ${nameOf(m.from)} to ${nameOf(m.to)} ${fate(world, m)}`, bad: m.lost });
      }
    }
  }
  return items;
}
