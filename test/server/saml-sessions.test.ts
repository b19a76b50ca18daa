import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listAuditEvents } from '../../src/resources/audit/contract.ts';
import { createProvider, deleteProvider, updateProvider } from '../../src/resources/saml/contract.ts';
import { listTokens } from '../../src/resources/tokens/contract.ts';
import { tokens } from '../../src/core/rows/organizations.ts';
import { collectRows } from '../../src/core/store.ts';
import { challengeOf, encode, Idp, readRedirect } from '../saml/idp.ts';
import { serve, type Serving } from './serving.ts';

const params = { organizationId: 'org_acme' };
const verifier = 'v'.repeat(43);
let first: Idp;
let second: Idp;
let serving: Serving;
let provider: string;
let service: { acsURL: string; startURL: string; entityID: string };

beforeAll(() => {
  first = new Idp();
  second = new Idp();
});
beforeEach(async () => {
  serving = await serve();
  ({ id: provider, service } = await admin().call(createProvider, {
    params,
    body: { label: 'Okta', ...first.provider, certificate: first.certificate + second.certificate },
  }));
});

const admin = () => serving.world.as('admin');
const path = (url: string) => url.replace('http://localhost:8080', '');
const post = (url: string, fields: Record<string, string>) =>
  serving.server.inject({
    method: 'POST',
    url: path(url),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  });
const update = (body: object) =>
  admin().call(updateProvider, { params: { ...params, samlProviderId: provider }, body });

async function answer(signer: Idp, email: string, query = '') {
  const start = await serving.server.inject({ method: 'GET', url: path(service.startURL) + query });
  const { id, relayState } = readRedirect(String(start.headers.location));
  const issued = serving.world.core.clock();
  const xml = signer.response({ id: `_of${id}`, inResponseTo: id, issued, email }, service);
  return post(service.acsURL, { SAMLResponse: encode(xml), RelayState: relayState });
}

async function signIn(signer: Idp, email = 'edit@acme.test'): Promise<string> {
  return /<pre>(dctl_[\w-]+)<\/pre>/.exec((await answer(signer, email)).payload)![1]!;
}

async function codeOf(signer: Idp): Promise<string> {
  const query = new URLSearchParams({
    redirect: 'http://127.0.0.1:5555/callback',
    state: 's'.repeat(32),
    challenge: challengeOf(verifier),
  });
  const { headers } = await answer(signer, 'read@acme.test', `?${query.toString()}`);
  return new URL(String(headers.location)).searchParams.get('code')!;
}

async function statusOf(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await serving.server.inject({ method: 'GET', url: '/v1/orgs/org_acme/spaces', headers }))
    .statusCode;
}

describe('the sessions of a provider', () => {
  it('end when it is deleted, and other tokens of the same people do not', async () => {
    const sessions = [await signIn(first), await signIn(second, 'read@acme.test')];
    const other = serving.world.token('admin');
    expect(await Promise.all(sessions.map(statusOf))).toEqual([200, 200]);
    const before = (await admin().call(listTokens, { params })).count;
    await admin().call(deleteProvider, { params: { ...params, samlProviderId: provider } });
    expect(await Promise.all(sessions.map(statusOf))).toEqual([401, 401]);
    expect(await statusOf(other)).toBe(200);
    expect((await admin().call(listTokens, { params })).count).toBe(before! - 2);
    const [event] = (await admin().call(listAuditEvents, { params, query: { details: true } })).items;
    expect(event).toMatchObject({ action: 'saml.delete', target: { type: 'saml-provider', id: provider } });
    expect(event!.payload!.related!.map(({ type, change }) => [type, change])).toEqual([
      ['token', 'deleted'],
      ['token', 'deleted'],
    ]);
  });

  it('end when the certificate that signed them is removed, and those of another one do not', async () => {
    const [old, kept] = [await signIn(first), await signIn(second)];
    await update({ certificate: second.certificate });
    expect([await statusOf(old), await statusOf(kept)]).toEqual([401, 200]);
    await update({ certificate: first.certificate + second.certificate });
    expect([await statusOf(old), await statusOf(kept)]).toEqual([401, 200]);
  });

  it('go on when a certificate is added, and when only the label or the address changes', async () => {
    await update({ certificate: first.certificate });
    const session = await signIn(first);
    await update({ certificate: `${second.certificate}\n${first.certificate}` });
    await update({ label: 'New', ssoURL: 'https://idp.test/other', defaultRole: 'read' });
    expect(await statusOf(session)).toBe(200);
  });

  it.each([
    ['the entity ID is another', { entityID: 'https://other.test/' }],
    ['the entity ID is removed', { entityID: '' }],
    ['the certificates are removed', { certificate: '' }],
  ])('end when %s', async (_, body) => {
    const sessions = [await signIn(first), await signIn(second)];
    await update(body);
    expect(await Promise.all(sessions.map(statusOf))).toEqual([401, 401]);
  });

  it('that do not name their certificate end with any certificate that is removed', async () => {
    const session = await signIn(second);
    const { store } = serving.world.core;
    await store.write(async (tx) => {
      for (const { id } of await collectRows(tx, tokens, 'byProvider', [provider]))
        await tx.update(tokens, id, { signer: undefined } as never);
    });
    await update({ label: 'New' });
    expect(await statusOf(session)).toBe(200);
    await update({ certificate: second.certificate });
    expect(await statusOf(session)).toBe(401);
  });

  it('do not begin with a code that another certificate made', async () => {
    const [old, kept] = [await codeOf(first), await codeOf(second)];
    await update({ certificate: second.certificate });
    expect((await post('/saml/token', { code: old, verifier })).statusCode).toBe(403);
    const redeemed = await post('/saml/token', { code: kept, verifier });
    expect(redeemed.statusCode).toBe(200);
    const { token } = redeemed.json<{ token: string }>();
    expect(await statusOf(token)).toBe(200);
    await update({ certificate: first.certificate });
    expect(await statusOf(token)).toBe(401);
  });
});
