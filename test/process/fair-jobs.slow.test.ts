import { execa } from 'execa';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const bin = fileURLToPath(new URL('../../bin/docsctl.js', import.meta.url));
const node = process.env['DOCSCTL_NODE'] ?? process.execPath;

/** Starts a host of specifications that never answers, and records the requested paths. */
async function openHangingSource() {
  let asked = 0;
  let open = 0;
  let mostOpen = 0;
  const wanted = new Map<string, () => void>();
  let onCount: readonly [number, () => void] | undefined;
  const server = createServer((request) => {
    mostOpen = Math.max(mostOpen, ++open);
    request.socket.once('close', () => open--);
    wanted.get(request.url ?? '')?.();
    if (++asked === onCount?.[0]) onCount[1]();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    mostOpen: () => mostOpen,
    askedFor: (path: string) => new Promise<void>((resolve) => wanted.set(path, resolve)),
    askedTimes: (count: number) => new Promise<void>((resolve) => (onCount = [count, resolve])),
  };
}

it(
  '240 sources of one organization that never answer do not block a job of another organization',
  { timeout: 60_000 },
  async () => {
    const home = mkdtempSync(join(tmpdir(), 'docsctl-fair-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const source = await openHangingSource();
    const start = (...words: string[]) =>
      execa(node, [bin, ...words], {
        cwd: home,
        env: {
          DOCSCTL_CONFIG_DIR: join(home, 'config'),
          DOCSCTL_STORE: `sqlite:${join(home, 'fair.db')}`,
          DOCSCTL_ALLOW_PRIVATE: `127.0.0.1:${source.port}`,
          NODE_OPTIONS: '',
        },
        extendEnv: true,
        reject: false,
        timeout: 50_000,
      });
    const { stdout } = await start('init', '--org-title', 'Acme', '--email', 'ana@acme.test', '-o', 'json');
    const acme = JSON.parse(stdout) as { token: string; organization: { id: string } };
    const serving = start('serve', '--port', '0', '-o', 'json');
    onTestFinished(() => void serving.kill('SIGKILL'));
    const [line] = await new Promise<Buffer[]>((resolve) =>
      serving.stdout.once('data', (...chunks: Buffer[]) => resolve(chunks)),
    );
    const { url } = JSON.parse(String(line)) as { url: string };
    const send = async (method: string, path: string, token: string, body: object): Promise<unknown> => {
      const answer = await fetch(`${url}/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
      return answer.json();
    };
    const addSource = (of: typeof acme, name: string) =>
      send('POST', `/orgs/${of.organization.id}/openapi`, of.token, {
        slug: name,
        source: { url: `http://127.0.0.1:${source.port}/${name}` },
      });
    const busy = source.askedTimes(4);
    for (let nth = 0; nth < 240; nth++) await addSource(acme, `acme-${nth}`);
    await busy;
    const other = (await send('POST', '/provision', acme.token, {
      title: 'Other',
      email: 'ben@other.test',
    })) as typeof acme;
    const reached = source.askedFor('/other-1');
    await addSource(other, 'other-1');
    await reached;
    expect(source.mostOpen()).toBeLessThanOrEqual(5);
    serving.kill('SIGTERM');
    expect((await serving).exitCode).toBe(0);
  },
);
