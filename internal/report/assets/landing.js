// A report about several cases shows the list of them, or the one that the address names:
// #case-3. The rest of the scripts sees that one page.

const landing = document.getElementById('landing');
const opened = landing && /^#case-\d+$/.test(location.hash) ? document.getElementById(location.hash.slice(1)) : null;
if (landing) {
  addEventListener('hashchange', () => { if (/^(#|#case-\d+)?$/.test(location.hash)) location.reload(); });
}
if (opened) {
  document.getElementById(opened.id.replace('case', 'data')).id = 'data';
  landing.replaceWith(opened.content);
  document.querySelector('.skip').after(document.querySelector('nav')); // what skips comes first
  document.title = `${document.querySelector('h1').textContent} · ldfi`;
  for (const skip of document.querySelectorAll('.skip')) {
    skip.addEventListener('click', (event) => { // the address stays that of the case
      event.preventDefault();
      document.querySelector(skip.getAttribute('href')).focus();
    });
  }
  scrollTo(0, 0);
} else if (landing) {
  landing.querySelector('#printed details').open = false;
  copyButtons();
  return;
}
