import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { createServer as createPlain, type RequestListener, type Server } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { makeCertificate } from '../saml/certificate-maker.ts';

const script = fileURLToPath(new URL('../../examples/deploy/healthcheck.cjs', import.meta.url));

/** Runs the health check of the image with variables. Returns its exit code. */
const check = (env: Record<string, string>): Promise<number> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, [script], { env, timeout: 10_000 });
    child.on('exit', (code) => resolve(code ?? -1));
  });

async function listen(create: (listener: RequestListener) => Server, status: () => number): Promise<string> {
  const server = create(({ url }, response) => response.writeHead(url === '/livez' ? status() : 404).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return String((server.address() as AddressInfo).port);
}

it('the health check of the image uses the port and the host of the variables', async () => {
  let status = 200;
  const port = await listen(createPlain, () => status);
  const env = { DOCSCTL_HOST: '0.0.0.0', DOCSCTL_PORT: port, DOCSCTL_TLS_CERT: '' };
  expect(await check(env)).toBe(0);
  status = 500;
  expect(await check(env)).toBe(1);
  expect(await check({ DOCSCTL_HOST: '127.0.0.1', DOCSCTL_PORT: '1' })).toBe(1);
});

it('the health check of the image uses HTTPS if the variables set a certificate for another name', async () => {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = pair.privateKey.export({ type: 'pkcs8', format: 'pem' });
  const cert = makeCertificate(pair, { name: 'docs.example.com' });
  const port = await listen(
    (listener) => createSecure({ key, cert }, listener),
    () => 200,
  );
  const env = { DOCSCTL_HOST: '0.0.0.0', DOCSCTL_PORT: port };
  expect(await check({ ...env, DOCSCTL_TLS_CERT: '/run/cert.pem' })).toBe(0);
  expect(await check(env)).toBe(1);
});
