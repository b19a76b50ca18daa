import { onTestFinished } from 'vitest';
import { createProvider } from '../../src/resources/saml/contract.ts';
import { createServer } from '../../src/server/index.ts';
import { bind } from '../../src/server/listen.ts';
import { encode, Idp, readRedirect } from '../saml/idp.ts';
import { createWorld } from '../support/world.ts';

/** A server with a provider whose identity provider says yes to everybody. */
export async function openSignInServer() {
  const idp = new Idp();
  const world = await createWorld();
  const place = { host: '127.0.0.1', port: 0, allowRemote: false };
  const bound = await bind(place);
  const core = { ...world.core, publicUrl: bound.url };
  const server = await createServer({ core, version: '1', newRequestId: () => 'req' });
  await server.listen({ ...place, bound });
  onTestFinished(() => server.close(0));
  const { id } = await world.as('admin').call(createProvider, {
    params: { organizationId: 'org_acme' },
    body: { label: 'Okta', ...idp.provider },
  });
  const service = {
    acsURL: `${bound.url}/saml/${id}/acs`,
    startURL: `${bound.url}/saml/${id}/start`,
    entityID: `${bound.url}/saml/${id}/metadata`,
  };
  /** What a browser does, up to where it is sent last. */
  const browse = async (address: string): Promise<string> => {
    const start = await fetch(address, { redirect: 'manual' });
    const { id: request, relayState } = readRedirect(start.headers.get('location')!);
    const response = encode(
      idp.response({ email: 'edit@acme.test', inResponseTo: request, issued: world.core.clock() }, service),
    );
    const end = await fetch(service.acsURL, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ SAMLResponse: response, RelayState: relayState }),
    });
    return end.headers.get('location')!;
  };
  return { url: bound.url, service, browse };
}
