import { rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readFolder } from '../../src/content-sync/read-folder.ts';
import { newFolder } from './folder-support.ts';

it('leaves out an image above 10 MiB with a warning', async () => {
  const dir = newFolder({
    'SUMMARY.md': '* [A](a.md)\n',
    'a.md': '![](b.png) ![](c.png)',
    'b.png': '',
    'c.png': '',
  });
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  truncateSync(join(dir, 'b.png'), 10 * 1024 * 1024);
  truncateSync(join(dir, 'c.png'), 10 * 1024 * 1024 + 1);
  const { files, warnings } = await readFolder(dir);
  expect(files.map(({ path }) => path)).toEqual(['b.png']);
  expect(warnings).toMatchObject([
    {
      file: 'c.png',
      line: 0,
      rule: 'skipped-file',
      message: expect.stringMatching(/^is skipped: .*10 MiB/),
    },
  ]);
});
