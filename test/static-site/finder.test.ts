import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { Finder, type FoundPage, type IndexedPage } from '../../src/static-site/finder.ts';
import { SearchIndexBuilder } from '../../src/static-site/search-index.ts';

/** Indexes pages, and returns a search in them with the files that it loaded. */
function search(pages: readonly { readonly title: string; readonly text: string }[]) {
  const files = new Map<string, string>();
  const builder = new SearchIndexBuilder(({ file, text }) => files.set(file.replace('~search/', ''), text));
  for (const { title, text } of pages)
    builder.add({
      title,
      place: 'Guide',
      address: `${title.toLowerCase()}/`,
      markdown: `# ${title}\n\n${text}`,
    });
  builder.end();
  const loaded: string[] = [];
  const finder = new Finder(async (file) => {
    loaded.push(file);
    const text = files.get(file);
    let value: unknown;
    // The files are scripts that call a function.
    if (text !== undefined) runInNewContext(text, { docsctlData: (given: unknown) => (value = given) });
    return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
  });
  return { files, loaded, find: (query: string): Promise<FoundPage[]> => finder.find(query) };
}

const titles = (found: readonly FoundPage[]): string[] => found.map(({ title }) => title);

describe('the search of a built site', () => {
  const { find } = search([
    {
      title: 'Install',
      text: '## On Linux\n\nConfigure the parseSource function.\n\n## On Windows\n\nRun setup.',
    },
    { title: 'Vacuum', text: 'Cleans tables.' },
    { title: 'Tables', text: 'A vacuum of tables: vacuum, vacuum, vacuum, vacuum.' },
    { title: '検索', text: '検索エンジンの設定です。' },
    { title: 'Résumé', text: 'Ein Überblick über Größen.' },
    { title: 'Odd', text: 'constructor __proto__ </script> \u2028 end' },
  ]);

  it('finds words, with matches in titles first', async () => {
    expect(titles(await find('vacuum'))).toEqual(['Vacuum', 'Tables']);
    expect(titles(await find('vacuuming TABLE'))).toEqual(['Tables', 'Vacuum']);
  });

  it('leaves the link to a specification out of the texts of its operations', async () => {
    const tag = '{% openapi-operation spec="pets" path="/pets/{id}" method="get" %}';
    const text = `${tag}\n[OpenAPI pets](../pets.yaml)\n\nReturns a pet.\n{% endopenapi-operation %}`;
    const { find: findPets } = search([{ title: 'Pets', text }]);
    expect((await findPets('pets')).map(({ excerpt }) => excerpt)).toEqual(['Returns a pet.']);
    expect(await findPets('openapi')).toEqual([]);
  });

  it('finds pages with a similar word if a word is mistyped', async () => {
    expect(titles(await find('vacum'))).toEqual(['Vacuum', 'Tables']);
    expect(titles(await find('instal tabels'))).toEqual(['Tables', 'Install', 'Vacuum']);
    expect(titles(await find('zzzzzz'))).toEqual([]);
  });

  it('returns the positions of the words in the excerpt', async () => {
    const [found] = await find('tables vacuum');
    expect([found?.excerpt, found?.marks.slice(0, 4)]).toEqual([
      'A vacuum of tables: vacuum, vacuum, vacuum, vacuum.',
      [2, 8, 12, 18],
    ]);
  });

  it('returns the section that contains the words', async () => {
    expect(await find('windows')).toEqual([
      {
        title: 'Install',
        section: 'On Windows',
        excerpt: 'Run setup.',
        marks: [],
        place: 'Guide',
        address: 'install/#on-windows',
      },
    ]);
  });

  it('shows emojis for their names, and does not show the title of the page as a section', async () => {
    const blocks: IndexedPage[][] = [];
    const index = new SearchIndexBuilder(({ file, text }) => {
      if (file.includes('/text-')) blocks.push(JSON.parse(/\((.*)\)/s.exec(text)?.[1] ?? ''));
    });
    const markdown = '# Start :rocket:\n\nGo :tada:\n\n## More :tada:\n\nText';
    index.add({ title: 'Start 🚀', place: '', address: 'start/', markdown });
    index.end();
    expect(blocks[0]?.[0]?.[3]).toEqual([
      ['Start 🚀', '', 'Go 🎉'],
      ['More 🎉', 'more-tada', 'Text'],
    ]);
  });

  it('lists a page whose title is the query first, with an excerpt', async () => {
    const { find: findIn } = search([
      {
        title: '[Alpha] Feature View',
        text: '## Feature view\n\nA feature view, feature view, feature view.',
      },
      { title: 'A feature: views', text: '## Feature views\n\n## Feature view\n\nNothing else.' },
      { title: 'Feature view', text: 'Some other words.\n\n## Feature views\n' },
    ]);
    for (const query of ['feature view', 'FEATURE-VIEW', '"feature view"']) {
      const [first] = await findIn(query);
      expect(first).toMatchObject({
        title: 'Feature view',
        excerpt: 'Some other words.',
        address: 'feature view/',
      });
      expect(first).not.toHaveProperty('section');
    }
    for (const { excerpt } of await findIn('feature view')) expect(excerpt).not.toBe('');
  });

  it.each([
    ['conf', 'Install'],
    ['configurati', 'Install'],
    ['source', 'Install'],
    ['エンジン', '検索'],
    ['設定', '検索'],
    ['uberblick', 'Résumé'],
    ['resume', 'Résumé'],
    ['grössen', 'Résumé'],
    ['constructor', 'Odd'],
    ['__proto__', 'Odd'],
    ['"parse source"', 'Install'],
  ])('finds %s like the server does', async (query, title) => {
    expect(titles(await find(query))).toEqual([title]);
  });

  it('returns pages with some of the words if no page has all', async () => {
    expect(titles(await find('windows nothinglikethis'))).toEqual(['Install']);
    for (const query of ['', ' ', '"', '!!!', 'nothinglikethis']) expect(await find(query)).toEqual([]);
  });

  it('finds any word of a page in a large index, and loads only three files', async () => {
    const pages = Array.from({ length: 400 }, (_, number) => ({
      title: `Page ${number}`,
      text: `word${number} ${Array.from({ length: 60 }, (__, at) => `w${(number * 31 + at * 7) % 900}x`).join(' ')}`,
    }));
    const { find: findIn, files, loaded } = search(pages);
    const terms = [...files.keys()].filter((name) => name.startsWith('terms'));
    expect(terms.length).toBeGreaterThan(2);
    for (const number of [0, 1, 57, 199, 398, 399])
      expect(titles(await findIn(`word${number}`)).includes(`Page ${number}`)).toBe(true);
    for (const word of ['w0x', 'w45x', 'w899x', 'w62x']) {
      const expected = pages.filter(({ text }) => text.split(' ').includes(word)).map(({ title }) => title);
      const found = titles(await findIn(`"${word}"`));
      expect([word, found.length, found.every((title) => expected.includes(title))]).toEqual([
        word,
        Math.min(20, expected.length),
        true,
      ]);
    }
    loaded.length = 0;
    await findIn('"word57"');
    // The head, one file of terms (requested for each way to match), and one of texts.
    expect(new Set(loaded).size).toBe(3);
  });
});
