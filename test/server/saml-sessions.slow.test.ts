import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listAuditEvents } from '../../src/resources/audit/contract.ts';
import { createProvider, deleteProvider, updateProvider } from '../../src/resources/saml/contract.ts';
import { deleteMember, listMembers, updateMember } from '../../src/resources/members/contract.ts';
import { updateOrganization } from '../../src/resources/organizations/contract.ts';
import { startSessionOfToken } from '../../src/resources/users/app-sessions.ts';
import { readCertificates } from '../../src/saml/certificates.ts';
import { listTokens } from '../../src/resources/tokens/contract.ts';
import { tokens } from '../../src/core/rows/organizations.ts';
import { collectRows } from '../../src/core/store.ts';
import { challengeOf, encode, Idp, readRedirect } from '../saml/idp.ts';
import { json, serve, type Serving } from './serving.ts';

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

/** Starts the session of a browser with a token, and returns its cookie. */
async function openBrowser(token: string): Promise<string> {
  const started = await startSessionOfToken(serving.world.core, token, {
    path: '/o/org_acme',
    from: { origin: { kind: 'local' } },
  });
  return `docsctl-session-8080=${started!.session}`;
}

describe('sessions of a SAML provider', () => {
  it('end when the provider is deleted, unlike other tokens of the same people', async () => {
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

  it('end when the certificate that signed them is removed, unlike those of other certificates', async () => {
    const [old, kept] = [await signIn(first), await signIn(second)];
    await update({ certificate: second.certificate });
    expect([await statusOf(old), await statusOf(kept)]).toEqual([401, 200]);
    await update({ certificate: first.certificate + second.certificate });
    expect([await statusOf(old), await statusOf(kept)]).toEqual([401, 200]);
  });

  it('continue when a certificate is added, or when only the label changes', async () => {
    await update({ certificate: first.certificate });
    const session = await signIn(first);
    await update({ certificate: `${second.certificate}\n${first.certificate}` });
    await update({ label: 'New', defaultRole: 'read' });
    expect(await statusOf(session)).toBe(200);
  });

  it.each([
    ['the entity ID changes', { entityID: 'https://other.test/' }],
    ['the entity ID is removed', { entityID: '' }],
    ['the sign-in address changes', { ssoURL: 'https://idp.test/other' }],
    ['the sign-in address is removed', { ssoURL: 'about:blank' }],
    ['the certificates are removed', { certificate: '' }],
  ])('end when %s', async (_, body) => {
    const sessions = [await signIn(first), await signIn(second)];
    await update(body);
    expect(await Promise.all(sessions.map(statusOf))).toEqual([401, 401]);
  });

  it('without a recorded certificate end when any certificate is removed', async () => {
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

  it('cannot start with a code of a certificate that was removed', async () => {
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

describe('the session token of a sign-in, a token that it created, and the session of its browser', () => {
  const memberId = async (email: string) =>
    (await admin().call(listMembers, { params })).items.find(({ user }) => user.email === email)!.user.id;
  const at = async (email: string) => ({ params: { ...params, userId: await memberId(email) } });
  /** Returns what a session, a token that it created and its browser get from another server on the same store. */
  async function useAll() {
    const session = await signIn(first, 'second@acme.test');
    await admin().call(updateMember, { ...(await at('second@acme.test')), body: { role: 'admin' } });
    const body = { role: 'edit', name: 'ci', user: 'edit@acme.test' };
    const created = await send(serving, session, 'POST', '/v1/orgs/org_acme/tokens', body);
    const { token, id } = created.json<{ token: string; id: string }>();
    const cookie = await openBrowser(session);
    const other = await serve({ change: () => serving.world.core });
    const spaces = async (of: string) =>
      (await send(other, of, 'GET', '/v1/orgs/org_acme/spaces')).statusCode;
    const page = async () => {
      const headers = { cookie, host: 'localhost:8080' };
      return (await other.server.inject({ method: 'GET', url: '/o/org_acme', headers })).statusCode;
    };
    const statuses = async () => [await spaces(session), await spaces(token), await page()];
    const create = async () =>
      (await send(other, session, 'PUT', '/v1/orgs/org_acme/teams', { title: 'New' })).statusCode;
    expect(await statuses()).toEqual([200, 200, 200]);
    return { id, statuses, create };
  }

  it.each<[string, () => Promise<unknown>]>([
    [
      'the provider is deleted',
      () => admin().call(deleteProvider, { params: { ...params, samlProviderId: provider } }),
    ],
    ['its certificate is replaced', () => update({ certificate: second.certificate })],
    ['its entity ID changes', () => update({ entityID: 'https://other.test/' })],
    ['its sign-in address changes', () => update({ ssoURL: 'https://idp.test/other' })],
  ])('are refused by every server when %s', async (_, change) => {
    const { statuses } = await useAll();
    await change();
    expect(await statuses()).toEqual([401, 401, 401]);
  });

  it('are refused when the member is removed, except for tokens of other members', async () => {
    const { statuses } = await useAll();
    await admin().call(deleteMember, await at('second@acme.test'));
    expect(await statuses()).toEqual([401, 200, 401]);
  });

  it('have the current role of the member', async () => {
    const { create } = await useAll();
    expect(await create()).toBe(201);
    await admin().call(updateMember, { ...(await at('second@acme.test')), body: { role: 'read' } });
    expect(await create()).toBe(403);
  });

  it('count as single sign-on, except for the created token', async () => {
    const { statuses } = await useAll();
    await admin().call(updateOrganization, { params, body: { sso: true } });
    expect(await statuses()).toEqual([200, 403, 200]);
  });

  it('end with the certificate at the latest', async () => {
    const { id } = await useAll();
    const [certificate] = readCertificates(first.certificate);
    const end = new Date(certificate!.validTo).toISOString();
    const tokensNow = (await admin().call(listTokens, { params })).items;
    expect(tokensNow.find((token) => token.id === id)).toMatchObject({ expiresAt: end });
    const session = await signIn(first, 'second@acme.test');
    const body = { role: 'read', expiresAt: '2999-01-01T00:00:00Z' };
    const refused = await send(serving, session, 'POST', '/v1/orgs/org_acme/tokens', body);
    expect([refused.statusCode, refused.json<{ error: { message: string } }>().error.message]).toEqual([
      400,
      expect.stringContaining('would outlive the certificate'),
    ]);
  });

  it('end with a certificate that expires soon', async () => {
    const end = serving.world.core.clock() + 3_600_000;
    const soon = new Idp({ to: new Date(end).toISOString() });
    await update({ certificate: soon.certificate });
    const session = await signIn(soon);
    expect(await statusOf(session)).toBe(200);
    serving.world.pass(3_600_000);
    expect(await statusOf(session)).toBe(401);
  });
});

async function send(
  { server }: Pick<Serving, 'server'>,
  token: string,
  method: 'GET' | 'POST' | 'PUT',
  url: string,
  body?: object,
) {
  const headers = { authorization: `Bearer ${token}`, ...(body === undefined ? {} : json) };
  return server.inject({
    method,
    url,
    headers,
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  });
}
