import type { FastifyInstance } from 'fastify';
import { describe } from '../description/describe.ts';
import type { Core } from '../core/embedded.ts';
import type { Noun } from '../resources/index.ts';
import { sendText } from './answer.ts';
import { addAppRoutes } from './app-routes.ts';
import type { BodyBudget } from './body-budget.ts';
import { addIntegrationRoutes } from './integration-routes.ts';
import { addSamlRoutes } from './saml-routes.ts';
import type { Threads } from './threads/threads.ts';
import { withTimeout } from './routes.ts';
import { startingProblem } from './stop.ts';

/** Options of the service routes. `answerTimeout` is in milliseconds. */
interface ServiceOptions {
  readonly core: Core;
  readonly nouns: readonly Noun[];
  readonly version: string;
  readonly answerTimeout: number;
  readonly bodies: BodyBudget;
  /** Rejects if the store cannot be read or written. */
  readonly checkStore: () => Promise<void>;
  /** Threads that read long texts (default: this thread reads them). */
  readonly threads: Pick<Threads, 'readMarkdown'> | undefined;
  /** Whether all processes of the server accept requests. */
  readonly isReady: () => boolean;
}

/**
 * Adds the routes that are not operations: health, readiness, the OpenAPI description, the pages for browsers, single sign-on,
 * and the public endpoints of integrations. They require no token, but the pages require a session.
 */
export function addServiceRoutes(
  app: FastifyInstance,
  { core, nouns, version, answerTimeout, bodies, checkStore, threads, isReady }: ServiceOptions,
): void {
  let description: Promise<string> | undefined;
  for (const url of ['/livez', '/healthz'])
    app.get(url, (request, reply) => sendText(request, reply, 200, '{"status":"ok"}'));
  app.get('/readyz', async (request, reply) => {
    if (!isReady()) throw startingProblem();
    await withTimeout(checkStore(), answerTimeout);
    return sendText(request, reply, 200, '{"status":"ready"}');
  });
  for (const url of ['/openapi.json', '/v1/openapi.json']) {
    app.get(url, async (request, reply) => {
      description ??= describe(nouns, { version, url: core.publicUrl }).then((document) =>
        JSON.stringify(document),
      );
      return sendText(request, reply, 200, await description);
    });
  }
  const { sitesUrl } = core;
  if (sitesUrl !== undefined)
    app.get('/sites/*', async ({ url }, reply) =>
      reply
        .code(308)
        .header('location', sitesUrl + url)
        .send(),
    );
  const sessions = async () => (await import('../app-pages/app-sessions.ts')).storedSessions(core);
  addAppRoutes(app, { core, sessions, answerTimeout, readApart: threads?.readMarkdown });
  addSamlRoutes(app, core, answerTimeout);
  addIntegrationRoutes(app, core, { answerTimeout, bodies });
}
