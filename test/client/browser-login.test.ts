import { describe, expect, it } from 'vitest';
import { signInByBrowser } from '../../src/client/browser-login.ts';
import { out, sink } from './outgoing-support.ts';
import { openSignInServer } from './sign-in-server.ts';

type Options = Parameters<typeof signInByBrowser>[0];

/** Signs in at a server, with a timeout that ends when the test says so. */
function signIn(
  server: string,
  startURL: string,
  { signal, note, late }: Partial<Pick<Options, 'signal' | 'note'>> & { readonly late?: AbortSignal },
) {
  let seed = 0;
  const never = new AbortController().signal;
  return signInByBrowser({
    server,
    send: out({}).send,
    startURL,
    timeout: { seconds: 300, signal: () => late ?? never },
    signal: signal ?? never,
    randomBytes: (count) => new Uint8Array(count).fill(++seed),
    note: note ?? (() => {}),
  });
}

describe('signing in with a browser', () => {
  it('returns a token, even if other requests arrive at the port first', async () => {
    const { url, service, browse } = await openSignInServer();
    const pages: number[] = [];
    const secrets: string[] = [];
    const login = signIn(url, service.startURL, {
      note: (text) => {
        void (async () => {
          const address = text.split('\n')[1]!;
          const { searchParams } = new URL(address);
          for (const name of ['state', 'challenge']) secrets.push(searchParams.get(name)!);
          const callback = new URL(searchParams.get('redirect')!);
          for (const wrong of ['/callback?code=x&state=y', '/callback', '/other'])
            pages.push((await fetch(callback.origin + wrong)).status);
          pages.push((await fetch(await browse(address))).status);
        })();
      },
    });
    const { token, ...more } = await login;
    expect(more).toEqual({ server: url, organization: 'org_acme' });
    const user = (await (
      await fetch(`${url}/v1/user`, { headers: { authorization: `Bearer ${token}` } })
    ).json()) as { email: string };
    expect(user.email).toBe('edit@acme.test');
    await expect.poll(() => pages).toEqual([400, 400, 400, 200]);
    // 32 bytes each.
    expect(secrets.map((secret) => Buffer.from(secret, 'base64url').length)).toEqual([32, 32]);
    expect(secrets[0]).toHaveLength(43);
  });

  it('stops when it is aborted, and after the timeout', async () => {
    const { url, service } = await openSignInServer();
    const [stop, end] = [new AbortController(), new AbortController()];
    await expect(
      signIn(url, service.startURL, { signal: stop.signal, note: () => stop.abort() }),
    ).rejects.toMatchObject({ reason: 'interrupted', exitCode: 130 });
    const late = signIn(url, service.startURL, { note: () => end.abort(), late: end.signal });
    await expect(late).rejects.toMatchObject({
      reason: 'timed-out',
      exitCode: 69,
      message: 'Nobody signed in within 300 s.',
    });
  });

  it('shows no address and does not wait if the server has no such provider', async () => {
    const { url } = await openSignInServer();
    const notes: string[] = [];
    const login = (startURL: string) =>
      signIn(new URL(startURL).origin, startURL, { note: (text) => void notes.push(text) });
    await expect(login(`${url}/saml/saml_none/start`)).rejects.toMatchObject({ reason: 'not-found' });
    await expect(login('http://127.0.0.1:1/saml/x/start')).rejects.toMatchObject({ reason: 'unreachable' });
    const other = await sink((response) => void response.end('Welcome'));
    await expect(login(`${other.url}/saml/x/start`)).rejects.toMatchObject({
      reason: 'unreachable',
      message: expect.stringContaining('is not a docsctl server'),
    });
    expect(notes).toEqual([]);
  });
});
