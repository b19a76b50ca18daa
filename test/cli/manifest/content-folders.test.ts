import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Api } from '../../../src/contract/api.ts';
import { ContentFolders, isContentPath } from '../../../src/content-sync/export-content.ts';
import { openRoom, type Room } from './content-rooms.ts';

let room: Room;
beforeEach(async () => {
  room = await openRoom();
  writeFileSync(room.at('org.yaml'), 'version: 1\nspaces: { a: { title: A }, b: { title: B } }\n');
  await room.done('apply', '-f', 'org.yaml', '-y');
  for (const { id, title } of await room.spaces())
    await room.publish(id, [{ operation: 'insert_page', title, document: { markdown: title.repeat(100) } }]);
});
afterEach(() => room.close());

/** Returns the folders of both spaces, and the operations that they called so far. */
async function placed(maxHeldBytes: number, there?: string) {
  const called: string[] = [];
  const own = room.world.as('admin');
  const api = {
    ...own,
    call: (operation: { id: string }, ...rest: [never, never]) => (
      called.push(operation.id),
      own.call(operation as never, ...rest)
    ),
  } as unknown as Api;
  const folders = new ContentFolders({
    api,
    organization: 'org_acme',
    there,
    jobs: 2,
    dirOf: () => undefined,
    maxHeldBytes,
    signal: new AbortController().signal,
    showProgress: () => ({ tick: () => {}, note: () => {}, done: () => {} }),
  });
  const stated = await folders.place(
    (await room.spaces()).map((body) => ({ body, name: body.title.toLowerCase() })),
  );
  return { called, folders, stated };
}

const reads = (called: readonly string[]): number => called.filter((id) => id.includes('pages')).length;

it('ContentFolders keeps contents up to a limit, and reads the others again at the same revision', async () => {
  for (const [maxHeldBytes, more] of [
    [10_000, 0],
    [150, 1],
    [0, 2],
  ] as const) {
    // prettier-ignore
    const { called, folders, stated } = await placed(maxHeldBytes);
    expect(stated).toEqual([{ dir: 'content/a' }, { dir: 'content/b' }]);
    const before = reads(called);
    // Changes to a space during the export belong to the next export.
    const [{ id } = { id: '' }] = await room.spaces();
    await room.publish(id, [
      { operation: 'insert_page', title: `Later ${maxHeldBytes}`, document: { markdown: 'later' } },
    ]);
    const files = new Map<string, string>();
    for await (const { path, bytes } of folders.read()) files.set(path, Buffer.from(bytes).toString());
    expect(reads(called) - before).toBe(more);
    expect(files.get('content/b/b.md')).toBe('B'.repeat(100));
    expect([...files.keys()].sort()).toEqual(
      folders.writes.flatMap(({ create }) => create.map(({ path }) => path)).sort(),
    );
  }
});

it('ContentFolders reads each space only once', async () => {
  const { called } = await placed(10_000);
  // Each of the two spaces is read once, and the translations are read once.
  expect(called.length).toBe(new Set(called).size * 2 - 1);
});

it('isContentPath accepts only paths of content folders', () => {
  expect(
    ['content/a/b.md', 'content/a/.gitbook/assets/x.png', 'content/_con/deep/er/x'].every(isContentPath),
  ).toBe(true);
  expect(
    [
      'content/a',
      'content/',
      'content//x',
      'content/../a/b',
      'content/a/../../b',
      'content/a/.git/hooks/x',
      'contents/a/b',
      '/content/a/b',
      'x/content/a/b',
    ].some(isContentPath),
  ).toBe(false);
});
