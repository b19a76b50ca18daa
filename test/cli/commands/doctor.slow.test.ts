import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const program = resolve(import.meta.dirname, '../../../bin/docsctl.js');
// Root can write everywhere, so its tests run the program as another user.
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

it('commands work in a folder that the user may not enter', () => {
  const folder = mkdtempSync(join(tmpdir(), 'docsctl-closed-'));
  const closed = join(folder, 'closed');
  mkdirSync(closed);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  chmodSync(folder, 0o755);
  // The shell enters the folder before the permission is removed, like `runuser` in the home folder of root.
  const script = `cd '${closed}' && chmod 0 . && exec '${process.execPath}' '${program}' config explain -o json`;
  if (user !== undefined) chownSync(closed, user.uid, user.gid);
  const { status, stderr } = spawnSync('sh', ['-c', script], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: '/nonexistent' },
    ...user,
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});

it('docsctl doctor reports a store that can be read but not written', () => {
  const folder = mkdtempSync(join(tmpdir(), 'docsctl-doctor-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const run = (...words: string[]) =>
    spawnSync(process.execPath, [program, ...words], {
      cwd: '/',
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: folder, DOCSCTL_STORE: `sqlite:${folder}/docs.db` },
      ...user,
    });
  expect(run('init', '--org-title', 'Acme', '--email', 'ana@acme.test').status).toBe(0);
  expect(run('doctor')).toMatchObject({ status: 0, stdout: expect.stringMatching(/^store\ttrue\t/m) });
  for (const name of readdirSync(folder).filter((one) => one.startsWith('docs.db')))
    chmodSync(join(folder, name), 0o444);
  expect(run('orgs', 'list').status).toBe(0);
  expect(run('doctor')).toMatchObject({
    status: 69,
    stdout: expect.stringMatching(
      /^store\tfalse\tYou do not have permission to use the store: .*docs\.db\. Make the file and its folder readable and writable/m,
    ),
  });
});
