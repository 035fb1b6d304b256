// A list of any length, of which only what can be seen is there. Its lines have one height.

const LINE = 24;
const WINDOW = 60; // lines that are made at once

// longList shows items, each made by a function. Short ones are simply there.
function longList(items, make, label, most = 14) {
  if (items.length <= WINDOW) return el('ul', { class: 'list', 'aria-label': label }, items.map((item) => el('li', {}, make(item))));
  const rows = el('ul', { class: 'list window', 'aria-label': label });
  const room = el('div', { class: 'room' }, rows);
  room.style.height = `${items.length * LINE}px`;
  const box = el('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': `${label}, ${count(items.length, 'line')}` }, room);
  box.style.height = `${most * LINE}px`;
  let first = -1;
  const show = () => {
    const next = Math.max(0, Math.min(Math.floor(box.scrollTop / LINE) - 20, items.length - WINDOW));
    if (next === first) return;
    first = next;
    rows.style.transform = `translateY(${first * LINE}px)`;
    rows.replaceChildren(...items.slice(first, first + WINDOW).map((item, i) => el('li', { 'aria-setsize': items.length, 'aria-posinset': first + i + 1 }, make(item))));
  };
  box.addEventListener('scroll', show, { passive: true });
  show();
  return box;
}
