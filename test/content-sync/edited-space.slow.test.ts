import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareExported } from '../../src/content-sync/compare-folder.ts';
import { readFolder } from '../../src/content-sync/read-folder.ts';
import type { ContentChange } from '../../src/content/changes.ts';
import type { Problem } from '../../src/errors/problem.ts';
import { createWorld } from '../support/world.ts';
import { newFolder, openShelf, writeFiles, type Shelf } from './folder-support.ts';

const title = fc.constantFrom(
  'One',
  'One',
  'Two  spaces',
  '2024',
  '7',
  'A [b] *c*',
  'README',
  'Über: "x"',
  '# H',
  'index',
);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
const fields = fc.record(
  {
    title,
    description: fc.constantFrom('', 'Short', 'a: b # c', '"quoted"', '7', 'true', 'two\nlines'),
    icon: fc.constantFrom('', 'book', 'house'),
    emoji: fc.constantFrom('', '📘', '1f4d8'),
    hidden: fc.boolean(),
    noIndex: fc.boolean(),
    noRobotsIndex: fc.boolean(),
    condition: fc.constantFrom('', 'visitor.claims.unsigned.beta'),
    linkTitle: fc.constantFrom('', 'Short title', 'a "b"'),
    slug: fc.constantFrom('one', '7', 'x-y', 'Own', 'readme'),
    layout: fc.constantFrom({ width: 'wide' }, { cover: false, title: false }),
    cover: fc.constantFrom(null, {
      ref: { kind: 'url', url: 'https://example.com/a.png' },
      yPos: 12.5,
      height: 300,
    }),
    variables: fc.constantFrom({ a: 'b', n: 7 }, {}),
    tags: fc.constantFrom([], [{ tag: { kind: 'tag', tag: 'beta' }, primary: true }]),
  },
  { requiredKeys: [] },
);
const text = fc.constantFrom(
  '',
  '# One\n',
  'Text\n',
  '---\ntitle: Own\nicon: book\n---\n\n# Other\n',
  '---\ndescription: d\n---\nText',
  'a\r\nb\r\n',
  '{% hint style="info" %}\nx\n{% endhint %}\n',
  '---\n',
);
const anyPage = fc.nat(30);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('insert' as const),
      fields,
      title,
      text,
      into: anyPage,
      at: maybe(fc.nat(3)),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('group' as const),
      title,
      slug: maybe(fc.constantFrom('one', '7', 'g')),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('link' as const),
      title,
      href: fc.constantFrom('https://example.com/a b', 'one.md', 'https://example.com/?a=(b)'),
      into: anyPage,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('computed' as const), into: anyPage }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('update' as const), fields, page: anyPage, text: maybe(text) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      page: anyPage,
      into: anyPage,
      at: maybe(fc.nat(3)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), page: anyPage }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('file' as const),
      name: fc.constantFrom('a.png', 'b c.png', 'A.png'),
      page: anyPage,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('mention' as const), page: anyPage, target: anyPage }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('variables' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('import' as const), text, page: anyPage }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

type Pages = readonly Awaited<ReturnType<Shelf['pages']>>[number][];
const flat = (pages: Pages): Pages[number][] => pages.flatMap((page) => [page, ...flat(page.pages ?? [])]);
const listPages = async (shelf: Shelf) => flat((await shelf.content.read(true)).pages);

async function write(shelf: Shelf): Promise<string> {
  const files = await shelf.exportFiles();
  return newFolder(
    Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path, Buffer.from(bytes, 'latin1')])),
  );
}

async function take(shelf: Shelf, one: Step): Promise<void> {
  const pages = await listPages(shelf);
  const parents = [undefined, ...pages.filter(({ type }) => type !== 'link')];
  const nth = (index: number) => pages[index % Math.max(pages.length, 1)];
  const under = (index: number) => parents[index % parents.length]?.id ?? null;
  const page = 'page' in one ? nth(one.page) : undefined;
  if ('page' in one && page === undefined) return;
  const changes: unknown[] = [];
  if (one.kind === 'insert')
    changes.push({
      operation: 'insert_page',
      title: one.title,
      document: { markdown: one.text },
      ...one.fields,
      into: under(one.into),
      at: one.at,
    });
  else if (one.kind === 'group')
    changes.push({ operation: 'insert_page', type: 'group', document: {}, title: one.title, slug: one.slug });
  else if (one.kind === 'link')
    changes.push({
      operation: 'insert_page',
      type: 'link',
      document: {},
      title: one.title,
      href: one.href,
      into: under(one.into),
    });
  else if (one.kind === 'computed')
    changes.push({
      operation: 'insert_page',
      type: 'computed',
      document: {},
      title: 'API',
      computed: {
        type: 'builtin:openapi',
        props: { models: true },
        dependencies: { spec: { ref: { kind: 'openapi', spec: 'petshop' } } },
      },
      into: under(one.into),
    });
  else if (one.kind === 'update') {
    const { layout: _layout, cover: _cover, variables: _variables, tags: _tags, ...plain } = one.fields;
    const own =
      page!.type === 'document'
        ? { ...one.fields, ...(one.text === undefined ? {} : { document: { markdown: one.text } }) }
        : plain;
    changes.push({ operation: 'update_page', page: page!.id, ...own });
  } else if (one.kind === 'move')
    changes.push({ operation: 'update_page', page: page!.id, into: under(one.into), at: one.at });
  else if (one.kind === 'delete') changes.push({ operation: 'delete_page', page: page!.id });
  else if (one.kind === 'file') {
    changes.push({
      operation: 'insert_files',
      files: [
        {
          name: one.name,
          ref: 'new',
          contentType: 'image/png',
          base64: Buffer.from(one.name).toString('base64'),
        },
      ],
    });
    if (page!.type === 'document')
      changes.push({
        operation: 'update_page',
        page: page!.id,
        document: { markdown: '![](/files/new)\n' },
        cover: { ref: { kind: 'file', file: 'new' }, yPos: 0 },
      });
  } else if (one.kind === 'mention') {
    if (page!.type === 'document')
      changes.push({
        operation: 'update_page',
        page: page!.id,
        document: { markdown: `[x](/pages/${nth(one.target)!.id})\n` },
      });
  } else if (one.kind === 'variables')
    changes.push({
      operation: 'put_text',
      role: 'variables',
      git: { path: '.gitbook/vars.yaml' },
      text: 'a: b\n',
    });
  else {
    const dir = await write(shelf);
    const path = (await shelf.exported()).paths.pages.get(page!.id);
    if (path !== undefined) writeFiles(dir, { [path]: one.text });
    await shelf.importFolder(dir);
    rmSync(dir, { recursive: true });
  }
  if (changes.length > 0)
    await shelf
      .publish(...(JSON.parse(JSON.stringify(changes)) as ContentChange[]))
      .catch((error: Problem) => {
        // Some random changes are not allowed, such as a slug that another page has.
        if (error.reason !== 'invalid-input' && error.reason !== 'conflict') throw error;
      });
}

it('finds nothing to import from a folder that was just exported', async () => {
  const world = await createWorld();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
      const shelf = await openShelf(world);
      await shelf.publish({ operation: 'insert_page', title: 'Start', document: { markdown: 'Start' } });
      for (const one of steps) await take(shelf, one);
      if ((await listPages(shelf)).every(({ type }) => type !== 'document')) return;
      const dir = await write(shelf);
      const { unlisted } = await shelf.exported();
      const folder = await readFolder(dir, { unlisted: unlisted > 0 ? 'hidden' : 'skip' });
      const { plan } = await compareExported(shelf.content, folder, dir);
      expect(plan).toEqual({ pages: [], texts: [], files: [], deletedFiles: [] });
      rmSync(dir, { recursive: true });
    }),
    { numRuns: 60 },
  );
}, 120_000);
