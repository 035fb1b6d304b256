// The fault sets: each has a diagram of its own, drawn when it is opened.

const drawSets = []; // draw those of all
for (const [i, item] of [...document.querySelectorAll('#sets > ol > li')].entries()) {
  const set = page.sets[i];
  const details = item.querySelector('details');
  const drawing = item.querySelector('pre');
  if (!set || set.execution < 0 || !drawing) continue;
  const draws = () => {
    if (!details.open || details.querySelector('.spacetime')) return;
    const diagram = new SpaceTime([], () => {}, `Space-time diagram of fault set ${i + 1}`);
    const world = page.executions[set.execution];
    drawing.before(diagram.element);
    details.append(el('details', { class: 'words' }, el('summary', {}, 'The diagram as text'), drawing));
    diagram.show([{ world, title: '', kind: 'bad', other: page.plain >= 0 ? page.executions[page.plain] : null, sentToo: true }]);
  };
  details.addEventListener('toggle', draws);
  drawSets.push(draws);
}
