import { expect, it } from 'vitest';
import { publishedSite } from './published-site.ts';

const pages = 8;
const merges = 10;
const readers = 16;

/** The versions that a page shows: in the titles of the table of contents, and in the text. */
const shownIn = (body: string): Set<string> =>
  new Set([...body.matchAll(/version-(\d+)-of/g)].map(([, version = '']) => version));

it('each reader gets pages of one revision only, while the space is merged again and again', async () => {
  const texts = (version: number) =>
    Array.from({ length: pages }, (_, number) => ({
      title: `Page ${number} version-${version}-of`,
      text: `The text is version-${version}-of page ${number}, see [the next](page-${(number + 1) % pages}.md).`,
    }));
  const site = await publishedSite(
    texts(0).map((page, number) => Object.assign(page, { slug: `page-${number}` })),
  );
  const ids = [...site.pages.values()];
  const faults: string[] = [];
  const paths = ['', ...Array.from({ length: pages - 1 }, (_, number) => `page-${number + 1}`)];
  /** The newest version that each reader has seen. */
  const latest = Array.from({ length: readers }, () => 0);
  let turn = 0;
  const read = async (reader: number): Promise<void> => {
    const path = turn++ % 5 === 0 ? 'llms-full.txt' : (paths[turn % paths.length] ?? '');
    const { statusCode, body } = await site.visit(path);
    const versions = [...shownIn(body)].map(Number);
    const [version = -1] = versions;
    const before = latest[reader] ?? 0;
    if (statusCode !== 200 || versions.length !== 1 || version < before)
      faults.push(`/${path}: ${statusCode}, versions ${versions.join(', ')} after ${before}`);
    latest[reader] = version;
  };
  const readTwice = async (reader: number): Promise<void> => {
    await read(reader);
    await read(reader);
  };
  for (let version = 1; version <= merges; version++) {
    const merging = site.change(
      site.spaceId,
      texts(version).map(({ title, text }, number) => ({
        operation: 'update_page',
        page: ids[number],
        title,
        document: { markdown: text },
      })),
    );
    await Promise.all([merging, ...latest.map((_, reader) => readTwice(reader))]);
  }
  expect(faults).toEqual([]);
  expect([...shownIn((await site.visit('page-3')).body)]).toEqual([String(merges)]);
});
