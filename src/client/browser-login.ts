import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Outgoing } from '../core/outgoing.ts';
import { isProblem, Problem } from '../errors/problem.ts';
import { problemFromResponse } from './problem-from-response.ts';

interface BrowserLogin {
  readonly server: string;
  readonly token: string;
  readonly organization: string;
}

export interface BrowserLoginOptions {
  readonly server: string;
  readonly send: Outgoing;
  /** The URL on the server that starts a sign-in with a SAML provider. */
  readonly startURL: string;
  /** The time limit for the user. It starts with the first call of `signal`. */
  readonly timeout: { readonly seconds: number; readonly signal: () => AbortSignal };
  /** Aborted when the command is interrupted. */
  readonly signal: AbortSignal;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Shows the address to open. */
  readonly note: (message: string) => void;
}

/**
 * Signs a user in through the browser: waits on loopback for the code that the server redirects to, and exchanges it for a token,
 * with the PKCE challenge of RFC 7636.
 *
 * @throws Problem(timed-out) if nobody signs in in time, Problem(unreachable) if no docsctl server answers
 */
export async function signInByBrowser(options: BrowserLoginOptions): Promise<BrowserLogin> {
  const { server, send, startURL, timeout, signal, randomBytes, note } = options;
  const limits = { maxRedirects: 0, maxBytes: 64 * 1024, trusted: true, signal } as const;
  // The URL is checked before the user is asked to open it.
  const start = await send({ url: startURL, ...limits });
  if (start.status < 300 || start.status > 399)
    throw start.status < 400 ? notDocsctl(server) : problemFromResponse(start.status, parse(start.bytes));
  const createSecret = (): string => Buffer.from(randomBytes(32)).toString('base64url');
  const [state, verifier] = [createSecret(), createSecret()];
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const code = await waitForCode(state, options, (redirect) => {
    const query = new URLSearchParams({ redirect, state, challenge }).toString();
    note(
      `Open this address in a browser on this machine within ${timeout.seconds} s (Ctrl-C cancels):\n${startURL}?${query}`,
    );
  });
  const { status, bytes } = await send({
    url: `${server}/saml/token`,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ code, verifier }).toString(),
    ...limits,
  });
  const answer = parse(bytes);
  if (status !== 200) throw problemFromResponse(status, answer);
  const { token, organization } = (answer ?? {}) as { token?: unknown; organization?: unknown };
  if (typeof token !== 'string' || typeof organization !== 'string') throw notDocsctl(server);
  return { server, token, organization };
}

function notDocsctl(server: string): Problem {
  return new Problem('unreachable', `${server} is not a docsctl server.`, {
    hint: 'Check the address: it may lead to a web page, a login page or a proxy.',
  });
}

/** Listens on a free port of this machine until a request contains the code with the right state. */
async function waitForCode(
  state: string,
  { signal, timeout }: Pick<BrowserLoginOptions, 'signal' | 'timeout'>,
  onReady: (redirect: string) => void,
): Promise<string> {
  const server = createServer({ requestTimeout: 10_000 });
  try {
    return await new Promise<string>((resolve, reject) => {
      const onTimeout = (): void =>
        reject(
          new Problem('timed-out', `Nobody signed in within ${timeout.seconds} s.`, {
            hint: 'Run the command again, with --timeout SECONDS to wait longer. A token from an administrator needs no browser.',
          }),
        );
      const onAbort = (): void =>
        isProblem(signal.reason, 'timed-out')
          ? onTimeout()
          : reject(new Problem('interrupted', 'Interrupted before anyone signed in.'));
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      timeout.signal().addEventListener('abort', onTimeout, { once: true });
      const onRequest: RequestListener = (request, response) => {
        const code = readCode(request, state);
        response.writeHead(code === undefined ? 400 : 200, {
          'content-type': 'text/plain; charset=utf-8',
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
          connection: 'close',
        });
        response.end(
          code === undefined
            ? 'This sign-in does not belong to the docsctl command that is waiting.\n'
            : 'Signed in. You can close this page.\n',
          () => code !== undefined && resolve(code),
        );
      };
      server
        .on('request', onRequest)
        .on('error', reject)
        .listen(0, '127.0.0.1', () =>
          onReady(`http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`),
        );
    });
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** Returns the code of a request to the callback; undefined if its state belongs to another sign-in. */
function readCode({ method, url = '' }: IncomingMessage, state: string): string | undefined {
  const [path, query = ''] = url.split('?', 2);
  const fields = new URLSearchParams(query);
  const given = Buffer.from(fields.get('state') ?? '');
  const isExpected =
    method === 'GET' &&
    path === '/callback' &&
    given.length === state.length &&
    timingSafeEqual(given, Buffer.from(state));
  return isExpected ? (fields.get('code') ?? undefined) : undefined;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return undefined;
  }
}
