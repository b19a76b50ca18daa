import { expect, it } from 'vitest';
import { guessLinks } from '../../../src/content/links/nearest-target.ts';
import { namesOf } from '../../../src/content/links/link-targets.ts';

const files = [
  'README.md',
  'start.md',
  'reference/stores/README.md',
  'reference/stores/sqlite.md',
  'how-to/operator/steps.mdx',
  'how-to/operator/my page/more.md',
];
const names = new Set(files.flatMap((git) => [...namesOf(`page:${git}`, { git }).keys()]));

function nearest(git: string, href: string): string | undefined {
  return [...guessLinks({ git }, href)].find(({ name }) => names.has(name))?.href;
}

it.each([
  ['how-to/operator/storage.md', '../reference/stores/sqlite.md#a', '../../reference/stores/sqlite.md#a'],
  ['how-to/operator/storage.md', 'reference/stores/', '../../reference/stores'],
  ['how-to/operator/storage.md', '/steps.mdx', 'steps.mdx'],
  ['how-to/operator/storage.md', '/steps', 'steps'],
  ['how-to/operator/my page.md', './more/?a=b#c', 'my%20page/more?a=b#c'],
  ['how-to/operator/storage.md', '../steps/', 'steps'],
  ['reference/stores/README.md', '../../../docs/start.md', '../../start.md'],
  ['start.md', '../reference/stores/sqlite.html', 'reference/stores/sqlite.html'],
])('suggests for a link in %s to %s the link %s', (git, href, expected) =>
  expect(nearest(git, href)).toBe(expected),
);

it.each(['../README.md', '../docs/README', 'index.md', '../', '#a', '', 'gone.md', 'http://start.md'])(
  'suggests nothing for %j',
  (href) => expect(nearest('how-to/operator/storage.md', href)).toBeUndefined(),
);

it('tries few links, also for a very long address', () => {
  const href = '../'.repeat(5000) + 'a/'.repeat(50_000);
  expect([...guessLinks({ git: 'a/b/c.md' }, href)].length).toBeLessThan(10);
});
