import { getOwned } from '../../core/store.ts';
import { defined } from '../../contract/values.ts';
import { identify, type Caller, type Credential } from '../../core/callers.ts';
import { isoTime } from '../../core/clock.ts';
import { servicesOf, type Core } from '../../core/embedded.ts';
import type { Services } from '../../core/handler.ts';
import {
  agreedScopes,
  installations,
  integrations,
  type IntegrationRow,
} from '../../core/rows/integrations.ts';
import type { ScriptAnswer } from '../../core/scripts.ts';
import { sites } from '../../core/rows/sites.ts';
import { isProblem, notFound, Problem } from '../../errors/problem.ts';
import { contentPolicyOf } from './content-policy.ts';
import type { Recipient } from './environment.ts';
import { runLive, type LiveEvent } from './runs.ts';
import { addsScript, findTarget, listOnSite } from './targets.ts';

/** An unchanged HTTP request to a public endpoint of an integration. */
interface PublicRequest {
  readonly method: string;
  /** Path and query, starting with `/v1`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  /** A token of this program; undefined if the Authorization header contains something else. */
  readonly credential: Credential | undefined;
  readonly signal: AbortSignal;
}

/** The parameters of the path of an endpoint. */
export interface EndpointPath {
  readonly integrationName: string;
  readonly installationId?: string;
  readonly spaceId?: string;
  readonly siteId?: string;
}

/** Request headers that the script does not get: they describe the connection, or would let the script act as the caller. */
const keptHeaders =
  /^(?:host|connection|cookie|content-length|transfer-encoding|keep-alive|upgrade|te|trailer|expect|proxy-.*)$/;
/**
 * Response headers that would change how a browser treats other pages of this server, or with which a proxy would send one of its
 * own files.
 */
const refusedHeaders =
  /^(?:set-cookie2?|connection|content-length|content-encoding|transfer-encoding|keep-alive|upgrade|trailer|strict-transport-security|clear-site-data|service-worker-allowed|alt-svc|access-control-allow-credentials|x-content-type-options|content-security-policy|request-id|nel|report-to|reporting-endpoints|x-accel-.*|x-sendfile2?|x-lighttpd-send-file|x-litespeed-location|x-reproxy-.*)$/;

/**
 * Answers a request to a public endpoint with the script of its integration.
 *
 * @throws Problem(not-found) for an integration, installation, space or site that does not exist, or that do not belong together;
 * Problem(unauthenticated) for an invalid token of this program
 */
export async function answerPublicRequest(
  core: Core,
  path: EndpointPath,
  request: PublicRequest,
): Promise<ScriptAnswer> {
  const { recipient, caller } = await core.store.read(async (view) => {
    const integration = await view.get(integrations, path.integrationName);
    if (integration === undefined) throw notFound('integration', path.integrationName);
    const { installationId, spaceId, siteId } = path;
    const found: Recipient = { integration };
    const identified: Caller | undefined =
      request.credential === undefined
        ? undefined
        : await identify(view, request.credential, isoTime(core.clock()));
    if (installationId === undefined) return { recipient: found, caller: identified };
    const installation = await getOwned(
      view,
      installations,
      installationId,
      { integration: integration.id },
      'installation',
    );
    const target = await findTarget(view, { integration, installation }, { spaceId, siteId });
    if (target === undefined && spaceId !== undefined) throw notFound('space', spaceId);
    if (target === undefined && siteId !== undefined) throw notFound('site', siteId);
    return { recipient: { integration, installation, target }, caller: identified };
  });
  const { method } = request;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(
      ([name]) => !keptHeaders.test(name) && (name !== 'authorization' || request.credential === undefined),
    ),
  );
  const event = {
    type: 'fetch',
    ...defined({ spaceId: path.spaceId, siteId: path.siteId }),
    ...(caller === undefined ? {} : { auth: { userId: caller.user.id } }),
    request: { method: method.toLowerCase(), url: core.publicUrl + request.path, headers },
  };
  const services = servicesOf(core, request.signal);
  const body = hasBody ? (request.body ?? new Uint8Array()) : undefined;
  const answer = await runForStranger(services, recipient, event, body);
  return guard(answer, recipient.integration);
}

/** The events that an integration answers for a site, and the required scope. */
export type SiteEvent =
  | { readonly type: 'fetch_published_script' }
  | {
      readonly type: 'fetch_visitor_authentication';
      readonly location?: string;
      readonly searchParams: Readonly<Record<string, string>>;
      readonly action?: 'logout';
    };
const isAllowed = {
  fetch_published_script: addsScript,
  fetch_visitor_authentication: ({ integration, installation }: Parameters<typeof addsScript>[0]) =>
    agreedScopes(integration, installation).includes('site:visitor:auth'),
};

/** The path parameters of a site event. */
export interface SitePath {
  readonly integrationName: string;
  readonly installationId: string;
  readonly siteId: string;
}

/**
 * Asks an integration for the script that it adds to the pages of a site, or for the address where visitors sign in.
 *
 * @throws Problem(not-found) if the integration is not installed on the site with the required scope
 */
export async function answerSiteEvent(
  core: Core,
  { integrationName, installationId, siteId }: SitePath,
  event: SiteEvent,
  signal: AbortSignal,
): Promise<ScriptAnswer> {
  const recipient = await core.store.read(async (view) => {
    const site = await view.get(sites, siteId);
    const all = site === undefined ? [] : await listOnSite(view, site);
    const found = all.find(
      (one) =>
        one.integration.id === integrationName &&
        one.installation.id === installationId &&
        isAllowed[event.type](one),
    );
    if (found === undefined) throw notFound('integration', integrationName);
    return found;
  });
  const services = servicesOf(core, signal);
  const answer = await runForStranger(services, recipient, { ...event, siteId });
  return guard(answer, recipient.integration);
}

/**
 * Delivers an event to an integration and returns its answer. Errors of the script are only in the trace of the event, because
 * anybody can send such a request, and the error may contain secrets of the script.
 *
 * @throws Problem(script-failed) if the script fails; Problem(unreachable) if nobody receives the event
 */
async function runForStranger(
  services: Services,
  recipient: Recipient,
  event: LiveEvent,
  body?: Uint8Array,
): Promise<ScriptAnswer> {
  try {
    return await runLive(services, recipient, event, body);
  } catch (error) {
    if (!isProblem(error, 'script-failed')) throw error;
    const { hint } = error;
    throw new Problem('script-failed', `The integration "${recipient.integration.id}" did not answer.`, {
      hint,
    });
  }
}

/**
 * Returns the answer of a script for a browser: without headers that affect the whole server, and with the policy of the
 * integration.
 */
function guard({ status, headers, body }: ScriptAnswer, integration: IntegrationRow): ScriptAnswer {
  return {
    status,
    headers: [
      ...headers.filter(([name]) => !refusedHeaders.test(name)),
      ['content-security-policy', contentPolicyOf(integration)],
    ],
    body,
  };
}
