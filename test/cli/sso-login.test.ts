import { describe, expect, it, onTestFinished } from 'vitest';
import { readStart, signInByBrowser } from '../../src/cli/sso-login.ts';
import type { Runtime } from '../../src/cli/runtime.ts';
import { Problem } from '../../src/errors/problem.ts';
import { createProvider } from '../../src/resources/saml/contract.ts';
import { createServer } from '../../src/server/index.ts';
import { bind } from '../../src/server/listen.ts';
import { encode, Idp, readRedirect } from '../saml/idp.ts';
import { createWorld } from '../support/world.ts';

/** A server with a provider whose identity provider says yes to everybody. */
async function open() {
  const idp = new Idp();
  const world = await createWorld();
  const place = { host: '127.0.0.1', port: 0, allowRemote: false };
  const bound = await bind(place);
  const core = { ...world.core, publicUrl: bound.url };
  const server = await createServer({ core, version: '1', newRequestId: () => 'req' });
  await server.listen({ ...place, bound });
  onTestFinished(() => server.close(0));
  const { id } = await world.as('admin').call(createProvider, { params: { organizationId: 'org_acme' }, body: { label: 'Okta', ...idp.provider } });
  const service = { acsURL: `${bound.url}/saml/${id}/acs`, startURL: `${bound.url}/saml/${id}/start`, entityID: `${bound.url}/saml/${id}/metadata` };
  /** What a browser does, up to where it is sent last. */
  const browse = async (address: string): Promise<string> => {
    const start = await fetch(address, { redirect: 'manual' });
    const { id: request, relayState } = readRedirect(start.headers.get('location')!);
    const response = encode(idp.response({ email: 'edit@acme.test', inResponseTo: request, issued: world.core.clock() }, service));
    const end = await fetch(service.acsURL, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ SAMLResponse: response, RelayState: relayState }) });
    return end.headers.get('location')!;
  };
  return { url: bound.url, service, browse };
}

function runtime(signal = new AbortController().signal): Runtime {
  let seed = 0;
  return { signal, randomBytes: (count: number) => new Uint8Array(count).fill(++seed) } as Partial<Runtime> as Runtime;
}

describe('signing in in a browser', () => {
  it('ends with a token, also when others knock at the port first', async () => {
    const { url, service, browse } = await open();
    const pages: number[] = [];
    const login = signInByBrowser(
      {
        runtime: runtime(),
        note: (text) => {
          void (async () => {
            const address = text.split('\n')[1]!;
            const callback = new URL(new URL(address).searchParams.get('redirect')!);
            for (const wrong of ['/callback?code=x&state=y', '/callback', '/other']) pages.push((await fetch(callback.origin + wrong)).status);
            pages.push((await fetch(await browse(address))).status);
          })();
        },
      },
      readStart(service.startURL, undefined),
    );
    const { token, ...more } = await login;
    expect(more).toEqual({ server: url, organization: 'org_acme' });
    const user = (await (await fetch(`${url}/v1/user`, { headers: { authorization: `Bearer ${token}` } })).json()) as { email: string };
    expect(user.email).toBe('edit@acme.test');
    await expect.poll(() => pages).toEqual([400, 400, 400, 200]);
  });

  it('stops when it is told to', async () => {
    const stop = new AbortController();
    const login = signInByBrowser({ runtime: runtime(stop.signal), note: () => stop.abort() }, { server: 'http://127.0.0.1:1', startURL: 'http://127.0.0.1:1/saml/x/start' });
    await expect(login).rejects.toMatchObject({ reason: 'interrupted' });
  });

  it('takes the start URL, or the id where the server is known', () => {
    const startURL = 'https://docs.test/base/saml/saml_1/start';
    expect(readStart(startURL, undefined)).toEqual({ server: 'https://docs.test/base', startURL });
    expect(readStart('saml_1', 'https://docs.test/base/')).toMatchObject({ startURL });
    for (const [text, server] of [
      ['saml_1', undefined],
      ['https://docs.test/', undefined],
      ['a b', 'https://docs.test'],
    ] as const)
      expect(() => readStart(text, server)).toThrow(Problem);
  });
});
