import { loadData } from '../../render/client/data-scripts.ts';
import { make } from '../../render/client/elements.ts';
import { excerptOf, type Found } from '../../render/client/search.ts';
import { Finder } from '../finder.ts';

const script =
  document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : location.href;
const root = new URL('../', script);
const finder = new Finder((file) => loadData(new URL(`~search/${file}`, root).href));
const ending = location.protocol === 'file:' ? 'index.html' : '';

/** Searches the site. The search field of every page calls this. */
globalThis.docsctlFinder = async (query, from): Promise<readonly Found[]> =>
  (await finder.find(query, from)).map(({ address, ...found }) => {
    const url = new URL(address, root);
    if (url.pathname.endsWith('/')) url.pathname += ending;
    return { ...found, href: url.href };
  });

async function showResults(): Promise<void> {
  const field = document.querySelector<HTMLInputElement>('.notice input[name=q]');
  const { searchParams } = new URL(location.href);
  const query = searchParams.get('q') ?? '';
  const from = searchParams.get('space') ?? undefined;
  if (field === null || query === '') return;
  field.value = query;
  const found = (await globalThis.docsctlFinder?.(query, from)) ?? [];
  const items = found.map(({ title, section, place = '', excerpt, marks, href }) =>
    make(
      'li',
      {},
      ...(place === '' ? [] : [make('span', { class: 'found-place' }, place)]),
      make('a', { href }, section === undefined ? title : `${title} › ${section}`),
      make('p', {}, ...excerptOf({ excerpt, marks })),
    ),
  );
  const nothing = document.body.dataset['noResults'] ?? '';
  field.form?.after(items.length === 0 ? make('p', {}, nothing) : make('ul', { class: 'results' }, ...items));
}

if (document.readyState === 'loading')
  document.addEventListener('DOMContentLoaded', () => void showResults());
else void showResults();
