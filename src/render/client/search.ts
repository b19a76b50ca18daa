import { markedParts } from '../marked-parts.ts';
import { loadData } from './data-scripts.ts';
import { all, make, wordOf } from './elements.ts';

export interface Found {
  readonly title: string;
  readonly section?: string;
  readonly excerpt?: string;
  /** See `markedParts`. */
  readonly marks: readonly number[];
  readonly place?: string;
  readonly href: string;
}

declare global {
  // oxlint-disable-next-line no-var -- a property of the global object
  var docsctlFinder: ((query: string, from?: string) => Promise<readonly Found[]>) | undefined;
}

/** Returns the path of the space from which a form searches. */
function originOf(form: HTMLFormElement | null): string | undefined {
  return form?.querySelector<HTMLInputElement>('input[name=space]')?.value;
}

/** Searches with the script of a static copy, or else on the server. Returns undefined without an answer. */
async function find(field: HTMLInputElement, query: string): Promise<readonly Found[] | undefined> {
  const { finder, search = '' } = field.dataset;
  const from = originOf(field.form);
  if (finder !== undefined) {
    await loadData(finder);
    return globalThis.docsctlFinder?.(query, from);
  }
  const url = new URL(search, location.href);
  url.searchParams.set('q', query);
  if (from !== undefined) url.searchParams.set('space', from);
  const answer = await fetch(url, { headers: { accept: 'application/json' } });
  return answer.ok ? ((await answer.json()) as { readonly items: readonly Found[] }).items : undefined;
}

/** Shows results below the field while a reader types. Enter without a selection opens the results page. */
export function setUpSearch(): void {
  const field = document.querySelector<HTMLInputElement>('input[data-search]');
  const form = field?.form;
  if (field === null || form === null || form === undefined) return;
  const list = make('ul', { class: 'found', id: '~found', role: 'listbox', 'aria-label': wordOf('search') });
  const status = make('p', { class: 'visually-hidden', role: 'status' });
  list.hidden = true;
  form.append(list, status);
  const hint = form.querySelector<HTMLElement>('.search-key');
  if (hint !== null) hint.hidden = false;
  for (const [name, value] of Object.entries({
    role: 'combobox',
    'aria-expanded': 'false',
    'aria-controls': '~found',
    'aria-autocomplete': 'list',
  }))
    field.setAttribute(name, value);
  const none = -1;
  let chosen = none;
  let asked = 0;
  /** The query of the results in the list. */
  let answered = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const options = (): HTMLAnchorElement[] => all<HTMLAnchorElement>('a', list);
  const open = (isOpen: boolean): void => {
    list.hidden = !isOpen;
    field.setAttribute('aria-expanded', String(isOpen));
  };
  const choose = (index: number): void => {
    const found = options();
    chosen = found.length === 0 || index === none ? none : (index + found.length) % found.length;
    for (const [at, option] of found.entries()) option.setAttribute('aria-selected', String(at === chosen));
    const option = found[chosen];
    if (option === undefined) field.removeAttribute('aria-activedescendant');
    else {
      field.setAttribute('aria-activedescendant', option.id);
      option.scrollIntoView({ block: 'nearest' });
    }
  };
  /** Closes the list. Pending queries do not open it again. */
  const close = (): void => {
    clearTimeout(timer);
    asked++;
    choose(none);
    open(false);
  };
  const ask = async (): Promise<void> => {
    const query = field.value.trim();
    const number = ++asked;
    if (query === '') return close();
    const items = await find(field, query).catch(() => undefined);
    if (items === undefined || number !== asked) return;
    answered = query;
    // The reader may have selected a result for the first letters of the word.
    const kept = options()[chosen]?.href;
    list.replaceChildren(
      ...items.map(optionOf),
      ...(items.length === 0
        ? [make('li', { class: 'found-none', role: 'option', 'aria-disabled': 'true' }, wordOf('noResults'))]
        : []),
    );
    status.textContent =
      items.length === 0 ? wordOf('noResults') : wordOf('results').replace('{count}', String(items.length));
    if (kept === undefined) choose(none);
    else
      choose(
        Math.max(
          0,
          options().findIndex(({ href }) => href === kept),
        ),
      );
    open(true);
  };
  field.addEventListener('input', () => {
    clearTimeout(timer);
    // A selection is valid only if the field still starts with the query of the results.
    if (!field.value.trim().startsWith(answered)) choose(none);
    timer = setTimeout(() => void ask(), 120);
  });
  field.addEventListener('keydown', (event) => {
    if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && !list.hidden) {
      event.preventDefault();
      choose(event.key === 'ArrowDown' ? chosen + 1 : (chosen > 0 ? chosen : options().length) - 1);
    } else if (event.key === 'Enter' && chosen >= 0 && !list.hidden) {
      event.preventDefault();
      options()[chosen]?.click();
    } else if (event.key === 'Escape') close();
  });
  document.addEventListener('click', (event) => {
    if (event.target instanceof Node && !form.contains(event.target)) close();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping =
      event.target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if ((event.key === 'k' && (event.metaKey || event.ctrlKey)) || (event.key === '/' && !isTyping)) {
      event.preventDefault();
      field.focus();
      field.select();
    }
  });
}

/** Creates the excerpt of a result. */
export function excerptOf({ excerpt = '', marks }: Pick<Found, 'excerpt' | 'marks'>): (Node | string)[] {
  return markedParts(excerpt, marks).map(({ text, isMarked }) => (isMarked ? make('mark', {}, text) : text));
}

function optionOf({ title, section, excerpt, marks, place, href }: Found, index: number): HTMLLIElement {
  // The link itself is the option, because an option must not contain another control.
  const link = make('a', {
    href,
    tabindex: '-1',
    role: 'option',
    id: `~found-${index}`,
    'aria-selected': 'false',
  });
  if (place !== undefined && place !== '') link.append(make('span', { class: 'found-place' }, place));
  link.append(
    make(
      'span',
      { class: 'found-title' },
      section === undefined || section === '' ? title : `${title} › ${section}`,
    ),
  );
  if (excerpt !== undefined && excerpt !== '')
    link.append(make('span', { class: 'found-excerpt' }, ...excerptOf({ excerpt, marks })));
  return make('li', { role: 'presentation' }, link);
}
