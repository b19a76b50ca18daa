import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { checkOut, isRepository } from '../../src/content-sync/git-checkout.ts';
import { withoutCredentials } from '../../src/content-sync/run-git.ts';
import type { Runtime } from '../../src/cli/runtime.ts';

describe('a checkout', () => {
  it('that is stopped while a server keeps silent ends at once and leaves nothing', async () => {
    const temp = mkdtempSync(join(tmpdir(), 'docsctl-test-'));
    vi.stubEnv('TMPDIR', temp);
    const stop = new AbortController();
    const server = createServer((socket) => {
      socket.on('error', () => {});
      stop.abort();
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const { port } = server.address() as AddressInfo;
    const runtime = {
      env: { PATH: process.env['PATH'], HOME: temp },
      cwd: temp,
      signal: stop.signal,
    } as unknown as Runtime;
    await expect(checkOut(runtime, `https://u:pw@127.0.0.1:${port}/r.git`, undefined)).rejects.toMatchObject({
      reason: 'interrupted',
    });
    expect(readdirSync(temp)).toEqual([]);
    server.close();
    vi.unstubAllEnvs();
    rmSync(temp, { recursive: true });
  });

  it.each([
    ['https://x.test/r.git', true],
    ['git@x.test:acme/docs.git', true],
    ['file:///r', true],
    ['ext::sh -c x', true],
    ['./handbook', false],
    ['./none.git', false],
    ['C:\\docs', false],
    ['a@b', false],
  ])('of %s: is it a repository? %s', (source, is) => expect(isRepository(source, '/')).toBe(is));

  it.each([
    ['fatal: https://user:pw@x.test/r: no', 'fatal: https://x.test/r: no'],
    ['ssh://token@x.test/r and https://a:b@c@y.test', 'ssh://x.test/r and https://y.test'],
    ['https://x.test/a@b', 'https://x.test/a@b'],
  ])('never tells the password of %s', (text, told) => expect(withoutCredentials(text)).toBe(told));
});
