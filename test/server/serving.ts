import { connect, type Socket } from 'node:net';
import type { Core } from '../../src/core/embedded.ts';
import { tables } from '../../src/resources/tables.ts';
import { createServer, type Server } from '../../src/server/index.ts';
import { createLog, type LogLevel } from '../../src/server/log.ts';
import type { ServerLimits } from '../../src/server/limits.ts';
import type { RequestMetrics } from '../../src/server/request-metrics.ts';
import type { Tls } from '../../src/server/tls.ts';
import { createWorld, type World } from '../support/world.ts';

export interface Serving {
  readonly world: World;
  readonly server: Server;
  /** What the server logged so far. */
  readonly logged: Record<string, unknown>[];
  readonly bearer: (who?: Parameters<World['token']>[0]) => { authorization: string };
}

/** A server over a small world, with request ids req_1, req_2, … */
export async function serve(
  options: {
    limits?: Partial<ServerLimits>;
    proxies?: string[];
    tls?: Tls;
    metrics?: RequestMetrics;
    level?: LogLevel;
    change?: (core: Core) => Core;
    /** The store of the world (default: one in memory). Its operator, the administrator, can back it up. */
    storeUrl?: string;
  } = {},
): Promise<Serving> {
  const world = await createWorld(options.storeUrl);
  const logged: Record<string, unknown>[] = [];
  let count = 0;
  const server = await createServer({
    core: options.change?.(world.core) ?? world.core,
    version: '1.2.3',
    newRequestId: () => `req_${++count}`,
    tls: options.tls,
    target: { url: options.storeUrl ?? 'memory:', tables, cwd: '' },
    metrics: options.metrics,
    log: createLog({
      level: options.level ?? 'info',
      clock: world.core.clock,
      write: (line) => void logged.push(JSON.parse(line)),
    }),
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    ...(options.proxies === undefined ? {} : { proxies: options.proxies }),
  });
  return {
    world,
    server,
    logged,
    bearer: (who = 'admin') => ({ authorization: `Bearer ${world.token(who)}` }),
  };
}

export const json = { 'content-type': 'application/json' };

/** One HTTP answer off a socket. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Talk {
  readonly socket: Socket;
  readonly send: (text: string | Buffer) => void;
  /** The next answer; undefined when the server closed instead. */
  readonly answer: () => Promise<Answer | undefined>;
  readonly closed: Promise<void>;
}

/** A plain TCP conversation with a server. */
export function talkTo(url: string): Promise<Talk> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let buffer = Buffer.alloc(0);
  let wake = (): void => {};
  let isClosed = false;
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      isClosed = true;
      wake();
      resolve();
    });
  });
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    buffer = Buffer.concat([buffer, chunk]);
    wake();
  });
  const answer = async (): Promise<Answer | undefined> => {
    for (;;) {
      const found = readAnswer(buffer);
      if (found !== undefined) {
        buffer = buffer.subarray(found.length);
        return found.answer;
      }
      if (isClosed) return undefined;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  const talk: Talk = { socket, send: (text) => void socket.write(text), answer, closed };
  return new Promise((resolve) => socket.once('connect', () => resolve(talk)));
}

function readAnswer(buffer: Buffer): { answer: Answer; length: number } | undefined {
  const end = buffer.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = buffer.subarray(0, end).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  const length = end + 4 + Number(headers['content-length'] ?? 0);
  if (buffer.length < length) return undefined;
  const status = Number(first.split(' ')[1]);
  // Interim answers such as 100 Continue are no answers.
  if (status < 200) return readAnswerBehind(buffer, length);
  return { answer: { status, headers, body: buffer.subarray(end + 4, length).toString() }, length };
}

function readAnswerBehind(buffer: Buffer, skip: number): { answer: Answer; length: number } | undefined {
  const next = readAnswer(buffer.subarray(skip));
  return next === undefined ? undefined : { answer: next.answer, length: next.length + skip };
}
