import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readFolderState } from '../../src/files/folder-state.ts';

it('changes with every file of the folder, but not with ignored folders and symbolic links', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'docsctl-state-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const seen = new Set<string>();
  const expectNew = async (): Promise<void> => {
    const state = await readFolderState(dir);
    expect(seen).not.toContain(state);
    expect(await readFolderState(dir)).toBe(state);
    seen.add(state);
  };
  await expectNew();
  writeFileSync(join(dir, 'a.md'), 'a');
  await expectNew();
  writeFileSync(join(dir, 'a.md'), 'longer');
  await expectNew();
  mkdirSync(join(dir, 'inner/deep'), { recursive: true });
  for (let at = 0; at < 1100; at++) writeFileSync(join(dir, `inner/deep/${at}.md`), 'x');
  await expectNew();
  rmSync(join(dir, 'inner/deep/7.md'));
  await expectNew();
  for (const name of ['.git', 'node_modules']) {
    mkdirSync(join(dir, name));
    writeFileSync(join(dir, name, 'b.md'), 'b');
  }
  symlinkSync(join(dir, 'inner'), join(dir, 'link'));
  symlinkSync(join(dir, 'a.md'), join(dir, 'link.md'));
  expect(seen).toContain(await readFolderState(dir));
  const one = await readFolderState(join(dir, 'a.md'));
  expect(one).toContain('a.md 6 ');
  expect(await readFolderState(join(dir, 'gone'))).toBe('');
});
