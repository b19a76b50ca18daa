import type { FastifyReply, FastifyRequest } from 'fastify';
import { isoTime, type Clock } from '../core/clock.ts';

export type Log = (entry: object) => void;

/** Writes the entry of one answer; the route and not the path, because a path or a query can hold a key. */
export function logAnswer(log: Log, clock: Clock, request: FastifyRequest, reply: FastifyReply): void {
  log({
    time: isoTime(clock()),
    requestId: request.id,
    method: request.method,
    route: request.routeOptions.url ?? null,
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    user: request.userId ?? null,
  });
}

/** Writes an entry about a fault of ours, with its stack. */
export function logFault(log: Log, clock: Clock, requestId: string, error: unknown): void {
  const known = error instanceof Error ? error : new Error(String(error));
  const cause = known.cause instanceof Error ? { cause: known.cause.stack ?? known.cause.message } : {};
  log({
    time: isoTime(clock()),
    requestId,
    level: 'error',
    message: known.message,
    stack: known.stack ?? '',
    ...cause,
  });
}
