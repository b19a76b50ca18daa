import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { publishedSite } from './published-site.ts';

const pages = 8;
const merges = 10;
const readers = 16;

/** The revisions that an answer shows: in the titles of the table of contents, and in the text. */
const shownIn = (body: string): Set<string> =>
  new Set([...body.matchAll(/version-(\d+)-of/g)].map(([, version = '']) => version));

it('answers each of many readers with one whole revision, while the space is merged again and again', async () => {
  const texts = (version: number) =>
    Array.from({ length: pages }, (_, number) => ({
      title: `Page ${number} version-${version}-of`,
      text: `The text is version-${version}-of page ${number}, see [the next](page-${(number + 1) % pages}.md).`,
    }));
  const site = await publishedSite(
    texts(0).map((page, number) => Object.assign(page, { slug: `page-${number}` })),
  );
  const ids = [...site.pages.values()];
  let isDone = false;
  let answers = 0;
  const faults: string[] = [];
  const paths = ['', ...Array.from({ length: pages - 1 }, (_, number) => `page-${number + 1}`)];
  const read = async (reader: number): Promise<void> => {
    let latest = 0;
    for (let turn = reader; !isDone; turn++) {
      const path = turn % 5 === 0 ? 'llms-full.txt' : (paths[turn % paths.length] ?? '');
      const { statusCode, body } = await site.visit(path);
      const versions = [...shownIn(body)].map(Number);
      answers++;
      const [version = -1] = versions;
      if (statusCode !== 200 || versions.length !== 1 || version < latest)
        faults.push(`/${path}: ${statusCode}, versions ${versions.join(', ')} after ${latest}`);
      latest = Math.max(latest, version);
    }
  };
  const reading = Array.from({ length: readers }, (_, reader) => read(reader));
  for (let version = 1; version <= merges; version++) {
    await site.change(
      site.spaceId,
      texts(version).map(({ title, text }, number) => ({
        operation: 'update_page',
        page: ids[number],
        title,
        document: { markdown: text },
      })),
    );
    // Readers have their turn between two merges, however fast merges are.
    while (answers < version * readers) await setImmediate();
  }
  isDone = true;
  await Promise.all(reading);
  expect(faults).toEqual([]);
  expect([...shownIn((await site.visit('page-3')).body)]).toEqual([String(merges)]);
});
