// What happened: the diagram, a slider over its rounds, and the states of the processes.

class Happened {
  constructor(place) {
    this.place = place;
    this.round = 1;
    this.everything = false;
    this.filter = '';
    this.tab = 'both';
    this.shown = page.sets.findIndex((s) => s.execution >= 0);
    this.diagram = new SpaceTime([], (round) => this.go(round));
    this.words = el('details', { class: 'words', toggle: () => this.say() }, el('summary', {}, 'The diagram in words'));
    this.states = el('div', { class: 'states', 'aria-live': 'polite' });
    this.panel = el('div', { class: 'panel' });
    this.watchers = []; // told which execution is drawn
    place.append(this.diagram.element);
    place.append(this.tools(), this.panel, this.diagram.element, this.diagram.legend, this.stepper(), this.states, this.words);
    this.world = this.shown >= 0 ? page.executions[page.sets[this.shown].execution] : page.executions[page.plain];
    this.show(this.world);
    this.go(this.firstBad());
  }

  // firstBad is the round in which something is broken, or else a fault begins.
  firstBad() {
    const notes = this.world.notes.map((n) => n.round);
    const faults = this.world.faults.map((f) => f.round);
    return Math.min(...(faults.length ? faults : notes.length ? notes : [1]));
  }

  get plain() { return page.plain >= 0 ? page.executions[page.plain] : null; }

  // show draws another execution, beside the one without faults.
  show(world) {
    this.world = world;
    const plain = this.plain;
    const title = world.schedule ? `with ${world.schedule}` : 'without faults';
    const all = [{ world, title: shorten(title, 60), kind: world.notes.length || page.sets.some((s) => page.executions[s.execution] === world) ? 'bad' : 'good', other: plain !== world ? plain : null, sentToo: true }];
    if (plain && plain !== world) all.push({ world: plain, title: 'without faults', kind: 'good', other: world, sentToo: false });
    this.tabs.hidden = all.length < 2;
    this.diagram.show(this.tab === 'both' || all.length < 2 ? all : this.tab === 'this' ? all.slice(0, 1) : all.slice(1));
    this.state();
    this.said = null;
    this.say();
    for (const told of this.watchers) told(world);
  }

  // watch calls a function with the execution that is drawn, now and whenever it changes.
  watch(told) {
    this.watchers.push(told);
    told(this.world);
  }

  // tools choose what is drawn.
  tools() {
    const tabs = [['both', 'Side by side'], ['this', 'With faults'], ['plain', 'Without faults']];
    if (!this.diagram.fits(2)) this.tab = 'this';
    this.tabs = el('div', { class: 'tabs', role: 'group', 'aria-label': 'Which execution' });
    for (const [id, text] of tabs) {
      this.tabs.append(button(text, { 'aria-pressed': String(id === this.tab) }, (event) => {
        this.tab = id;
        for (const b of this.tabs.children) b.setAttribute('aria-pressed', String(b === event.currentTarget));
        this.show(this.world);
      }));
    }
    const view = this.diagram.view;
    const again = () => this.diagram.prepare();
    const used = new Set();
    for (const world of page.executions) for (let i = 0; i < world.messages.length; i += 6) used.add(atoms.relation[world.messages[i]]);
    const relations = [...used].sort((a, b) => a - b).map((r) => choice(page.relations[r].name, !view.hidden.has(r), (on) => {
      if (on) view.hidden.delete(r);
      else view.hidden.add(r);
      again();
    }));
    const more = el('details', { class: 'options' }, el('summary', {}, 'What is drawn'), el('div', { class: 'menu' },
      page.lineages && choice('messages that change nothing here', !view.matters, (on) => { view.matters = !on; again(); }),
      choice('rounds like the one before', view.all, (on) => { view.all = on; again(); }),
      choice('messages of a process to itself', view.own, (on) => { view.own = on; again(); }),
      relations.length > 1 && el('fieldset', {}, el('legend', {}, 'messages of'), relations)));
    return el('div', { class: 'tools' }, this.picker(), this.tabs, more);
  }

  // picker chooses one of the fault sets that have a diagram.
  picker() {
    const drawn = page.sets.map((s, i) => [s, i]).filter(([s]) => s.execution >= 0);
    if (drawn.length < 2) return null;
    const select = el('select', { change: () => { this.show(page.executions[page.sets[select.value].execution]); this.go(this.firstBad()); } },
      drawn.map(([s, i]) => el('option', { value: i }, `${i + 1}. ${s.schedule}`)));
    return el('label', { class: 'picker' }, 'Fault set ', select);
  }

  // stepper goes through the rounds.
  stepper() {
    this.slider = el('input', { type: 'range', min: 1, max: page.eot, value: 1, id: 'round', 'aria-label': 'Round', input: () => this.go(Number(this.slider.value)) });
    this.title = el('output', { for: 'round', class: 'at' });
    this.here = el('span', { class: 'faint' });
    return el('div', { class: 'stepper' },
      button('‹', { 'aria-label': 'The round before' }, () => this.go(this.round - 1)), this.slider,
      button('›', { 'aria-label': 'The next round' }, () => this.go(this.round + 1)), this.title, this.here);
  }

  // go shows a round.
  go(round) {
    this.round = Math.max(1, Math.min(page.eot, round));
    this.slider.value = this.round;
    this.slider.setAttribute('aria-valuetext', roundName(this.round));
    this.title.textContent = roundName(this.round);
    this.here.textContent = this.world.faults.length && this.round === this.firstBad() ? 'the first fault' : this.world.notes.some((n) => n.round === this.round) ? 'something is broken here' : '';
    this.diagram.select(this.round);
    this.state();
  }

  // state shows the facts of the round at each process, compared with the execution
  // without faults, and its messages.
  state() {
    const here = factsAt(this.world, this.round);
    const plain = this.plain && this.plain !== this.world ? factsAt(this.plain, this.round) : here;
    const before = this.round > 1 ? factsAt(this.world, this.round - 1) : new Set();
    const lists = [...page.names, ''].map(() => []);
    const wanted = (atom) => (this.everything || !(relationOf(atom).beside || relationOf(atom).name === 'crash')) && atoms.text[atom].includes(this.filter);
    const add = (atom, kind) => { if (wanted(atom)) lists[atoms.process[atom] >= 0 ? atoms.process[atom] : page.names.length].push({ atom, kind }); };
    for (const atom of here) add(atom, plain.has(atom) ? (before.has(atom) || this.round === 1 ? '' : 'new') : 'extra');
    for (const atom of plain) if (!here.has(atom)) add(atom, 'missing');
    const place = { extra: 0, missing: 1, new: 2, '': 3 };
    for (const list of lists) list.sort((a, b) => place[a.kind] - place[b.kind] || (atoms.text[a.atom] < atoms.text[b.atom] ? -1 : 1));
    const fact = ({ atom, kind }) => [el('span', { class: `fact ${kind}` }, atoms.text[atom]), signs[kind] && el('span', { class: 'sign' }, ` ${signs[kind]}`)];
    const columns = lists.map((list, p) => (p === page.names.length && !list.length ? null : el('div', { class: 'process' },
      el('h4', {}, p < page.names.length ? page.names[p] : 'anywhere', el('span', { class: 'condition' }, this.condition(p))),
      list.length ? longList(list, fact, `Facts at ${page.names[p] || 'no process'} in round ${this.round}`) : el('p', { class: 'faint' }, 'no facts'))));
    this.states.replaceChildren(el('div', { class: 'statebar' }, el('h3', {}, `State in round ${this.round}`), this.search(),
      choice('all relations', this.everything, (on) => { this.everything = on; this.state(); })), el('div', { class: 'columns' }, columns), this.messages());
  }

  // search keeps its place and what is written in it.
  search() {
    this.input ||= el('input', { type: 'search', placeholder: 'filter facts', 'aria-label': 'Filter facts', input: () => { this.filter = this.input.value; this.state(); this.input.focus(); } });
    return this.input;
  }

  condition(process) {
    if (process >= page.names.length) return '';
    if (stopped(this.world, process, this.round, true)) return ' has crashed';
    const lasts = lasting(this.world, process, this.round);
    return lasts ? ` ${conditionOf(lasts, process)}` : '';
  }

  messages() {
    const all = this.world.byRound(this.round).filter((m) => shows(m, this.diagram.view));
    const plain = this.plain && this.plain !== this.world ? arrived(this.plain, false) : null;
    const line = (m) => [el('span', { class: m.lost ? 'fact missing' : 'fact' }, atoms.text[m.atom]), ` ${nameOf(m.from)} → ${nameOf(m.to)} `,
      el('span', { class: m.lost ? 'bad' : 'faint' }, fate(this.world, m)), plain && !m.lost && !plain.has(keyOf(m)) && el('span', { class: 'sign' }, ' sent only with the faults')];
    return el('div', { class: 'messages' }, el('h3', {}, `Messages of round ${this.round}`), all.length ? longList(all, line, `Messages of round ${this.round}`) : el('p', { class: 'faint' }, 'none'));
  }

  // say writes the diagram in words, once they are asked for.
  say() {
    if (!this.words.open || this.said === this.world) return;
    this.said = this.world;
    const items = inWords(this.world, this.diagram.view);
    const line = (item) => [el('span', { class: 'faint' }, `${item.round} `), el('span', { class: item.bad ? 'bad' : '' }, item.text)];
    this.words.replaceChildren(this.words.firstChild, items.length ? longList(items, line, 'What happens, round by round') : el('p', {}, 'Nothing is sent, and there are no faults.'));
  }
}

// signs say in words what the colours say.
const signs = { missing: 'missing here', extra: 'only here', new: 'new', '': '' };
