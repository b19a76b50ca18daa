/** Opens the page of a folder, as a server would, where a site is read from a disk. */
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
