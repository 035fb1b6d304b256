// A button that copies a command.
function copyButton(code) {
  const copy = button('Copy', { 'aria-label': 'Copy the command' }, async () => {
    let done = true;
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch {
      getSelection().selectAllChildren(code);
      done = document.execCommand('copy');
    }
    copy.textContent = done ? 'Copied' : 'Press Ctrl+C';
    setTimeout(() => { copy.textContent = 'Copy'; }, 2000);
  });
  return copy;
}

// copyButtons gives the commands of the page their buttons.
function copyButtons() {
  for (const place of document.querySelectorAll('.command')) place.append(copyButton(place.querySelector('code')));
}
