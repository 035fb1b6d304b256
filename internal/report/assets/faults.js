// Other faults: each can be switched on and off, and the diagram follows. What happens then
// says circuit.js, as ldfi inject would.

// tryFaults puts the switches between the diagram and what chooses its execution.
function tryFaults(happened) {
  if (!page.circuit) {
    if (page.fixed) happened.panel.append(el('p', { class: 'faint' }, page.fixed));
    return;
  }
  const other = new OtherFaults(happened);
  happened.panel.append(other.element);
  happened.watch((world) => { if (world !== other.world) other.take(world); });
}

class OtherFaults {
  constructor(happened) {
    this.happened = happened;
    this.units = circuitUnits(page);
    this.on = new Uint8Array(this.units.length);
    this.before = []; // for undo
    this.kind = null;
    this.verdict = el('p', { class: 'what-if', role: 'status' });
    this.faults = el('ul', { class: 'faults chips' });
    this.undoing = button('Undo', { disabled: true }, () => this.undo());
    this.again = button('Back to the fault set', {}, () => this.become(this.start.slice()));
    this.none = button('No faults', {}, () => this.become(new Uint8Array(this.units.length)));
    this.code = el('code', {});
    this.command = page.inject ? el('p', { class: 'command' }, this.code, copyButton(this.code)) : null;
    this.reason = el('div', { class: 'reason' });
    this.grid = el('div', { class: 'grid' });
    this.element = el('details', { class: 'other', toggle: () => this.open() }, el('summary', {}, 'Try other faults'), this.verdict, this.faults,
      el('div', { class: 'tools' }, this.kinds(), el('div', { class: 'buttons' }, this.undoing, this.none, this.again)), this.grid, this.command, this.reason);
  }

  // take begins with the faults of an execution.
  take(world) {
    const texts = new Set(world.faults.map((f) => f.text));
    this.start = Uint8Array.from(this.units, (unit) => (texts.has(unit.text) ? 1 : 0));
    this.on = this.start.slice();
    this.before = [];
    this.again.hidden = !this.start.includes(1);
    this.say(null);
  }

  // open draws the grid when it is first seen.
  open() {
    if (this.element.open && !this.cells) this.pick(this.kind || (this.happened.world.faults.find((f) => this.tabs.includes(f.kind)) || { kind: this.tabs[0] }).kind);
  }

  // kinds chooses what is switched.
  kinds() {
    this.tabs = [...new Set(this.units.map((unit) => unit.kind))];
    const tabs = el('div', { class: 'tabs', role: 'group', 'aria-label': 'Which kind of fault' });
    for (const kind of this.tabs) {
      tabs.append(button(kind, { 'aria-pressed': 'false', 'data-kind': kind }, () => this.pick(kind)));
    }
    this.kindButtons = tabs;
    return tabs;
  }

  // pick shows the faults of a kind: what they strike, by their rounds.
  pick(kind) {
    this.kind = kind;
    for (const b of this.kindButtons.children) b.setAttribute('aria-pressed', String(b.dataset.kind === kind));
    const rows = new Map();
    this.units.forEach((unit, i) => {
      if (unit.kind !== kind) return;
      const name = struck(unit);
      if (!rows.has(name)) rows.set(name, []);
      rows.get(name)[unit.round] = i;
    });
    this.cells = new Map();
    const begin = this.units.filter((unit) => unit.kind === kind).map((unit) => unit.round);
    const [first, last] = [Math.min(...begin), Math.max(...begin)];
    const rounds = Array.from({ length: last }, (_, i) => i + 1);
    const head = el('tr', { role: 'row' }, el('th', { scope: 'col', role: 'columnheader' }, kind), rounds.map((r) => el('th', { scope: 'col', role: 'columnheader', title: phaseOf(r) || null }, r)));
    const lines = [...rows].map(([name, units]) => el('tr', { role: 'row' }, el('th', { scope: 'row', role: 'rowheader' }, name), rounds.map((r) => this.cell(units[r]))));
    const table = el('table', { role: 'grid', 'aria-label': `Faults: ${kind}. Arrow keys move, space switches.`, keydown: (event) => this.move(event) }, el('thead', { role: 'rowgroup' }, head), el('tbody', { role: 'rowgroup' }, lines));
    const { plural } = openCircuit(page).kinds.find((k) => k.word === kind);
    this.grid.replaceChildren(table, first > 1 || last < page.eot ? el('p', { class: 'faint' }, `Here ${plural} begin ${first < last ? `in rounds ${first} to ${last}` : `in round ${first}`}: the bounds, or what can make a difference, end there.`) : '');
    const [start] = this.cells.values();
    if (start) start.tabIndex = 0;
    this.mark();
  }

  // cell is the switch of a unit; empty where there is none.
  cell(unit) {
    if (unit === undefined) return el('td', { role: 'gridcell' });
    const it = button('', { tabindex: -1, 'aria-label': this.units[unit].text, 'aria-pressed': 'false', title: this.units[unit].text }, () => this.toggle(unit));
    this.cells.set(unit, it);
    return el('td', { role: 'gridcell' }, it);
  }

  // move goes from cell to cell.
  move(event) {
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    const at = event.target.closest('td');
    if (!step || !at) return;
    event.preventDefault();
    let row = at.parentElement;
    let column = at.cellIndex;
    for (;;) {
      column += step[1];
      row = step[0] < 0 ? row.previousElementSibling : step[0] > 0 ? row.nextElementSibling : row;
      const next = row && row.cells[column];
      if (!next || next.tagName !== 'TD') return;
      if (next.firstChild) {
        for (const b of this.cells.values()) b.tabIndex = -1;
        next.firstChild.tabIndex = 0;
        next.firstChild.focus();
        return;
      }
    }
  }

  // toggle switches a unit, and those off that cannot be together with it.
  toggle(unit) {
    const on = this.on.slice();
    on[unit] = on[unit] ? 0 : 1;
    if (on[unit]) {
      this.units.forEach((other, i) => {
        if (i !== unit && on[i] && this.excludes(this.units[unit], other)) on[i] = 0;
      });
    }
    this.become(on);
    this.happened.go(this.units[unit].round);
  }

  // excludes tells whether two units cannot be on together, whatever else is.
  excludes(a, b) {
    const sameProcess = a.process === b.process;
    if (a.kind === 'crash' && b.kind === 'crash') return sameProcess && !this.tabs.includes('restart');
    if (a.kind === 'choose' && b.kind === 'choose') return openCircuit(page).single.some((group) => group.includes(a) && group.includes(b));
    if (!sameProcess || a.to !== b.to || a.round !== b.round) return false;
    if (a.kind === b.kind) return a.kind === 'delay' || a.kind === 'duplicate';
    return (a.kind === 'omit' && b.by > 0) || (b.kind === 'omit' && a.by > 0);
  }

  become(on) {
    this.before.push(this.on);
    this.on = on;
    this.change();
  }

  undo() {
    this.on = this.before.pop() || this.on;
    this.change();
  }

  // change shows what happens now.
  change() {
    const world = evaluateCircuit(page, this.on);
    this.say(world);
    if (world.impossible) return;
    this.world = prepare(world);
    this.happened.show(this.world);
  }

  // say tells what becomes of the promise.
  say(world) {
    world ||= evaluateCircuit(page, this.on);
    this.verdict.replaceChildren(...verdictOf(world));
    this.faults.replaceChildren(...world.faults.map((f) => el('li', {}, f.text, ' ', button('×', { 'aria-label': `Without ${f.text}` }, () => {
      const gone = this.units.findIndex((unit) => unit.text === f.text);
      this.toggle(gone);
    }))));
    this.undoing.disabled = this.before.length === 0;
    this.code.textContent = asking(page.inject, world.schedule);
    this.reason.replaceChildren(...(world.impossible ? [] : this.reasons(world)));
    if (this.cells) this.mark();
  }

  // reasons are what each fault loses, what becomes of the promise without it alone, and the
  // commands that say more.
  reasons(world) {
    const effects = world.faults.map((f, i) => {
      const lost = world.messages.filter((_, k) => k % 6 === 5).map((cause, k) => [cause, k]).filter(([cause]) => cause === i).map(([, k]) => messageAt(world, k));
      const on = this.on.slice();
      on[this.units.findIndex((unit) => unit.text === f.text)] = 0;
      const without = evaluateCircuit(page, on);
      const then = without.impossible || !without.verdict || world.verdict === 'holds' ? '' : without.verdict === 'holds' ? 'without it the promise is kept' : 'without it the promise is broken all the same';
      return el('li', {}, `${f.text}: `, [losing(lost, f), then].filter(Boolean).join('; '));
    });
    return [
      effects.length ? el('div', {}, el('h3', {}, 'What each fault does'), el('ul', { class: 'without' }, effects)) : null,
      ...(world.broken.length && page.why ? [el('h3', {}, 'Why: ask in a terminal'), command(askingWhy(world)), world.schedule && command(asking(page.diff, world.schedule))] : []),
    ].filter(Boolean);
  }

  // mark shows which units are on, and which are part of one that lasts.
  mark() {
    const lasting = this.units.filter((unit, i) => this.on[i] && unit.until > unit.round);
    for (const [i, cell] of this.cells) {
      const unit = this.units[i];
      const covered = !this.on[i] && lasting.some((f) => struck(f) === struck(unit) && f.kind === unit.kind && f.round < unit.round && unit.round <= f.until);
      cell.setAttribute('aria-pressed', String(this.on[i] === 1));
      cell.classList.toggle('covered', covered);
    }
  }
}

// struck names what a fault strikes.
function struck(unit) {
  if (unit.detail && !unit.of) return unit.detail;
  if (unit.to < 0) return page.names[unit.process];
  return `${page.names[unit.process]}>${page.names[unit.to]}${unit.of ? `/${unit.of}` : ''}${unit.by ? ` +${unit.by}` : ''}`;
}

// askingWhy is the command that explains the first thing that is broken.
const askingWhy = (world) => asking(page.why, world.schedule, world.first);

const NAMED = 3; // messages of a fault that are named

// messageAt is the message with a number.
function messageAt(world, k) {
  const [atom, from, to, round] = world.messages.slice(6 * k, 6 * k + 4);
  return { atom, from, to, round };
}

// losing says which messages a fault loses that the promise depends on.
function losing(all, fault) {
  const lost = all.filter((m) => m.from !== m.to && m.round < page.eot && !relationOf(m.atom).beside);
  if (!lost.length) return ['crash', 'omit', 'isolate', 'partition', 'cut'].includes(fault.kind) ? 'loses nothing that the promise depends on' : '';
  const named = lost.slice(0, NAMED).map((m) => `${atoms.text[m.atom]} ${nameOf(m.from)} → ${nameOf(m.to)} in round ${m.round}`);
  return `loses ${named.join(', ')}${lost.length > NAMED ? ` and ${count(lost.length - NAMED, 'more message')}` : ''}`;
}

// kept is what is said of an execution that keeps the promise: others may break it.
const kept = 'kept in this execution';

// verdictOf says what becomes of the promise under some faults.
function verdictOf(world) {
  if (world.impossible) return [el('span', { class: 'verdict inconclusive' }, 'impossible'), ` ${world.impossible}`];
  const beyond = world.within ? el('span', { class: 'beyond' }, ` Outside the bounds: ${world.within}.`) : '';
  if (!world.verdict) return ['Nothing is promised.', beyond];
  const more = world.broken.length > 1 ? ` (and ${world.broken.length - 1} more)` : '';
  const about = world.broken.length ? world.broken[0] + more : `nothing is broken ${world.schedule ? 'under these faults' : 'without faults'}`;
  return [el('span', { class: `verdict ${world.verdict}` }, world.verdict === 'holds' ? kept : world.verdict), ` ${about}`, beyond];
}

// quoted writes a word as a shell takes it.
function quoted(word) {
  return `'${word.replaceAll("'", `'"'"'`)}'`;
}
