// What stands above the diagrams speaks of one fault set: of the one that was picked, and it
// says so where something else is drawn.

// setOf is the number of the fault set under which an execution took place, -1 if none was
// found.
function setOf(world) {
  return page.sets.findIndex((s) => page.executions[s.execution] === world || (world.schedule !== '' && s.schedule === world.schedule));
}

// asking is a command of the page with what it asks about, under a schedule; '' if there is
// no such command.
function asking(command, schedule, ...words) {
  if (!command) return '';
  return [command, ...words.map(quoted), ...(schedule ? ['--faults', quoted(schedule)] : [])].join(' ');
}

// command shows a command with a button that copies it; nothing if there is none.
function command(text) {
  if (!text) return null;
  const code = el('code', {}, text);
  return el('p', { class: 'command' }, code, copyButton(code));
}

// drawnNow names what is drawn.
const drawnNow = (world) => (world.schedule ? world.schedule : 'no faults');

// followSummary keeps the section with the reason to the fault set that is drawn.
function followSummary(section, happened) {
  const first = [...section.children];
  const about = el('p', { class: 'of', role: 'status' });
  section.prepend(about);
  let set = 0;
  happened.watch((world) => {
    const drawn = setOf(world);
    if (drawn >= 0 && drawn !== set) {
      for (const card of [...section.children].slice(1)) card.remove();
      section.append(...(drawn === 0 ? first : cardsOf(page.sets[drawn])));
      set = drawn;
    }
    const back = page.sets[set].execution;
    about.hidden = page.sets.length < 2 && drawn === set;
    about.replaceChildren(page.sets.length > 1 ? `Fault set ${set + 1} of ${page.sets.length}: ` : 'Of the fault set ', el('code', {}, page.sets[set].schedule), '.',
      ...(drawn === set ? [] : [' Below, other faults are tried: ', el('code', {}, drawnNow(world)), '. ',
        back >= 0 ? button('Back to the fault set', {}, () => happened.show(page.executions[back])) : '']));
  });
}

// cardsOf has what there is to say of a fault set.
function cardsOf(set) {
  const because = set.because && set.because.length ? set.because : (page.executions[set.execution] || { notes: [] }).notes.map((n) => `${n.text}, round ${n.round}`);
  return [
    el('div', { class: 'card' }, el('h2', {}, set.because && set.because.length ? 'Why' : 'What is broken'), el('ul', { class: 'because' }, because.map((line) => el('li', {}, line)))),
    el('div', { class: 'card' }, el('h2', {}, 'Faults'), el('ul', { class: 'faults' }, set.schedule.split('; ').map((f) => el('li', {}, f))), el('p', { class: 'about' }, set.about),
      set.replay && el('h2', {}, 'Replay'), command(set.replay), (set.why || set.diff) && el('h2', {}, 'Explain in a terminal'), command(set.why), command(set.diff)),
  ];
}
