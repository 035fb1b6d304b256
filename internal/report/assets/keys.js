// What keys do, on the key ? and at the end of the page.

const keyHelp = [
  ['?', 'this help'],
  ['Tab', 'goes to the next button, list or drawing'],
  ['← →', 'on the slider: the round before, the next round'],
  ['← → ↑ ↓', 'among the faults: another cell'],
  ['Space', 'in a cell: switch the fault'],
  ['← → ↑ ↓', 'in the graph: another node; with Shift, move the graph'],
  ['+ − 0', 'in the graph: larger, smaller, all of it'],
];

// helpWithKeys puts the help before the end of the page.
function helpWithKeys() {
  const help = el('details', { class: 'keys' }, el('summary', {}, 'Keys'), el('table', {}, el('tbody', {}, keyHelp.map(([key, does]) => el('tr', {}, el('th', { scope: 'row' }, key), el('td', {}, does))))));
  document.querySelector('footer').prepend(help);
  addEventListener('keydown', (event) => {
    if (event.key !== '?' || event.target.matches('input[type=search], select')) return;
    event.preventDefault();
    help.open = true;
    help.firstChild.focus();
    help.scrollIntoView({ block: 'center' });
  });
}
