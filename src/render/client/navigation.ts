import { all } from './elements.ts';

/** Lets entries of the table of contents open and close; what is under one is loaded when it is opened first. */
export function setUpNavigation(): void {
  for (const button of all<HTMLButtonElement>('[data-toggle]')) setUpToggle(button);
  const menu = document.querySelector<HTMLButtonElement>('[data-menu-toggle]');
  const sidebar = document.getElementById('sidebar');
  if (menu !== null && sidebar !== null) {
    const adapt = (): void => {
      menu.hidden = innerWidth >= 860;
    };
    addEventListener('resize', adapt);
    adapt();
    menu.addEventListener('click', () => {
      menu.setAttribute('aria-expanded', String(sidebar.classList.toggle('shown')));
      if (sidebar.classList.contains('shown')) sidebar.scrollIntoView({ block: 'start' });
    });
  }
  const current = sidebar?.querySelector<HTMLElement>('[aria-current=page]');
  if (sidebar !== null && current !== null && current !== undefined)
    sidebar.scrollTop = Math.max(0, current.offsetTop - sidebar.clientHeight / 2);
  closeMenus();
}

function setUpToggle(button: HTMLButtonElement): void {
  button.hidden = false;
  button.addEventListener('click', () => void toggle(button));
}

async function toggle(button: HTMLButtonElement): Promise<void> {
  const item = button.closest('li');
  if (item === null) return;
  const { more } = button.dataset;
  if (more !== undefined && item.querySelector(':scope > ul') === null) {
    const answer = await fetch(more);
    if (!answer.ok) return;
    // The answer is made by the server like the page itself.
    const part = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('ul');
    if (part === null || item.querySelector(':scope > ul') !== null) return;
    item.append(part);
    for (const inner of all<HTMLButtonElement>('[data-toggle]', part)) setUpToggle(inner);
  }
  button.setAttribute('aria-expanded', String(item.classList.toggle('open')));
}

/** Closes a menu when something else is clicked, and with Escape. */
function closeMenus(): void {
  const menus = all<HTMLDetailsElement>('details[data-menu]');
  document.addEventListener('click', (event) => {
    for (const menu of menus)
      if (event.target instanceof Node && !menu.contains(event.target)) menu.open = false;
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    for (const menu of menus) {
      if (!menu.open) continue;
      menu.open = false;
      menu.querySelector('summary')?.focus();
    }
  });
}
