import { copyFileSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { conformance } from '../conformance.ts';
import { notes, open, temporaryFolder } from '../fixtures.ts';

conformance('sqlite', () => open(`sqlite:${join(temporaryFolder(), 'store.db')}`));

test('a file that could only be read shows changes as soon as it can be written', async () => {
  const folder = temporaryFolder();
  const [path, old] = [join(folder, 'store.db'), join(folder, 'old.db')];
  const first = await open(old);
  await first.write((tx) => tx.insert(notes, { id: 'a', text: '' }));
  await first.close();
  // A file that this process has not opened, beside which SQLite cannot create its shared memory.
  copyFileSync(old, path);
  symlinkSync('nowhere', `${path}-shm`);
  const store = await open(path);
  const read = (id: string) => store.read((view) => view.get(notes, id));
  expect(await read('a')).toBeDefined();
  unlinkSync(`${path}-shm`);
  const other = await open(path);
  await other.write((tx) => tx.insert(notes, { id: 'b', text: '' }));
  expect(await read('b')).toBeDefined();
  await store.write((tx) => tx.insert(notes, { id: 'c', text: '' }));
  expect(await read('c')).toBeDefined();
});
