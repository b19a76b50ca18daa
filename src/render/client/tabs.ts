import { anchorKey } from '../../richtext/anchor-key.ts';
import { all, decode, make } from './elements.ts';

/**
 * Turns sections with titles into tabs. Selecting a tab also selects the tabs with the same title on the page, and on later
 * visits.
 */
export function setUpTabs(): void {
  const groups = all('.tabs').map(makeTabs);
  const choose = (title: string): void => {
    for (const group of groups) group.choose(title);
  };
  for (const group of groups) group.onChoose = choose;
  const kept = read();
  if (kept !== undefined) choose(kept);
  const reveal = (): void => {
    const anchor = decode(location.hash.slice(1));
    if (anchor === '') return;
    const own = document.getElementById(anchor);
    const target = own ?? findSimilar(anchor);
    const tab = target?.closest<HTMLElement>('.tab') ?? undefined;
    if (tab !== undefined) for (const group of groups) group.show(tab);
    const folded = target?.closest('details');
    if (folded) folded.open = true;
    // The browser itself scrolls to an element that has the anchor and is visible.
    if (own === null || tab !== undefined) target?.scrollIntoView();
  };
  addEventListener('hashchange', reveal);
  reveal();
}

/** Finds the part of a page for an anchor in the spelling of another tool. */
function findSimilar(anchor: string): HTMLElement | undefined {
  const key = anchorKey(anchor);
  return all('main [id]').find(({ id }) => anchorKey(id) === key);
}

interface TabGroup {
  choose: (title: string) => void;
  show: (tab: HTMLElement) => void;
  onChoose: (title: string) => void;
}

function makeTabs(root: HTMLElement): TabGroup {
  const panels = all('.tab', root).filter((panel) => panel.parentElement === root);
  const list = make('div', { class: 'tab-list', role: 'tablist' });
  const group: TabGroup = { choose: () => undefined, show: () => undefined, onChoose: () => undefined };
  const buttons = panels.map((panel, index) => {
    const button = make('button', {
      type: 'button',
      role: 'tab',
      'aria-controls': panel.id,
      id: `${panel.id}-tab`,
    });
    const title = panel.querySelector('.tab-title');
    if (title !== null) button.append(...title.cloneNode(true).childNodes);
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', button.id);
    panel.tabIndex = 0;
    button.addEventListener('click', () => {
      group.show(panel);
      keep(panel.dataset['tab'] ?? '');
      group.onChoose(panel.dataset['tab'] ?? '');
    });
    button.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1, Home: -index, End: panels.length - 1 - index }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      const isReversed = document.dir === 'rtl' && event.key.startsWith('Arrow');
      const next = buttons[(index + (isReversed ? -step : step) + panels.length) % panels.length];
      next?.focus();
      next?.click();
    });
    return button;
  });
  group.show = (tab) => {
    if (!panels.includes(tab)) return;
    for (const [index, panel] of panels.entries()) {
      const isShown = panel === tab;
      panel.hidden = !isShown;
      buttons[index]?.setAttribute('aria-selected', String(isShown));
      if (buttons[index] !== undefined) buttons[index].tabIndex = isShown ? 0 : -1;
    }
  };
  group.choose = (title) => {
    const panel = panels.find((each) => each.dataset['tab'] === title);
    if (panel !== undefined) group.show(panel);
  };
  list.append(...buttons);
  root.prepend(list);
  root.classList.add('tabs-ready');
  const [first] = panels;
  if (first !== undefined) group.show(first);
  return group;
}

function read(): string | undefined {
  try {
    return localStorage.getItem('tab') ?? undefined;
  } catch {
    return undefined;
  }
}

function keep(title: string): void {
  try {
    localStorage.setItem('tab', title);
  } catch {
    // Without storage, the choice is lost.
  }
}
