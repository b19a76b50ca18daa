/** Makes links to folders open their index page if the site is read from a disk, as a server would do. */
export function setUpLocalFiles(): void {
  if (location.protocol !== 'file:') return;
  const complete = (event: Event): void => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link?.protocol === 'file:' && link.pathname.endsWith('/')) link.pathname += 'index.html';
  };
  for (const name of ['click', 'auxclick']) document.addEventListener(name, complete, true);
  document.addEventListener(
    'submit',
    ({ target }) => {
      if (target instanceof HTMLFormElement && target.action.endsWith('/')) target.action += 'index.html';
    },
    true,
  );
}
