import type { FastifyInstance } from 'fastify';
import { Problem } from '../errors/problem.ts';

/** Returns the error for requests that arrive while the server stops. */
export function stoppingProblem(): Problem {
  return new Problem('unreachable', 'The server is stopping.', {
    hint: 'Try again in a few seconds.',
    retryAfter: 1,
  });
}

/** Returns the error for probes that arrive while some processes of the server are still starting. */
export function startingProblem(): Problem {
  return new Problem('unreachable', 'Not all processes of the server are ready.', {
    hint: 'Try again in a few seconds.',
    retryAfter: 1,
  });
}

/**
 * Refuses new connections, waits at most `grace` milliseconds for open requests, and closes the remaining
 * connections.
 */
export async function stopApp(app: FastifyInstance, grace: number): Promise<void> {
  app.state.isDraining = true;
  app.state.isStopping = true;
  const { server } = app;
  let timer: NodeJS.Timeout | undefined;
  const ended = new Promise<void>((resolve) => server.close(() => resolve()));
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, grace);
  });
  await Promise.race([ended, timeout]);
  clearTimeout(timer);
  server.closeAllConnections();
  await app.close();
}
