import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Core } from '../core/embedded.ts';
import type { SamlReturn } from '../resources/saml/rows.ts';
import { invalid, Problem } from '../errors/problem.ts';
import { sendText } from './answer.ts';
import { limitByAddress } from './client-limit.ts';
import { pageHeaders, refusedPage, tokenPage } from './saml-page.ts';
import { sourceOf, withTimeout } from './routes.ts';
import { parseUrl } from '../contract/parse-url.ts';

/** Loaded on the first sign-in, because most servers have none. */
const signIn = () => import('../resources/saml/sign-in.ts');

/** Maximum size of the form with the response of an identity provider, in bytes. */
const formLimit = 384 * 1024;
/**
 * Maximum number per minute and address of started sign-ins, of finished sign-ins, and of exchanged codes. These routes need no
 * token.
 */
const perMinute = 60;

interface Path {
  readonly Params: { readonly providerId: string };
}

/** Adds the routes of single sign-on for browsers and identity providers. They are not operations of the API. */
export function addSamlRoutes(app: FastifyInstance, core: Core, answerTimeout: number): void {
  // Registered as a plugin, so that only these routes accept forms.
  void app.register(async (scope) => {
    scope.addContentTypeParser(
      /^application\/x-www-form-urlencoded\s*(?:;|$)/i,
      { parseAs: 'string' },
      (_request, text: string, done) => done(null, text),
    );
    scope.setErrorHandler((error: Error & { readonly code?: string }, request) => {
      throw describeFormError(error, request.routeOptions.bodyLimit);
    });
    const [begins, ends, codes] = [
      limitByAddress(app, 'sign-in begins', perMinute),
      limitByAddress(app, 'sign-in ends', perMinute),
      limitByAddress(app, 'sign-in codes', perMinute),
    ];
    scope.get<Path>('/saml/:providerId/metadata', { exposeHeadRoute: false }, async (request, reply) => {
      const xml = await withTimeout(
        (await signIn()).createProviderMetadata(core, request.params.providerId),
        answerTimeout,
      );
      return send(request, reply, 200, xml, { 'content-type': 'application/samlmetadata+xml' });
    });
    scope.get<Path>(
      '/saml/:providerId/start',
      { exposeHeadRoute: false, onRequest: begins, config: { errorPage: refusedPage } },
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
      { bodyLimit: formLimit, onRequest: ends, config: { errorPage: refusedPage } },
      async (request, reply) => {
        const { SAMLResponse: response } = readForm(request.body, ['SAMLResponse']);
        // A sign-in that the identity provider starts has none.
        const relayState = new URLSearchParams(String(request.body)).get('RelayState') ?? '';
        const outcome = await withTimeout(
          (await signIn()).finishSignIn(
            core,
            request.params.providerId,
            { response, relayState },
            sourceOf(request),
          ),
          answerTimeout,
        );
        if ('redirect' in outcome)
          return send(request, reply, 303, '', {
            location: outcome.redirect,
            'referrer-policy': 'no-referrer',
          });
        return send(request, reply, 200, tokenPage(outcome, core.publicUrl), pageHeaders);
      },
    );
    scope.post('/saml/token', { bodyLimit: 4096, onRequest: codes }, async (request, reply) => {
      const { code, verifier } = readForm(request.body, ['code', 'verifier']);
      const answer = await withTimeout(
        (await signIn()).redeemCode(core, code, verifier, sourceOf(request)),
        answerTimeout,
      );
      return sendText(request, reply, 200, JSON.stringify(answer));
    });
  });
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

function describeFormError(error: Error & { readonly code?: string }, limit = formLimit): Error {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Problem('too-large', `The form is larger than ${limit >> 10} KiB.`, {
      hint: 'Make the identity provider send fewer attributes, in particular no lists of groups.',
    });
  return error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' ? formProblem() : error;
}

function formProblem(): Problem {
  return new Problem('unsupported-media', 'The body is not a form.', {
    hint: 'Send "Content-Type: application/x-www-form-urlencoded".',
  });
}

/** Parses the fields of a form. Each must be present exactly once. @throws Problem(invalid-input), Problem(unsupported-media) */
function readForm<N extends string>(body: unknown, names: readonly N[]): Record<N, string> {
  if (typeof body !== 'string') throw formProblem();
  return readFields(new URLSearchParams(body), names);
}

function readFields<N extends string>(fields: URLSearchParams, names: readonly N[]): Record<N, string> {
  return Object.fromEntries(
    names.map((name) => {
      const [value, second] = fields.getAll(name);
      if (value === undefined || value === '' || second !== undefined)
        throw invalid(`/body/${name}`, `The form must have exactly one field ${name}.`);
      return [name, value];
    }),
  ) as Record<N, string>;
}

/**
 * Parses the return address of a sign-in: the loopback URL of a waiting program, or null to show the token in the browser.
 *
 * @throws Problem(invalid-input) for any other URL
 */
function readReturn(url: string): SamlReturn | null {
  const at = url.indexOf('?');
  const query = new URLSearchParams(at === -1 ? '' : url.slice(at + 1));
  if (!query.has('redirect')) return null;
  const { redirect, state, challenge } = readFields(query, ['redirect', 'state', 'challenge']);
  if (
    !/^http:\/\/(?:127\.0\.0\.1|\[::1\]):[1-9]\d{3,4}\/callback$/.test(redirect) ||
    parseUrl(redirect) === undefined
  )
    throw invalid('/query/redirect', 'The redirect of a sign-in must be http://127.0.0.1:PORT/callback.');
  if (!/^[\w-]{16,64}$/.test(state))
    throw invalid('/query/state', 'The state must be 16 to 64 letters, digits, - and _.');
  if (!/^[\w-]{43}$/.test(challenge))
    throw invalid('/query/challenge', 'The challenge must be a SHA-256 digest in base64url.');
  return { redirect, state, challenge };
}
