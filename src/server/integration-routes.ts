import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { defined } from '../contract/values.ts';
import type { Core } from '../core/embedded.ts';
import type { ScriptAnswer } from '../core/scripts.ts';
import type { EndpointPath, SiteEvent, SitePath } from '../resources/integration-events/public-endpoint.ts';
import type { BodyBudget } from './body-budget.ts';
import { identifyClient, limitByAddress } from './client-limit.ts';
import { credentialOf } from './credential.ts';
import { withTimeout } from './routes.ts';

/** Loaded at the first request, because most servers have no such integration. */
const endpoints = () => import('../resources/integration-events/public-endpoint.ts');

const bodyLimit = 5 * 1024 * 1024;
/** Requests per minute that one address may send to scripts. */
const perMinute = 600;

const base = '/v1/integrations/:integrationName';
const installation = `${base}/installations/:installationId`;

/**
 * Adds the public endpoints of integrations and installations, which their scripts answer; the routes for sites (scripts of
 * pages, and the sign-in of visitors); and the images of integrations. None needs a token.
 */
export function addIntegrationRoutes(
  app: FastifyInstance,
  core: Core,
  { answerTimeout, bodies }: { answerTimeout: number; bodies: BodyBudget },
): void {
  // Registered as a plugin, so that only these routes accept any type of body.
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes: Buffer, done) =>
      done(null, bytes),
    );
    const onRequest = limitByAddress(app, 'integrations', perMinute);
    for (const place of [
      base,
      installation,
      `${installation}/spaces/:spaceId`,
      `${installation}/sites/:siteId`,
    ])
      for (const url of [`${place}/integration`, `${place}/integration/*`])
        scope.route<{ Params: EndpointPath }>({
          method: ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'],
          url,
          bodyLimit,
          onRequest: async (request, reply) => {
            await onRequest(request);
            if (bodies.needsPlace(request, bodyLimit))
              bodies.take(request, reply, { client: identifyClient(request), limit: bodyLimit });
          },
          exposeHeadRoute: false,
          handler: async (request, reply) => {
            const { authorization } = request.headers;
            // In any form: a script must never get a token of this program.
            const isOwn = /\bdct[li]_/.test(authorization ?? '');
            const { answerPublicRequest } = await endpoints();
            const answer = await withTimeout(
              answerPublicRequest(core, request.params, {
                method: request.method,
                path: request.url,
                headers: plainHeaders(request),
                body: Buffer.isBuffer(request.body) ? request.body : undefined,
                credential: isOwn ? credentialOf(authorization) : undefined,
                signal: signalOf(reply),
              }),
              answerTimeout,
            );
            return send(request, reply, answer);
          },
        });
    scope.get<{ Params: { integrationName: string; imageId: string } }>(
      `${base}/assets/:imageId`,
      { onRequest },
      async (request, reply) => {
        const { answerImage } = await import('../resources/integrations/public-images.ts');
        return send(
          request,
          reply,
          await answerImage(core, request.params, request.headers['if-none-match']),
        );
      },
    );
    const ofSite = (name: string, eventOf: (query: Readonly<Record<string, string>>) => SiteEvent): void =>
      void scope.get<{ Params: SitePath; Querystring: Record<string, string | string[]> }>(
        `${installation}/sites/:siteId/${name}`,
        { onRequest, exposeHeadRoute: false },
        async (request, reply) => {
          const { answerSiteEvent } = await endpoints();
          const query = Object.fromEntries(
            Object.entries(request.query).map(([key, value]) => [key, String(value)]),
          );
          const work = answerSiteEvent(core, request.params, eventOf(query), signalOf(reply));
          return send(request, reply, await withTimeout(work, answerTimeout));
        },
      );
    ofSite('script.js', () => ({ type: 'fetch_published_script' }));
    ofSite('visitor-auth', ({ location, action, ...searchParams }) => ({
      type: 'fetch_visitor_authentication',
      ...defined({ location }),
      ...(action === 'logout' ? { action } : {}),
      searchParams,
    }));
  });
}

function plainHeaders({ headers }: FastifyRequest): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}

/** Returns a signal that is aborted when the client disconnects before it gets its answer. */
function signalOf(reply: FastifyReply): AbortSignal {
  const stop = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) stop.abort();
  });
  return stop.signal;
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers, body }: ScriptAnswer,
): FastifyReply {
  for (const [name, value] of headers) reply.header(name, value);
  reply.header('request-id', request.id).header('x-content-type-options', 'nosniff');
  return reply.code(status).send(Buffer.from(body));
}
