import type { Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { violationsOf } from '../contract/check.ts';
import { closed, type TObject } from '../contract/schema.ts';
import { isoTime } from '../core/clock.ts';
import type { Core } from '../core/embedded.ts';
import { Problem } from '../errors/problem.ts';
import type { StoreTarget } from '../stores/backup/restore.ts';
import { parseStoreUrl } from '../stores/url.ts';
import { logFault } from './access-log.ts';
import { addStandardHeaders } from './answer.ts';
import { nothingHere, refusalOf } from './errors.ts';
import type { Log } from './log.ts';
import { recordBackup, requireOperator } from './operator.ts';
import { readQuery } from './query.ts';
import { withTimeout } from './routes.ts';

/** What the routes of the store need. */
export interface StoreRouteOptions {
  readonly core: Core;
  /** The store of the core, to open it a second time, so that its other connections wait for nothing. */
  readonly target: StoreTarget;
  readonly version: string;
  /** Milliseconds to identify the caller. */
  readonly answerTimeout: number;
  readonly log: Log | undefined;
}

/** Milliseconds for which the client may take nothing of a long answer. Meanwhile the store keeps its snapshot. */
const maxPause = 120_000;
/** Seconds after which a client may try again while another one has the answer that it wants. */
const busyFor = 10;

/**
 * Adds what only the operator may do with the store, because it has the data of every organization. The caller is identified
 * before anything else of a request is looked at. Each route answers one request at a time.
 */
export function addStoreRoutes(app: FastifyInstance, options: StoreRouteOptions): void {
  const { core, target, answerTimeout } = options;
  const add = (
    what: string,
    { method, path }: { readonly method: 'GET' | 'POST'; readonly path: string },
    answer: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  ): void => {
    let isAnswering = false;
    app.route<{ Querystring: Record<string, string | string[]> }>({
      method,
      url: `/v1/store/${path}`,
      exposeHeadRoute: false,
      config: { nodes: 1 },
      onRequest: async (request) => {
        await withTimeout(requireOperator(core, request), answerTimeout);
      },
      handler: async (request, reply) => {
        checkQuery(closed({}), request.query);
        if (parseStoreUrl(target.url).scheme === 'memory') throw memoryProblem();
        if (isAnswering) throw busyProblem(what);
        isAnswering = true;
        try {
          return await answer(request, reply);
        } finally {
          isAnswering = false;
        }
      },
    });
  };
  add('backup', { method: 'POST', path: 'backup' }, (request, reply) => sendBackup(request, reply, options));
}

/** Refuses parameters that do not exist. @throws Problem(invalid-input) */
function checkQuery(schema: TObject, raw: Readonly<Record<string, string | string[]>>): void {
  const [violation, ...others] = violationsOf(schema, { ...readQuery(schema, raw) }, '/query');
  if (violation === undefined) return;
  throw new Problem('invalid-input', `The parameter ${violation.path.slice(7)} ${violation.message}.`, {
    violations: [violation, ...others],
  });
}

function memoryProblem(): Problem {
  return new Problem('not-implemented', 'The store of this server is in memory only.', {
    hint: 'Start the server with a store that lasts, such as --store sqlite:docs.db.',
  });
}

function busyProblem(what: string): Problem {
  return new Problem('rate-limited', `The server is answering another request for a ${what}.`, {
    hint: 'Wait until it has ended, then try again.',
    retryAfter: busyFor,
  });
}

/** Streams a backup as `docsctl store backup` writes it. A client knows from its last line that it has all of it. */
async function sendBackup(
  request: FastifyRequest,
  reply: FastifyReply,
  { core, target, version, log }: StoreRouteOptions,
): Promise<void> {
  const { caller } = request;
  if (caller === undefined) throw nothingHere();
  const since = performance.now();
  const { backupStore } = await import('../stores/backup/backup-store.ts');
  await recordBackup(core, request, caller);
  const stop = new AbortController();
  reply.raw.once('close', () => stop.abort());
  let bytes = 0;
  const note = (state: 'done' | 'cut', more: object): void =>
    log?.write('warn', {
      event: 'backup',
      requestId: request.id,
      state,
      bytes,
      ms: Math.round(performance.now() - since),
      user: caller.user.id,
      token: caller.token ?? null,
      address: request.ip.slice(0, 100),
      ...more,
    });
  const origin = { version, createdAt: isoTime(core.clock()) };
  try {
    const { rows, sha256 } = await backupStore(
      target,
      origin,
      async (lines) => {
        startStream(request, reply, 'application/x-ndjson');
        await pipeline(async function* () {
          for await (const text of lines) {
            bytes += Buffer.byteLength(text);
            yield text;
          }
        }, reply.raw);
      },
      stop.signal,
    );
    note('done', { rows, sha256 });
  } catch (error) {
    note('cut', error instanceof Problem ? { reason: error.reason } : {});
    if (!reply.raw.headersSent) throw error;
    // The connection ends before the last line, so the client refuses what it has.
    reply.raw.destroy();
    if (!stop.signal.aborted && log !== undefined && refusalOf(error).isFault)
      logFault(log, request.id, error);
  }
}

/** Starts an answer that takes long. What follows is written to `reply.raw`. */
function startStream(request: FastifyRequest, reply: FastifyReply, contentType: string): void {
  addStandardHeaders(request, reply);
  // Proxies such as nginx pass on what has this header as it comes.
  reply.headers({ 'content-type': contentType, 'x-accel-buffering': 'no' });
  // An injected request has no socket with a timeout.
  (request.raw.socket as Partial<Socket>).setTimeout?.(maxPause);
  reply.hijack();
  reply.raw.writeHead(200, reply.getHeaders() as Record<string, string>);
}
