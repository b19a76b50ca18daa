import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Problem } from '../../src/errors/problem.ts';
import type { ServerLimits } from '../../src/server/limits.ts';
import { openTls } from '../../src/server/tls.ts';
import { makeCertificate } from '../saml/certificate-maker.ts';
import { serve } from './serving.ts';

const now = () => Date.parse('2030-06-01T12:00:00Z');
let folder: string;
let files: Parameters<typeof openTls>[0];
let close = async (): Promise<void> => {};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docsctl-tls-'));
  files = {
    cert: { path: join(folder, 'cert.pem'), from: '--tls-cert' },
    key: { path: join(folder, 'key.pem'), from: 'DOCSCTL_TLS_KEY' },
  };
});
afterEach(async () => {
  await close();
  close = async () => {};
  rmSync(folder, { recursive: true, force: true });
});

const newPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pemOf = (key: ReturnType<typeof newPair>['privateKey']) =>
  key.export({ type: 'pkcs8', format: 'pem' }) as string;

/** Writes a certificate and its key. */
function write(name: string, dates: { from?: string; to?: string } = {}): void {
  const pair = newPair();
  writeFileSync(files.cert.path, makeCertificate(pair, { name, ...dates }));
  writeFileSync(files.key.path, pemOf(pair.privateKey));
}

function problemOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem) return `${error.reason}: ${error.message}`;
    throw error;
  }
  return 'none';
}

describe('openTls', () => {
  const shown = (file: 'cert' | 'key') => `${files[file].path} (from ${files[file].from})`;

  it('accepts a certificate until the second in which it expires', () => {
    write('one', { to: '2030-06-01T12:00:01Z' });
    expect(openTls(files, now).expires()).toBe(now() + 1000);
    expect(problemOf(() => openTls(files, () => now() + 1000))).toBe(
      `invalid-input: The certificate in ${shown('cert')} expired on 2030-06-01.`,
    );
  });

  it('takes the certificate that other processes use if the files cannot be used', () => {
    write('one');
    const inUse = openTls(files, now).identity();
    write('two');
    expect(openTls(files, now, inUse).identity()).not.toEqual(inUse);
    expect(openTls(files, now, inUse).problem).toBeUndefined();
    writeFileSync(files.cert.path, 'no certificate');
    const { identity, problem } = openTls(files, now, inUse);
    expect(identity()).toEqual(inUse);
    expect(problem?.message).toBe(`${shown('cert')} contains no valid certificate in PEM form.`);
  });

  it('refuses a certificate that is not valid yet', () => {
    write('one', { from: '2030-06-02T00:00:00Z' });
    expect(problemOf(() => openTls(files, now))).toBe(
      `invalid-input: The certificate in ${shown('cert')} is not valid before 2030-06-02.`,
    );
  });

  it('reports a missing file, a folder, and a file with other content', () => {
    expect(problemOf(() => openTls(files, now))).toBe(`invalid-input: There is no file ${shown('cert')}.`);
    write('one');
    writeFileSync(files.cert.path, 'no certificate');
    expect(problemOf(() => openTls(files, now))).toBe(
      `invalid-input: ${shown('cert')} contains no valid certificate in PEM form.`,
    );
    write('one');
    writeFileSync(files.key.path, 'no key');
    expect(problemOf(() => openTls(files, now))).toBe(
      `invalid-input: ${shown('key')} contains no valid private key in PEM form.`,
    );
    files = { ...files, key: { path: folder, from: '--tls-key' } };
    expect(problemOf(() => openTls(files, now))).toBe(
      `invalid-input: ${shown('key')} cannot be read: no regular file of at most 1 MiB.`,
    );
  });

  it.skipIf(process.getuid?.() === 0)('reports a file that it may not read', () => {
    write('one');
    chmodSync(files.key.path, 0);
    expect(problemOf(() => openTls(files, now))).toBe(
      `invalid-input: You do not have permission to read ${shown('key')}.`,
    );
  });

  it('refuses an encrypted key, and the key of another certificate', () => {
    write('one');
    const encrypted = newPair().privateKey.export({
      type: 'pkcs8',
      format: 'pem',
      cipher: 'aes-256-cbc',
      passphrase: 'secret',
    });
    writeFileSync(files.key.path, encrypted);
    expect(problemOf(() => openTls(files, now))).toBe(
      `invalid-input: The key in ${shown('key')} is encrypted.`,
    );
    writeFileSync(files.key.path, pemOf(newPair().privateKey));
    expect(problemOf(() => openTls(files, now))).toBe(
      `invalid-input: The key in ${shown('key')} does not belong to the certificate in ${shown('cert')}.`,
    );
  });
});

describe('a server with a certificate', () => {
  async function start(limits: Partial<ServerLimits> = {}) {
    write('one');
    const tls = openTls(files, now);
    const { server } = await serve({ tls, limits });
    close = () => server.close(0);
    const { url } = await server.listen({ host: '127.0.0.1', port: 0, scheme: 'https' });
    return { tls, url, port: Number(new URL(url).port) };
  }
  const shake = (port: number, options: object = {}) =>
    new Promise<TLSSocket>((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options }, () =>
        resolve(socket),
      ).once('error', reject);
    });
  const get = (url: string, agent: Agent) =>
    new Promise<{ status: number | undefined; name: unknown; port: number | undefined }>(
      (resolve, reject) => {
        request(url, { agent }, (response) => {
          const socket = response.socket as TLSSocket;
          const answer = {
            status: response.statusCode,
            name: socket.getPeerCertificate().subject?.CN,
            port: socket.localPort,
          };
          response.resume().once('end', () => resolve(answer));
        })
          .once('error', reject)
          .end();
      },
    );

  it('serves HTTPS, and replaces its certificate without closing connections', async () => {
    const { tls, url } = await start();
    expect(url).toMatch(/^https:/);
    const kept = new Agent({
      keepAlive: true,
      maxSockets: 1,
      rejectUnauthorized: false,
      maxCachedSessions: 0,
    });
    const first = await get(`${url}/healthz`, kept);
    expect(first).toMatchObject({ status: 200, name: 'one' });
    write('two');
    tls.reload();
    // The open connection keeps the old certificate.
    expect(await get(`${url}/healthz`, kept)).toEqual(first);
    const fresh = () => new Agent({ rejectUnauthorized: false, maxCachedSessions: 0 });
    expect((await get(`${url}/healthz`, fresh())).name).toBe('two');
    writeFileSync(files.key.path, 'broken');
    expect(problemOf(() => tls.reload())).toContain('no valid private key');
    expect((await get(`${url}/healthz`, fresh())).name).toBe('two');
    kept.destroy();
  });

  it('supports only TLS 1.2 and 1.3', async () => {
    const { port } = await start();
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const socket = await shake(port, { minVersion: version, maxVersion: version });
      expect(socket.getProtocol()).toBe(version);
      socket.destroy();
    }
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' };
    await expect(shake(port, old)).rejects.toThrow();
  });

  it('closes a connection that does not finish its handshake', async () => {
    const { port } = await start({ headersTimeout: 50 });
    const silent = connectPlain(port, '127.0.0.1');
    await new Promise((resolve) => silent.once('close', resolve).once('error', () => {}));
  });

  it('closes a connection that sends plain HTTP, and continues to serve others', async () => {
    const { url, port } = await start();
    const plain = connectPlain(port, '127.0.0.1');
    const ended = new Promise((resolve) => plain.once('close', resolve).once('error', () => {}));
    plain.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await ended;
    const agent = new Agent({ rejectUnauthorized: false });
    expect((await get(`${url}/healthz`, agent)).status).toBe(200);
  });
});
