import type { FastifyInstance } from 'fastify';
import { Problem } from '../errors/problem.ts';

/** What a request gets that comes while the server stops. */
export function stoppingProblem(): Problem {
  return new Problem('unreachable', 'The server is stopping.', {
    hint: 'Try again in a few seconds.',
    retryAfter: 1,
  });
}

/** Takes no more connections, lets open requests be answered, and cuts what is left after so many milliseconds. */
export async function stopApp(app: FastifyInstance, grace: number): Promise<void> {
  app.state.isStopping = true;
  const { server } = app;
  let timer: NodeJS.Timeout | undefined;
  const ended = new Promise<void>((resolve) => server.close(() => resolve()));
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, grace);
  });
  await Promise.race([ended, late]);
  clearTimeout(timer);
  server.closeAllConnections();
  await app.close();
}
