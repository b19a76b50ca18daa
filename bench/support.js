import { spawn, spawnSync } from 'node:child_process';
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';

export const bin = fileURLToPath(new URL('../bin/docsctl.js', import.meta.url));
export const node = process.execPath;

export function docsctl(...words) {
  return [node, bin, ...words];
}

/** Runs a command and gives the JSON that it prints. */
export function json(argv, env, input) {
  const done = spawnSync(argv[0], argv.slice(1), { env, encoding: 'utf8', input, maxBuffer: 1 << 28 });
  if (done.status !== 0) throw new Error(`${argv.join(' ')} ended with ${done.status}: ${done.stderr}`);
  return JSON.parse(done.stdout);
}

/** Makes a store with an organization; gives both and a token. */
export function init(url, env) {
  return json(
    docsctl('init', '--store', url, '--org-title', 'Bench', '--email', 'bench@example.test', '-o', 'json'),
    env,
  );
}

/** Starts `serve` on a store. */
export async function startServer(url, env) {
  const started = process.hrtime.bigint();
  const child = spawn(node, [bin, 'serve', '--store', url, '--port', '0', '-o', 'json'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const base = JSON.parse(await new Promise((resolve) => child.stdout.once('data', resolve))).url;
  const stop = async () => {
    child.kill('SIGTERM');
    await new Promise((resolve) => child.on('exit', resolve));
  };
  return { base, pid: child.pid, ready: Number(process.hrtime.bigint() - started) / 1e6, stop };
}

/** One request; gives status and body. */
export function once(base, { method, path, headers = {}, body }, agent) {
  return new Promise((resolve, reject) => {
    const sent = request(
      base + path,
      {
        method,
        agent,
        headers: {
          ...headers,
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        },
      },
      (answer) => {
        const chunks = [];
        answer.on('data', (chunk) => chunks.push(chunk));
        answer.on('end', () =>
          resolve({ status: answer.statusCode, body: Buffer.concat(chunks).toString() }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
