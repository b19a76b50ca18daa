import { isDataScript, loadData } from './data-scripts.ts';
import { all } from './elements.ts';

/** Lets entries of the table of contents open and close; what is under one is loaded when it is opened first. */
export function setUpNavigation(): void {
  for (const button of all<HTMLButtonElement>('[data-toggle]')) setUpToggle(button);
  const sidebar = document.getElementById('~sidebar');
  const menu = document.querySelector<HTMLDetailsElement>('details.menu');
  // Keeps the focus in reach: the menu stands behind the header.
  menu?.addEventListener('toggle', () => {
    if (menu.open)
      (
        sidebar?.querySelector<HTMLElement>('[aria-current=page]') ??
        sidebar?.querySelector<HTMLElement>('a, summary')
      )?.focus();
  });
  const current = sidebar?.querySelector<HTMLElement>('[aria-current=page]');
  if (sidebar !== null && current !== null && current !== undefined)
    sidebar.scrollTop = Math.max(0, current.offsetTop - sidebar.clientHeight / 2);
  const tab = document.querySelector('.sections > ul > li > [aria-current], .sections summary.current');
  const tabs = tab?.closest('.sections > ul');
  if (tab && tabs) {
    const [inner, outer] = [tab.getBoundingClientRect(), tabs.getBoundingClientRect()];
    tabs.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2;
  }
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
    const text = await loadBranch(more);
    if (text === undefined) return;
    // The answer is made by the server like the page itself.
    const part = new DOMParser().parseFromString(text, 'text/html').querySelector('ul');
    if (part === null || item.querySelector(':scope > ul') !== null) return;
    item.append(part);
    for (const inner of all<HTMLButtonElement>('[data-toggle]', part)) setUpToggle(inner);
  }
  button.setAttribute('aria-expanded', String(item.classList.toggle('open')));
}

async function loadBranch(address: string): Promise<string | undefined> {
  if (isDataScript(address)) {
    const text = await loadData(address);
    if (typeof text !== 'string') return undefined;
    // Its links start where the page is; those of a copy start at its root.
    const root = new URL('../', new URL(address, location.href));
    return text.replace(/(\s(?:href|data-more)=")~root\//g, (_, start: string) => start + root.href);
  }
  const answer = await fetch(address);
  return answer.ok ? answer.text() : undefined;
}

/** Closes a menu when something else is clicked or has the focus, and with Escape. */
function closeMenus(): void {
  const menus = all<HTMLDetailsElement>('details[data-menu]');
  const closing = [...menus, ...all<HTMLDetailsElement>('details.menu')];
  for (const name of ['click', 'focusin'])
    document.addEventListener(name, ({ target }) => {
      if (!(target instanceof Element)) return;
      for (const menu of menus) if (!menu.contains(target)) menu.open = false;
      // The menu of small screens covers the page: nobody would see where the focus is.
      if (target.closest('.layout > :not(.sidebar), .site-footer') === null) return;
      for (const menu of all<HTMLDetailsElement>('details.menu')) menu.open = false;
    });
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    for (const menu of closing) {
      if (!menu.open) continue;
      menu.open = false;
      menu.querySelector('summary')?.focus();
    }
  });
}
