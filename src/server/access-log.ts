import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Problem } from '../errors/problem.ts';
import { statusOf } from './answer.ts';
import { addressOf } from './client-limit.ts';
import type { Log } from './log.ts';
import { isProbe } from './probes.ts';

/**
 * Logs one answer. Logs the route instead of the path, and the ID of a token instead of the token, because a path or a query can
 * contain a key. `since` is when the request arrived, as `performance.now()`.
 */
export function logAnswer(log: Log, request: FastifyRequest, reply: FastifyReply, since: number): void {
  const level = isProbe(request.url) ? 'debug' : 'info';
  if (!log.isEnabled(level)) return;
  const { caller } = request;
  log.write(level, {
    event: 'request',
    requestId: request.id,
    method: request.method,
    route: request.routeOptions.url ?? null,
    status: statusOf(reply.raw),
    ms: Math.round((performance.now() - since) * 10) / 10,
    bytes: request.method === 'HEAD' ? 0 : Number(reply.getHeader('content-length') ?? 0),
    user: caller?.user.id ?? null,
    token: caller?.token ?? null,
    organization: request.organization ?? caller?.organization ?? null,
    address: addressOf(request),
    ...(request.refusal === undefined ? {} : { reason: request.refusal.reason }),
  });
}

/** Logs an unexpected error, with its stack and its cause. */
export function logFault(log: Log, requestId: string | null, error: unknown): void {
  const fault = error instanceof Error ? error : new Error(String(error));
  const cause = fault.cause instanceof Error ? { cause: fault.cause.stack ?? fault.cause.message } : {};
  log.write('error', {
    event: 'fault',
    requestId,
    message: fault.message,
    stack: fault.stack ?? '',
    ...cause,
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Why the request was refused, for the log. */
    refusal: Problem | undefined;
  }
}
