import { isDataScript, loadData } from './data-scripts.ts';
import { all } from './elements.ts';

/** Makes entries of the table of contents open and close. Their children are loaded when an entry is first opened. */
export function setUpNavigation(): void {
  for (const button of all<HTMLButtonElement>('[data-toggle]')) setUpToggle(button);
  const sidebar = document.getElementById('~sidebar');
  const menu = document.querySelector<HTMLDetailsElement>('details.menu');
  // Moves the focus into the menu, because the menu comes after the header in the document.
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
    // The HTML is safe: the server created it, like the page itself.
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
    // In the data of a static copy, links start with `~root/`, which stands for the root of the copy.
    const root = new URL('../', new URL(address, location.href));
    return text.replace(/(\s(?:href|data-more)=")~root\//g, (_, start: string) => start + root.href);
  }
  const answer = await fetch(address);
  return answer.ok ? answer.text() : undefined;
}

/** Closes a menu if something else is clicked or focused, and with Escape. */
function closeMenus(): void {
  const menus = all<HTMLDetailsElement>('details[data-menu]');
  const closing = [...menus, ...all<HTMLDetailsElement>('details.menu')];
  for (const name of ['click', 'focusin'])
    document.addEventListener(name, ({ target }) => {
      if (!(target instanceof Element)) return;
      for (const menu of menus) if (!menu.contains(target)) menu.open = false;
      // The menu of small screens covers the page, so the focus would be invisible.
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
