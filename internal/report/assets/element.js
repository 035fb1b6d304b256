// Elements. All text from the data gets into the document as text: nothing here reads
// HTML, and names of elements and attributes are those of the scripts.

const SVG = 'http://www.w3.org/2000/svg';

// fill gives an element its attributes and children. Children are elements and texts;
// functions are listeners.
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === 'function') element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const draw = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

// button is one that does something when it is pressed.
const button = (text, attributes, pressed) => el('button', { type: 'button', ...attributes, click: pressed }, text);

// choice is a labelled checkbox.
function choice(text, checked, changed, attributes) {
  const input = el('input', { type: 'checkbox', ...attributes, change: () => changed(input.checked) });
  input.checked = checked;
  return el('label', { class: 'choice' }, input, el('span', {}, text));
}

const canvas = document.createElement('canvas').getContext('2d');

// widthOf measures a text in a font.
function widthOf(text, font) {
  canvas.font = font;
  return canvas.measureText(text).width;
}

// shorten cuts a text to so many characters.
function shorten(text, most) {
  const all = Array.from(text);
  return all.length <= most ? text : all.slice(0, Math.max(most - 1, 1)).join('') + '…';
}

const count = (n, what) => `${n.toLocaleString('en')} ${what}${n === 1 ? '' : 's'}`;
