import type { FastifyReply, FastifyRequest } from 'fastify';
import { isoTime, type Clock } from '../core/clock.ts';

/** Writes one log entry. */
export type Log = (entry: object) => void;

/** Logs one answer. Logs the route instead of the path, because a path or a query can contain a key. */
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

/** Logs an unexpected error, with its stack and its cause. */
export function logFault(log: Log, clock: Clock, requestId: string, error: unknown): void {
  const fault = error instanceof Error ? error : new Error(String(error));
  const cause = fault.cause instanceof Error ? { cause: fault.cause.stack ?? fault.cause.message } : {};
  log({
    time: isoTime(clock()),
    requestId,
    level: 'error',
    message: fault.message,
    stack: fault.stack ?? '',
    ...cause,
  });
}
