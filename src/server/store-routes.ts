import type { Socket } from 'node:net';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { violationsOf } from '../contract/check.ts';
import { closed, Type, type TObject } from '../contract/schema.ts';
import { defined } from '../contract/values.ts';
import { isoTime } from '../core/clock.ts';
import type { Core } from '../core/embedded.ts';
import { Problem } from '../errors/problem.ts';
import type { StoreTarget } from '../stores/backup/restore.ts';
import { parseStoreUrl, pathOfStore, withoutPassword } from '../stores/url.ts';
import { logFault } from './access-log.ts';
import { addStandardHeaders } from './answer.ts';
import { errorBody, nothingHere, refusalOf } from './errors.ts';
import { addressOf } from './client-limit.ts';
import type { Log } from './log.ts';
import { recordBackup, requireOperator } from './operator.ts';
import { readQuery } from './query.ts';
import { withTimeout } from './routes.ts';

interface StoreRouteOptions {
  readonly core: Core;
  /** The store of the core. It is opened a second time, so that other connections do not have to wait. */
  readonly target: StoreTarget;
  readonly version: string;
  /** Maximum milliseconds to identify the caller. */
  readonly answerTimeout: number;
  readonly log: Log | undefined;
}

/** Maximum milliseconds in which the client reads nothing of a long answer. Meanwhile the store keeps its snapshot. */
const maxPause = 120_000;
/** Milliseconds between two line feeds during a long answer. */
const beatEvery = 5000;
/** Seconds after which a client may retry if the route is busy with another request. */
const busyFor = 10;

/**
 * Adds the routes that only the operator may use, because they return data of all organizations. The caller is identified before
 * anything else in the request is read. Each route answers one request at a time.
 */
export function addStoreRoutes(app: FastifyInstance, options: StoreRouteOptions): void {
  const { core, target, answerTimeout, log } = options;
  const add = (
    { method, what, query = closed({}) }: StoreRoute,
    answer: (request: FastifyRequest, reply: FastifyReply) => Promise<void>,
  ): void => {
    let isAnswering = false;
    app.route<{ Querystring: Record<string, string | string[]> }>({
      method,
      url: `/v1/store/${what}`,
      exposeHeadRoute: false,
      config: { nodes: 1 },
      onRequest: async (request) => {
        await withTimeout(requireOperator(core, request), answerTimeout);
      },
      handler: async (request, reply) => {
        checkQuery(query, request.query);
        if (parseStoreUrl(target.url).scheme === 'memory') throw memoryProblem();
        if (isAnswering) throw busyProblem();
        isAnswering = true;
        try {
          await answer(request, reply);
        } finally {
          isAnswering = false;
        }
      },
    });
  };
  add({ method: 'POST', what: 'backup' }, (request, reply) => sendBackup(request, reply, options));
  add({ method: 'POST', what: 'check', query: CheckQuery }, (request, reply) =>
    sendSlowly(request, reply, log, async (signal) => {
      const { checkApart } = await import('../stores/check/check-apart.ts');
      const { quick = 'false' } = request.query as { quick?: string };
      const { rows, damages } = await checkApart(target, { quick: quick === 'true', signal });
      const shown = damages.map((damage) => ({ ...damage, what: withoutPlace(damage.what, target) }));
      return { rows, damages: shown };
    }),
  );
  add({ method: 'GET', what: 'info' }, (request, reply) =>
    sendSlowly(request, reply, log, (signal) => describeStore(core, target, signal)),
  );
}

interface StoreRoute {
  readonly method: 'GET' | 'POST';
  /** The last segment of the path. */
  readonly what: string;
  /** The schema of the query parameters (default: none). */
  readonly query?: TObject;
}

const CheckQuery = closed({ quick: Type.Optional(Type.Boolean()) });

/**
 * Returns the output of `docsctl store info` without the location of the store, because its path or host means nothing on another
 * machine.
 */
async function describeStore(core: Core, target: StoreTarget, signal: AbortSignal): Promise<object> {
  const [{ readStoreInfo }, { fingerprintOfKey }] = await Promise.all([
    import('../stores/info.ts'),
    import('../stores/backup/key-report.ts'),
  ]);
  const { url: _, movedTo, ...info } = await readStoreInfo(target, signal);
  const { env, randomBytes } = core;
  const key = (await fingerprintOfKey(target.url, { cwd: target.cwd, env, randomBytes })) ?? null;
  return { ...info, ...defined({ movedTo: movedTo && parseStoreUrl(movedTo).scheme }), key };
}

/** Removes the folder of a store, or the host of a database, from a text about damage. */
function withoutPlace(text: string, { url, cwd }: StoreTarget): string {
  const path = pathOfStore(url, cwd);
  return path === undefined
    ? text.replaceAll(withoutPassword(url), 'postgres')
    : text.replaceAll(path, basename(path));
}

/** Refuses unknown query parameters. @throws Problem(invalid-input) */
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

function busyProblem(): Problem {
  return new Problem('rate-limited', 'The server is answering another request of this kind.', {
    hint: 'Wait until it has ended, then try again.',
    retryAfter: busyFor,
  });
}

/** Streams a backup in the format of `docsctl store backup`. The client knows from the last line that the backup is complete. */
async function sendBackup(
  request: FastifyRequest,
  reply: FastifyReply,
  { core, target, version, log }: StoreRouteOptions,
): Promise<void> {
  const { caller } = request;
  if (caller === undefined) throw nothingHere();
  const since = performance.now();
  const { backupStore, onlyOnce } = await import('../stores/backup/backup-store.ts');
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
      address: addressOf(request),
      ...more,
    });
  const origin = { version, createdAt: isoTime(core.clock()) };
  try {
    const { rows, sha256 } = await backupStore(
      target,
      origin,
      onlyOnce(async (lines: AsyncIterable<string>) => {
        startStream(request, reply, 'application/x-ndjson');
        await pipeline(async function* () {
          for await (const text of lines) {
            bytes += Buffer.byteLength(text);
            yield text;
          }
        }, reply.raw);
      }),
      { signal: stop.signal },
    );
    note('done', { rows, sha256 });
  } catch (error) {
    note('cut', error instanceof Problem ? { reason: error.reason } : {});
    if (!reply.raw.headersSent) throw error;
    // The connection ends before the last line, so the client refuses the incomplete backup.
    reply.raw.destroy();
    if (log !== undefined && refusalOf(error).isFault) logFault(log, request.id, error);
  }
}

/**
 * Sends JSON that may take minutes to make. Until then, line feeds show the client and proxies that the server is working. An
 * error is sent as JSON, also with status 200.
 */
async function sendSlowly(
  request: FastifyRequest,
  reply: FastifyReply,
  log: Log | undefined,
  make: (signal: AbortSignal) => Promise<object>,
): Promise<void> {
  const stop = new AbortController();
  const { raw } = reply;
  raw.once('close', () => stop.abort());
  startStream(request, reply, 'application/json; charset=utf-8');
  raw.write('\n');
  const beat = setInterval(() => raw.write('\n'), beatEvery);
  try {
    raw.end(JSON.stringify(await make(stop.signal)));
  } catch (error) {
    const refusal = refusalOf(error);
    request.refusal = refusal.problem;
    if (refusal.isFault && log !== undefined) logFault(log, request.id, error);
    raw.end(JSON.stringify(errorBody(refusal, request.id)));
  } finally {
    clearInterval(beat);
  }
}

/** Starts a long answer. The rest is written to `reply.raw`. */
function startStream(request: FastifyRequest, reply: FastifyReply, contentType: string): void {
  addStandardHeaders(request, reply);
  // With this header, proxies such as nginx do not buffer the answer.
  reply.headers({ 'content-type': contentType, 'x-accel-buffering': 'no' });
  // An injected request has no socket with a timeout.
  (request.raw.socket as Partial<Socket>).setTimeout?.(maxPause);
  reply.hijack();
  reply.raw.writeHead(200, reply.getHeaders() as Record<string, string>);
}
