import { expect, it } from 'vitest';
import type { ContentChange } from '../../src/content/changes.ts';
import { sendImport } from '../../src/content-sync/send-import.ts';

/** A plan that writes texts of the given sizes. */
const planOf = (sizes: readonly number[]) => ({
  pages: [],
  texts: sizes.map((size, at): ContentChange => ({
    operation: 'put_text',
    role: 'include',
    git: { path: `${at}.md` },
    text: 'x'.repeat(size),
  })),
  files: [],
  deletedFiles: [],
});
/** The paths of the texts in each call. */
async function calls(sizes: readonly number[], remote: boolean): Promise<string[]> {
  const sent: string[] = [];
  const send = async (changes: readonly ContentChange[]) => {
    sent.push(changes.map((change) => (change.operation === 'put_text' ? change.git.path : '')).join(' '));
    return {};
  };
  await sendImport(planOf(sizes), send, { remote });
  return sent;
}
const million = 1_000_000;

it('sends requests of limited size to a server, in the order of the plan', async () => {
  expect(await calls([], true)).toEqual([]);
  const sizes = [5 * million, 5 * million, 5 * million, million, 20 * million, 1, 1];
  expect(await calls(sizes, true)).toEqual(['0.md 1.md', '2.md 3.md', '4.md', '5.md 6.md']);
  expect(await calls(sizes, false)).toEqual(['0.md 1.md 2.md 3.md 4.md 5.md 6.md']);
});

it('sends up to 10,000 changes at once to a server, and 500 to an embedded store', async () => {
  const sizes = Array.from({ length: 10_001 }, () => 1);
  const counts = async (remote: boolean) =>
    (await calls(sizes, remote)).map((paths) => paths.split(' ').length);
  expect(await counts(true)).toEqual([10_000, 1]);
  expect(await counts(false)).toEqual([...Array.from({ length: 20 }, () => 500), 1]);
});
