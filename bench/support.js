import { spawn, spawnSync } from 'node:child_process';
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';

export const bin = fileURLToPath(new URL('../bin/docsctl.js', import.meta.url));
export const node = process.execPath;

/**
 * What each part of the bench gets: its own folder, and the environment for its commands.
 *
 * @typedef {{ folder: string, env: NodeJS.ProcessEnv }} Bench
 *
 * A part of the bench. Returns the lines to print.
 *
 * @typedef {(bench: Bench) => Promise<string[]>} Part
 *
 * @typedef {object} Target
 * @property {string} method
 * @property {string} path
 * @property {Record<string, string>} [headers]
 * @property {string} [body]
 */

/**
 * Returns the command line of a docsctl command.
 *
 * @param {...string} words
 * @returns {[string, ...string[]]}
 */
export function docsctl(...words) {
  return [node, bin, ...words];
}

/**
 * Runs a command and returns the JSON that it prints.
 *
 * @param {[string, ...string[]]} argv
 * @param {NodeJS.ProcessEnv} env
 * @returns {any}
 */
export function json(argv, env) {
  const [file, ...words] = argv;
  const done = spawnSync(file, words, { env, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (done.status !== 0) throw new Error(`${argv.join(' ')} ended with ${done.status}: ${done.stderr}`);
  return JSON.parse(done.stdout);
}

/**
 * Creates a store with an organization. Returns both and a token.
 *
 * @param {string} url
 * @param {NodeJS.ProcessEnv} env
 * @returns {{ organization: { id: string }, token: string }}
 */
export function init(url, env) {
  return json(
    docsctl('init', '--store', url, '--org-title', 'Bench', '--email', 'bench@example.test', '-o', 'json'),
    env,
  );
}

/**
 * Starts `serve` on a store. `ready` is the time until it says that it listens, in milliseconds.
 *
 * @param {string} url
 * @param {NodeJS.ProcessEnv} env
 * @param {readonly string[]} [options] more options of the command
 * @param {readonly string[]} [nodeOptions] options of Node.js
 */
export async function startServer(url, env, options = [], nodeOptions = []) {
  const started = process.hrtime.bigint();
  // One client sends more than any honest one.
  const unlimited = ['--rate-limit', '0', '--rate-limit-organization', '0'];
  const words = ['serve', '--store', url, '--port', '0', '-o', 'json', ...unlimited, ...options];
  const child = spawn(node, [...nodeOptions, bin, ...words], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  /** @type {string} */
  const said = await new Promise((resolve) => child.stdout.once('data', resolve));
  /** @type {{ url: string, sitesUrl: string, metricsUrl: string }} */
  const { url: base, sitesUrl: sites, metricsUrl: metrics } = JSON.parse(said);
  const stop = async () => {
    child.kill('SIGTERM');
    await new Promise((resolve) => child.on('exit', resolve));
  };
  return {
    base,
    sites,
    metrics,
    pid: child.pid ?? 0,
    ready: Number(process.hrtime.bigint() - started) / 1e6,
    stop,
  };
}

/**
 * Sends one request. Returns its status and body.
 *
 * @param {string} base
 * @param {Target} target
 * @param {import('node:http').Agent} [agent]
 * @returns {Promise<{ status: number, headers: Record<string, unknown>, body: string }>}
 */
export function once(base, { method, path, headers = {}, body }, agent) {
  return new Promise((resolve, reject) => {
    const sent = request(
      base + path,
      {
        method,
        ...(agent === undefined ? {} : { agent }),
        headers: {
          ...headers,
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        },
      },
      (answer) => {
        /** @type {Buffer[]} */
        const chunks = [];
        answer.on('data', (chunk) => chunks.push(chunk));
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            body: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    sent.on('error', (error) => {
      // The server had closed the connection, which nobody had used for a while, before it got the request.
      const isClosed = sent.reusedSocket && 'code' in error && error.code === 'ECONNRESET';
      if (isClosed)
        resolve(once(base, { method, path, headers, ...(body === undefined ? {} : { body }) }, agent));
      else reject(error);
    });
    sent.end(body);
  });
}

/**
 * Returns the checksum that a store keeps of a row. For rows that are put into it directly.
 *
 * @param {string} row its JSON
 */
export function checksumOf(row) {
  return crc32(row) | 0;
}
