import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Problem } from '../errors/problem.ts';
import { readPatience, type Patience } from './patience.ts';
import type { Session } from './session.ts';
import { problemFromResponse } from '../client/problem-from-response.ts';

/** What a sign-in in the browser gives. */
export interface BrowserLogin {
  readonly server: string;
  readonly token: string;
  readonly organization: string;
}

/** Reads the start URL of a provider, or its id where the server is known. */
export function readStart(
  text: string,
  server: string | undefined,
): { readonly server: string; readonly startURL: string } {
  const [, base] = /^(https?:\/\/[^?#]+?)\/saml\/[\w-]{1,255}\/start$/.exec(text) ?? [];
  if (base !== undefined) return { server: base, startURL: text };
  if (!/^[\w-]{1,255}$/.test(text))
    throw new Problem('usage', '--sso takes the start URL of a provider, or its id.', {
      hint: '`docsctl sso list` shows both to members; ask one, or an administrator.',
    });
  if (server === undefined)
    throw new Problem('usage', 'Log in to what?', {
      hint: 'Give --server URL, or the whole start URL of the provider.',
    });
  return { server, startURL: `${server.replace(/\/+$/, '')}/saml/${text}/start` };
}

/** Seconds that somebody has to sign in, as long as the server gives them at least; where nobody seems to be there, enough for a program. */
const usual = { attended: 300, unattended: 30 };

/** How long to wait for a sign-in: --timeout, or as long as a person takes, who is there where there is a terminal. */
export function signInPatience(
  { terminal, note }: Pick<Session, 'terminal' | 'note'>,
  timeout: string | undefined,
): Patience {
  const isAttended = terminal.stdinIsTTY || terminal.stderrIsTTY;
  if (timeout === undefined && !isAttended)
    note(`There is no terminal, so this waits ${usual.unattended} s only; --timeout SECONDS says otherwise.`);
  return readPatience({
    wait: true,
    timeout: timeout ?? String(isAttended ? usual.attended : usual.unattended),
  })!;
}

/** Lets somebody sign in in a browser: waits on loopback for the code that the server sends there, and changes it into a token. */
export async function signInByBrowser(
  { runtime, note }: Pick<Session, 'runtime' | 'note'>,
  { server, startURL }: { readonly server: string; readonly startURL: string },
  patience: Patience,
): Promise<BrowserLogin> {
  const { createOutgoing, readAllowed } = await import('../client/outgoing.ts');
  const send = createOutgoing({ allow: readAllowed(undefined) });
  const asked = { redirects: 0, bytes: 64 * 1024, trusted: true, signal: runtime.signal } as const;
  // What the browser would find there, before anybody is sent to it and waited for.
  const start = await send({ url: startURL, ...asked });
  if (start.status < 300 || start.status > 399)
    throw start.status < 400 ? stranger(server) : problemFromResponse(start.status, parse(start.bytes));
  const secret = (): string => Buffer.from(runtime.randomBytes(32)).toString('base64url');
  const [state, verifier] = [secret(), secret()];
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const code = await waitForCode(state, runtime.signal, patience, (redirect) => {
    note(
      `Open this address in a browser of this machine, within ${patience.seconds} s (Ctrl-C gives up):\n${startURL}?${new URLSearchParams({ redirect, state, challenge }).toString()}`,
    );
  });
  const body = new URLSearchParams({ code, verifier }).toString();
  const { status, bytes } = await send({
    url: `${server}/saml/token`,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
    ...asked,
  });
  const answer = parse(bytes);
  if (status !== 200) throw problemFromResponse(status, answer);
  const { token, organization } = (answer ?? {}) as { token?: unknown; organization?: unknown };
  if (typeof token !== 'string' || typeof organization !== 'string') throw stranger(server);
  return { server, token, organization };
}

function stranger(server: string): Problem {
  return new Problem('unreachable', `${server} answers, but not as docsctl serve does.`, {
    hint: 'Check the address.',
  });
}

/** Listens on a free port of this machine until the code comes with the right state, or nobody can wait any more. */
async function waitForCode(
  state: string,
  signal: AbortSignal,
  patience: Patience,
  onReady: (redirect: string) => void,
): Promise<string> {
  const { createServer } = await import('node:http');
  let listener: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => listener(request, response));
  try {
    return await new Promise<string>((resolve, reject) => {
      const onAbort = (): void => reject(new Problem('interrupted', 'Stopped before anybody signed in.'));
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      const onEnd = (): void =>
        reject(
          new Problem('timed-out', `Nobody signed in within ${patience.seconds} s.`, {
            hint: 'Run it again; --timeout SECONDS waits longer, and a token from an administrator needs no browser.',
          }),
        );
      patience.signal().addEventListener('abort', onEnd, { once: true });
      listener = (request, response) => {
        const code = codeIn(request, state);
        response.writeHead(code === undefined ? 400 : 200, {
          'content-type': 'text/plain; charset=utf-8',
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
          connection: 'close',
        });
        response.end(
          code === undefined
            ? 'This is not the sign-in that docsctl waits for.\n'
            : 'Signed in. You can close this page.\n',
          () => code !== undefined && resolve(code),
        );
      };
      server
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

function codeIn({ method, url = '' }: IncomingMessage, state: string): string | undefined {
  const [path, query = ''] = url.split('?', 2);
  const fields = new URLSearchParams(query);
  const given = Buffer.from(fields.get('state') ?? '');
  const isOurs =
    method === 'GET' &&
    path === '/callback' &&
    given.length === state.length &&
    timingSafeEqual(given, Buffer.from(state));
  return isOurs ? (fields.get('code') ?? undefined) : undefined;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return undefined;
  }
}
