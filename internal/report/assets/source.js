// The program: what names a line of it leads there.

// placeOf is a file and line as a link into the program, or as text where it is not there.
function placeOf(place) {
  const colon = place.lastIndexOf(':');
  const sources = page.sources || [];
  const name = place.slice(0, colon);
  const i = sources.findIndex((s) => s.name === name);
  const id = `line-${i}-${place.slice(colon + 1)}`;
  if (i < 0 || sources.filter((s) => s.name === name).length > 1 || !document.getElementById(id)) return place;
  return el('a', { class: 'line', href: `#${id}` }, place);
}

// A click opens what the line is folded into. The address stays: it may name a case.
document.addEventListener('click', (event) => {
  const link = event.target.closest && event.target.closest('a.line');
  const line = link && document.getElementById(link.getAttribute('href').slice(1));
  if (!line) return;
  event.preventDefault();
  line.closest('details').open = true;
  for (const other of document.querySelectorAll('.source .at')) other.classList.remove('at');
  line.classList.add('at');
  line.tabIndex = -1;
  line.focus({ preventScroll: true });
  line.scrollIntoView({ block: 'center' });
});
