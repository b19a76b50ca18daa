import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { checkOut, isRepository } from '../../src/content-sync/git-checkout.ts';
import { withoutCredentials } from '../../src/content-sync/run-git.ts';
import { createBareRepository } from './git-sync/bare-repository.ts';
import type { Runtime } from '../../src/cli/runtime.ts';

describe('a git checkout', () => {
  it('stops at once and leaves no files if it is aborted while a server does not answer', async () => {
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

  it('is refused before its size is computed if a few objects are referenced by very many paths', async () => {
    const bare = createBareRepository();
    try {
      bare.commit({ 'a.md': 'a' });
      const mode = { blob: '100644', tree: '040000' };
      const repeat = (kind: 'blob' | 'tree', id: string, count: number): string => {
        const names = Array.from({ length: count }, (_, at) => String(at).padStart(3, '0'));
        const input = names.map((name) => `${mode[kind]} ${kind} ${id}\t${name}\n`).join('');
        return execFileSync('git', ['-C', bare.dir, 'mktree'], { input }).toString().trim();
      };
      const files = repeat('blob', bare.git('rev-parse', 'main:a.md').trim(), 250);
      const root = repeat('tree', files, 250);
      bare.git('update-ref', 'refs/heads/main', bare.git('commit-tree', root, '-m', 'many').trim());
      const { signal } = new AbortController();
      const host = { env: { PATH: process.env['PATH'], HOME: bare.dir }, cwd: bare.dir, signal };
      await expect(checkOut(host, bare.url, undefined)).rejects.toMatchObject({
        reason: 'too-large',
        message: expect.stringContaining('has too many files'),
      });
    } finally {
      bare.remove();
    }
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
  ])('recognizes %s as a repository: %s', (source, is) => expect(isRepository(source, '/')).toBe(is));

  it.each([
    ['fatal: https://user:pw@x.test/r: no', 'fatal: https://x.test/r: no'],
    ['ssh://token@x.test/r and https://a:b@c@y.test', 'ssh://x.test/r and https://y.test'],
    ['https://x.test/a@b', 'https://x.test/a@b'],
  ])('removes the password from %s', (text, told) => expect(withoutCredentials(text)).toBe(told));
});
