import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Core } from '../core/embedded.ts';
import type { SamlReturn } from '../resources/saml/rows.ts';
import { invalid, Problem } from '../errors/problem.ts';
import { sendText } from './answer.ts';
import { clientOf } from './client-limit.ts';
import { createRateLimit } from './rate-limit.ts';
import { pageHeaders, tokenPage } from './saml-page.ts';
import { withTimeout } from './routes.ts';

/** Loaded with the first who signs in: most servers never see one. */
const signIn = () => import('../resources/saml/sign-in.ts');

/** Bytes of an answer of an identity provider, as a form. */
const formLimit = 384 * 1024;
/** Sign-ins that one address may begin in a minute, and end: these routes ask for no token, and cost more than others. */
const perMinute = 60;

interface Path {
  readonly Params: { readonly providerId: string };
}

/** Adds single sign-on: what a browser and an identity provider talk to. None of it is an operation of the API. */
export function addSamlRoutes(app: FastifyInstance, core: Core, answerTimeout: number): void {
  // In a scope of its own: forms are taken here and nowhere else.
  void app.register(async (scope) => {
    scope.addContentTypeParser(
      /^application\/x-www-form-urlencoded\s*(?:;|$)/i,
      { parseAs: 'string' },
      (_request, text: string, done) => done(null, text),
    );
    scope.setErrorHandler((error: Error & { readonly code?: string }, request) => {
      throw describeFormError(error, request.routeOptions.bodyLimit);
    });
    const [begins, ends] = [limitByAddress(core.clock), limitByAddress(core.clock)];
    scope.get<Path>('/saml/:providerId/metadata', { exposeHeadRoute: false }, async (request, reply) => {
      const xml = await withTimeout(
        (await signIn()).createProviderMetadata(core, request.params.providerId),
        answerTimeout,
      );
      return send(request, reply, 200, xml, { 'content-type': 'application/samlmetadata+xml' });
    });
    scope.get<Path>(
      '/saml/:providerId/start',
      { exposeHeadRoute: false, onRequest: begins },
      async (request, reply) => {
        const back = readReturn(request.url);
        const location = await withTimeout(
          (await signIn()).startSignIn(core, request.params.providerId, back),
          answerTimeout,
        );
        return send(request, reply, 303, '', { location, 'referrer-policy': 'no-referrer' });
      },
    );
    scope.post<Path>(
      '/saml/:providerId/acs',
      { bodyLimit: formLimit, onRequest: ends },
      async (request, reply) => {
        const { SAMLResponse: response, RelayState: relayState } = readForm(request.body, [
          'SAMLResponse',
          'RelayState',
        ]);
        const outcome = await withTimeout(
          (await signIn()).finishSignIn(core, request.params.providerId, {
            response: response!,
            relayState: relayState!,
          }),
          answerTimeout,
        );
        if ('redirect' in outcome)
          return send(request, reply, 303, '', {
            location: outcome.redirect,
            'referrer-policy': 'no-referrer',
          });
        return send(request, reply, 200, tokenPage(outcome), pageHeaders);
      },
    );
    scope.post('/saml/token', { bodyLimit: 4096 }, async (request, reply) => {
      const { code, verifier } = readForm(request.body, ['code', 'verifier']);
      return sendText(
        request,
        reply,
        200,
        JSON.stringify(await withTimeout((await signIn()).redeemCode(core, code!, verifier!), answerTimeout)),
      );
    });
  });
}

/** By address whatever else a request says of itself: a header would be a new client each time. */
function limitByAddress(
  clock: Core['clock'],
): (request: FastifyRequest, reply: FastifyReply, done: () => void) => void {
  const { take } = createRateLimit(perMinute, clock);
  return (request, _reply, done) => {
    const { problem } = take(clientOf(request));
    if (problem !== undefined) throw problem;
    done();
  };
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>>,
): FastifyReply {
  return sendText(
    request,
    reply.headers(headers),
    status,
    body,
    headers['content-type'] ?? 'text/plain; charset=utf-8',
  );
}

/** Describes errors of forms; the server's own messages speak of JSON. */
function describeFormError(error: Error & { readonly code?: string }, limit = formLimit): Error {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Problem('too-large', `The form is larger than ${limit >> 10} KiB.`, {
      hint: 'Let the identity provider send fewer attributes, above all no lists of groups.',
    });
  return error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' ? formProblem() : error;
}

function formProblem(): Problem {
  return new Problem('unsupported-media', 'The body is no form.', {
    hint: 'Send "Content-Type: application/x-www-form-urlencoded".',
  });
}

/** The fields of a form, each there once. */
function readForm(body: unknown, names: readonly string[]): Record<string, string> {
  if (typeof body !== 'string') throw formProblem();
  return readFields(new URLSearchParams(body), names);
}

function readFields(given: URLSearchParams, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => {
      const [value, more] = given.getAll(name);
      if (value === undefined || value === '' || more !== undefined)
        throw invalid(`/body/${name}`, `The form needs one field ${name}.`);
      return [name, value];
    }),
  );
}

/** The loopback address of a waiting program, or null to show the token in the browser. Other addresses are refused. */
function readReturn(url: string): SamlReturn | null {
  const at = url.indexOf('?');
  const query = new URLSearchParams(at === -1 ? '' : url.slice(at + 1));
  if (!query.has('redirect')) return null;
  const { redirect, state, challenge } = readFields(query, ['redirect', 'state', 'challenge']);
  if (
    !/^http:\/\/(?:127\.0\.0\.1|\[::1\]):[1-9]\d{3,4}\/callback$/.test(redirect!) ||
    !URL.canParse(redirect!)
  )
    throw invalid('/query/redirect', 'A sign-in leads back to http://127.0.0.1:PORT/callback only.');
  if (!/^[\w-]{16,64}$/.test(state!))
    throw invalid('/query/state', 'The state has 16 to 64 letters, digits, - and _.');
  if (!/^[\w-]{43}$/.test(challenge!))
    throw invalid('/query/challenge', 'The challenge is a SHA-256 as base64url.');
  return { redirect: redirect!, state: state!, challenge: challenge! };
}
