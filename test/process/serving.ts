import { execa, execaSync } from 'execa';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const bin = fileURLToPath(new URL('../../bin/docsctl.js', import.meta.url));
const node = process.env['DOCSCTL_NODE'] ?? process.execPath;

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

/** Creates a store (default: a SQLite file), and returns functions that run the built program on it, and a token of an administrator. */
export async function createServed(store?: string) {
  const home = mkdtempSync(join(tmpdir(), 'docsctl-served-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const env = {
    ...process.env,
    DOCSCTL_CONFIG_DIR: join(home, 'config'),
    DOCSCTL_STORE: store ?? `sqlite:${join(home, 'docs.db')}`,
    // This replaces the key file beside a store.
    ...(store === undefined ? {} : { DOCSCTL_SECRET_KEY: randomBytes(32).toString('hex') }),
    // No server listens at this address.
    DOCSCTL_ALLOW_PRIVATE: '127.0.0.1:9',
    NODE_OPTIONS: '',
  };
  const run = (...words: string[]) => execa(node, [bin, ...words], { env, reject: false, timeout: 60_000 });
  const made = await run('init', '--org-title', 'Acme', '--email', 'a@acme.test', '-o', 'json');
  const { organization, token } = JSON.parse(made.stdout) as { organization: { id: string }; token: string };
  return {
    home,
    env,
    run,
    token,
    organization: organization.id,
    serve: (...words: string[]) => serve(env, words),
  };
}

/** Starts `serve` on a free port, and waits until it prints its address. */
async function serve(env: NodeJS.ProcessEnv, words: readonly string[]) {
  const args = [bin, 'serve', '--port', '0', '-o', 'json', '--log', ...words];
  const child = spawn(node, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => void child.once('exit', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let log = '';
  const waiting = new Set<() => void>();
  child.stderr.on('data', (data) => {
    log += String(data);
    for (const look of waiting) look();
  });
  const said = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (data) => resolve(String(data)));
    child.once('exit', () => reject(new Error(`the server did not start: ${log}`)));
  });
  const { url, metricsUrl } = JSON.parse(said) as { url: string; metricsUrl?: string };
  const entries = (): Record<string, unknown>[] =>
    log
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  /** Waits for a line of the log. */
  const logged = (isIt: (entry: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = entries().find(isIt);
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  return {
    url,
    metricsUrl,
    child,
    ended,
    entries,
    logged,
    /** The IDs of the processes that the first one has started. */
    pids: () =>
      execaSync('ps', ['-o', 'pid=', '--ppid', String(child.pid)])
        .stdout.split('\n')
        .map(Number),
  };
}

/** Sends a request on a new connection, unless an agent is given. */
export function send(
  url: string,
  {
    method = 'GET',
    token,
    body,
    headers = {},
    agent = false,
  }: {
    readonly method?: string;
    readonly token?: string;
    readonly body?: unknown;
    readonly headers?: Record<string, string>;
    readonly agent?: Agent | false;
  } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, {
      method,
      agent,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => void (text += part));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : { text },
        }),
      );
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Returns the values of one metric by label. */
export async function readMetric(url: string, name: string): Promise<Map<string, number>> {
  const { body } = await send(url);
  const lines = String(body['text']).matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? (.+)$`, 'gm'));
  return new Map([...lines].map(([, labels = '', value]) => [labels, Number(value)]));
}
