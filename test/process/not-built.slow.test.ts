import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const node = process.env['DOCSCTL_NODE'] ?? process.execPath;

it('docsctl reports how to build a clone that is not built', () => {
  const clone = mkdtempSync(join(tmpdir(), 'docsctl-clone-'));
  onTestFinished(() => rmSync(clone, { recursive: true }));
  cpSync(fileURLToPath(new URL('../../bin', import.meta.url)), join(clone, 'bin'), { recursive: true });
  const { status, stderr } = spawnSync(node, [join(clone, 'bin/docsctl.js'), 'whoami'], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([1, `docsctl is not built. Run \`npm run build\` in ${clone}.\n`]);
});
