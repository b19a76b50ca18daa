import { Readable } from 'node:stream';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listAuditEvents } from '../../src/resources/audit/contract.ts';
import { getMember, updateMember } from '../../src/resources/members/contract.ts';
import { createInvite } from '../../src/resources/invites/contract.ts';
import { updateOrganization } from '../../src/resources/organizations/contract.ts';
import { createProvider, deleteProvider, updateProvider } from '../../src/resources/saml/contract.ts';
import { createTeam } from '../../src/resources/teams/contract.ts';
import { members } from '../../src/core/rows/organizations.ts';
import { samlCodes, samlUsed } from '../../src/resources/saml/rows.ts';
import { attribute, challengeOf, encode, Idp, readRedirect, type Says } from '../saml/idp.ts';
import { serve, type Serving } from './serving.ts';

let idp: Idp;
let serving: Serving;
let service: { acsURL: string; startURL: string; entityID: string };
let provider: string;

beforeAll(() => {
  idp = new Idp();
});
beforeEach(async () => {
  serving = await serve();
  const team = await admin().call(createTeam, { params, body: { title: 'Writers', members: [] } });
  const body = { label: 'Okta <b>', ...idp.provider, defaultRole: 'edit' as const, defaultTeam: team.id };
  ({ id: provider, service } = await admin().call(createProvider, { params, body }));
});

const params = { organizationId: 'org_acme' };
const admin = () => serving.world.as('admin');
const get = (url: string) =>
  serving.server.inject({ method: 'GET', url: url.replace('http://localhost:8080', '') });
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const post = (url: string, fields: Record<string, string>) =>
  serving.server.inject({
    method: 'POST',
    url: url.replace('http://localhost:8080', ''),
    headers: form,
    payload: new URLSearchParams(fields).toString(),
  });
const begin = async (query = '') =>
  readRedirect(String((await get(service.startURL + query)).headers.location));

/** A response, as the identity provider sends it now. */
function answerTo(request: string, says: Says = {}, signer = idp): string {
  const issued = serving.world.core.clock();
  return encode(signer.response({ id: `_of${request}`, inResponseTo: request, issued, ...says }, service));
}
async function signIn(says: Says = {}) {
  const { id, relayState } = await begin();
  return post(service.acsURL, { SAMLResponse: answerTo(id, says), RelayState: relayState });
}
const tokenIn = (page: string): string | undefined => /<pre>(dctl_[\w-]+)<\/pre>/.exec(page)?.[1];
const reasonOf = (answer: { payload: string }): unknown => JSON.parse(answer.payload).error;

const auditEventsOf = async () =>
  (await admin().call(listAuditEvents, { params, query: { details: true } })).items.filter(({ action }) =>
    action.startsWith('saml.s'),
  );

describe('signing in with SAML', () => {
  it('leads to the identity provider and back to a page with a token, once', async () => {
    const start = await get(service.startURL);
    expect(start.statusCode).toBe(303);
    expect(start.headers['cache-control']).toBe('no-store');
    const { id, relayState } = readRedirect(String(start.headers.location));
    const end = await post(service.acsURL, {
      SAMLResponse: answerTo(id, {
        email: 'new@acme.test',
        attributes: attribute('displayName', 'Nia &lt;script&gt;'),
      }),
      RelayState: relayState,
    });
    expect(end.statusCode).toBe(200);
    expect(end.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    expect(end.headers['content-security-policy']).toContain("default-src 'none'");
    expect(end.payload).toContain('Run <code>docsctl login --server http://localhost:8080</code>');
    const authorization = `Bearer ${tokenIn(end.payload)}`;
    const user = JSON.parse(
      (await serving.server.inject({ method: 'GET', url: '/v1/user', headers: { authorization } })).payload,
    );
    expect(user).toMatchObject({ email: 'new@acme.test', displayName: 'Nia <script>' });
    const member = await admin().call(getMember, { params: { ...params, userId: user.id } });
    expect(member).toMatchObject({ role: 'edit', sso: true, teams: 1 });
    const [event] = await auditEventsOf();
    expect(event).toMatchObject({
      action: 'saml.sign-in',
      source: 'ui',
      actor: { type: 'user', id: user.id, label: 'new@acme.test' },
      target: { type: 'member', id: user.id },
      executionId: end.headers['request-id'],
      payload: { change: 'created', origin: { kind: 'remote', address: '127.0.0.1' } },
    });
    expect(event!.payload!.related!.map(({ type }) => type).sort()).toEqual(['team-member', 'token', 'user']);
    expect(JSON.stringify(event)).not.toContain('dctl_');
    const other = await serving.server.inject({
      method: 'GET',
      url: '/v1/orgs/org_other',
      headers: { authorization },
    });
    expect(other.statusCode).toBe(404);
    serving.world.pass(12 * 60 * 60 * 1000);
    expect(
      (await serving.server.inject({ method: 'GET', url: '/v1/user', headers: { authorization } }))
        .statusCode,
    ).toBe(401);
    expect(JSON.stringify(serving.logged)).not.toContain('dctl_');
  });

  it('is the only way to get a working token if the organization enforces it', async () => {
    const statusOf = async (token: string | undefined, path = '/v1/orgs/org_acme/spaces') =>
      serving.server.inject({ method: 'GET', url: path, headers: { authorization: `Bearer ${token}` } });
    const before = serving.world.token('edit');
    expect((await statusOf(before)).statusCode).toBe(200);
    await admin().call(updateOrganization, { params, body: { sso: true } });
    const refused = await statusOf(before);
    expect([refused.statusCode, refused.json()]).toEqual([
      403,
      expect.objectContaining({
        error: expect.objectContaining({ message: expect.stringContaining('requires single sign-on') }),
      }),
    ]);
    const logins = (await statusOf(before, '/v1/orgs/org_acme/sso')).json();
    expect(logins).toEqual({ items: [{ id: provider, label: 'Okta <b>', startURL: service.startURL }] });
    const session = tokenIn((await signIn({ email: 'edit@acme.test' })).payload);
    expect((await statusOf(session)).statusCode).toBe(200);
    expect((await statusOf(before)).statusCode).toBe(403);
    // The sign-in marked the member, who needs single sign-on even if the organization no longer enforces it.
    await admin().call(updateOrganization, { params, body: { sso: false } });
    expect((await statusOf(before)).statusCode).toBe(403);
    expect((await statusOf(session)).statusCode).toBe(200);
  });

  it('keeps the role of existing members, and marks them', async () => {
    expect((await signIn({ email: 'Review@acme.test' })).statusCode).toBe(200);
    expect(await admin().call(getMember, { params: { ...params, userId: 'usr_review' } })).toMatchObject({
      role: 'review',
      sso: true,
      teams: 0,
    });
    await admin().call(updateMember, { params: { ...params, userId: 'usr_review' }, body: { role: 'read' } });
    expect((await signIn({ email: 'review@acme.test' })).statusCode).toBe(200);
    expect(await admin().call(getMember, { params: { ...params, userId: 'usr_review' } })).toMatchObject({
      role: 'read',
    });
  });

  it('ends with the session at the identity provider', async () => {
    const page = (await signIn({ sessionEnd: serving.world.core.clock() + 60 * 60_000 })).payload;
    const authorization = `Bearer ${tokenIn(page)}`;
    serving.world.pass(61 * 60_000);
    expect(
      (await serving.server.inject({ method: 'GET', url: '/v1/user', headers: { authorization } }))
        .statusCode,
    ).toBe(401);
  });

  it('is refused for disabled members, and for new members of unlisted email domains', async () => {
    const { store } = serving.world.core;
    await store.write((tx) => tx.update(members, 'org_acme.usr_read', { disabled: true }));
    expect(reasonOf(await signIn({ email: 'read@acme.test' }))).toMatchObject({ reason: 'forbidden' });
    await admin().call(updateOrganization, { params, body: { emailDomains: ['acme.test'] } });
    expect((await signIn({ email: 'new@acme.test' })).statusCode).toBe(200);
    expect(reasonOf(await signIn({ email: 'new@elsewhere.test' }))).toMatchObject({
      reason: 'forbidden',
      message: expect.stringContaining('elsewhere.test'),
    });
    expect((await signIn({ email: 'comment@acme.test' })).statusCode).toBe(200);
  });

  it('gives a member of another organization no access there', async () => {
    const authorization = `Bearer ${tokenIn((await signIn({ email: 'outsider@acme.test' })).payload)}`;
    expect(
      (await serving.server.inject({ method: 'GET', url: '/v1/orgs/org_other', headers: { authorization } }))
        .statusCode,
    ).toBe(404);
    expect(
      (await serving.server.inject({ method: 'GET', url: '/v1/orgs/org_acme', headers: { authorization } }))
        .statusCode,
    ).toBe(200);
  });
});

describe('an identity provider that asserts people of other organizations', () => {
  it('gets no access to other organizations', async () => {
    await serving.world.as('outsider').call(updateOrganization, {
      params: { organizationId: 'org_other' },
      body: { emailDomains: ['acme.test'] },
    });
    const invite = await serving.world
      .as('outsider')
      .call(createInvite, { params: { organizationId: 'org_other' }, body: { role: 'admin' } });
    const authorization = `Bearer ${tokenIn((await signIn({ email: 'outsider@acme.test' })).payload)}`;
    const call = async (method: 'GET' | 'POST' | 'PATCH', url: string, body?: object) =>
      (
        await serving.server.inject({
          method,
          url: `/v1${url}`,
          headers: { authorization },
          ...(body === undefined ? {} : { payload: body }),
        })
      ).statusCode;
    expect(
      JSON.parse(
        (await serving.server.inject({ method: 'GET', url: '/v1/orgs', headers: { authorization } })).payload,
      ).items,
    ).toMatchObject([{ id: 'org_acme' }]);
    expect(await call('GET', '/orgs/org_other/members')).toBe(404);
    expect(await call('PATCH', '/orgs/org_other', { title: 'Mine' })).toBe(404);
    expect(await call('POST', '/orgs/org_other/tokens', { role: 'admin' })).toBe(404);
    expect(await call('POST', '/orgs/org_other/join')).toBe(403);
    expect(await call('POST', `/orgs/org_other/invites/${invite.id}`)).toBe(403);
    expect(await call('POST', '/orgs', { title: 'More' })).toBe(403);
    expect(await call('GET', '/orgs/org_acme')).toBe(200);
  });

  it('cannot add members of unlisted domains, even if another organization lists these', async () => {
    await admin().call(updateOrganization, { params, body: { emailDomains: ['acme.test'] } });
    await serving.world.as('outsider').call(updateOrganization, {
      params: { organizationId: 'org_other' },
      body: { emailDomains: ['other.test'] },
    });
    for (const email of [
      'boss@other.test',
      'boss@acme.test.other.test',
      'boss@xacme.test',
      'boss@sub.acme.test',
    ])
      expect(reasonOf(await signIn({ email })), email).toMatchObject({
        code: 403,
        message: expect.stringContaining('does not accept the email domain'),
      });
    expect((await signIn({ email: 'Boss@ACME.test' })).statusCode).toBe(200);
  });
});

describe('a SAML response', () => {
  it('is accepted only once', async () => {
    const { id, relayState } = await begin();
    const fields = { SAMLResponse: answerTo(id), RelayState: relayState };
    expect((await post(service.acsURL, fields)).statusCode).toBe(200);
    expect(reasonOf(await post(service.acsURL, fields))).toMatchObject({
      reason: 'forbidden',
      message: 'The SAML response was already used.',
    });
  });

  it('is refused with a page that shows a browser the reason', async () => {
    const { relayState } = await begin();
    const url = service.acsURL.replace('http://localhost:8080', '');
    const payload = new URLSearchParams({
      SAMLResponse: answerTo('_<script>'),
      RelayState: relayState,
    }).toString();
    const headers = { ...form, accept: 'text/html,*/*;q=0.8' };
    const answer = await serving.server.inject({ method: 'POST', url, headers, payload });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([403, 'text/html; charset=utf-8']);
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    expect(answer.payload).toContain('<h1>Sign-in failed</h1>\n<p>');
    expect(answer.payload).toContain(`<p>Request ID: ${String(answer.headers['request-id'])}</p>`);
    expect(answer.payload).not.toContain('<script>');
    const [start, other] = await Promise.all(
      ['/saml/none/start', '/saml/none/metadata'].map((path) =>
        serving.server.inject({ method: 'GET', url: path, headers: { accept: 'text/html' } }),
      ),
    );
    expect(start?.payload).toContain('<h1>Sign-in failed</h1>');
    expect(other && reasonOf(other)).toMatchObject({ reason: 'not-found' });
  });

  it('is accepted only once, even if it is sent several times at once', async () => {
    const { id, relayState } = await begin();
    const fields = { SAMLResponse: answerTo(id), RelayState: relayState };
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(service.acsURL, fields)));
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 403, 403, 403, 403]);
  });

  it('is refused if its assertion has the ID of an earlier one', async () => {
    expect((await signIn({ id: '_same' })).statusCode).toBe(200);
    expect(reasonOf(await signIn({ id: '_same' }))).toMatchObject({
      reason: 'forbidden',
      message: 'The assertion was already used.',
    });
  });

  it.each<[string, (id: string) => string]>([
    ['that nobody made', () => '_nobody'],
    ['that another service made', (id) => `${id}x`],
  ])('is refused for a request %s', async (_, request) => {
    const { id, relayState } = await begin();
    expect(
      (await post(service.acsURL, { SAMLResponse: answerTo(request(id)), RelayState: relayState }))
        .statusCode,
    ).toBe(403);
  });

  it('is checked for its request before its signature, which takes longer', async () => {
    const { id, relayState } = await begin();
    const forged = (to: string) => answerTo(to, {}, new Idp());
    expect(
      reasonOf(await post(service.acsURL, { SAMLResponse: forged('_nobody'), RelayState: relayState })),
    ).toMatchObject({
      message: expect.stringContaining('does not answer a request of this provider'),
    });
    expect(
      reasonOf(await post(service.acsURL, { SAMLResponse: forged(id), RelayState: relayState })),
    ).toMatchObject({
      message: expect.stringContaining('not signed by the identity provider'),
    });
  });

  it('is refused with the RelayState of another request, or without one', async () => {
    const [mine, theirs] = [await begin(), await begin()];
    expect(
      (await post(service.acsURL, { SAMLResponse: answerTo(mine.id), RelayState: theirs.relayState }))
        .statusCode,
    ).toBe(403);
    expect((await post(service.acsURL, { SAMLResponse: answerTo(mine.id) })).statusCode).toBe(403);
    expect(
      (await post(service.acsURL, { SAMLResponse: answerTo(mine.id), RelayState: mine.relayState }))
        .statusCode,
    ).toBe(200);
  });

  it('is refused without a request, with a hint where to start', async () => {
    const says = { inResponseTo: null, issued: serving.world.core.clock() };
    const SAMLResponse = encode(idp.response(says, service));
    expect(reasonOf(await post(service.acsURL, { SAMLResponse }))).toMatchObject({
      code: 403,
      message: 'The SAML response does not answer a request of this provider, or lacks its RelayState.',
      hint: `Start again at ${service.startURL}, or run \`docsctl login --sso ${service.startURL}\`.`,
    });
  });

  it('is refused more than ten minutes after the request', async () => {
    const { id, relayState } = await begin();
    serving.world.pass(11 * 60_000);
    expect(
      (await post(service.acsURL, { SAMLResponse: answerTo(id), RelayState: relayState })).statusCode,
    ).toBe(403);
  });

  it('is refused at another provider with the same identity provider', async () => {
    const other = await serving.world.as('outsider').call(createProvider, {
      params: { organizationId: 'org_other' },
      body: { label: 'Twin', ...idp.provider },
    });
    const { id, relayState } = await begin();
    const issued = serving.world.core.clock();
    for (const to of [service, other.service]) {
      const SAMLResponse = encode(idp.response({ inResponseTo: id, issued }, to));
      expect((await post(other.service.acsURL, { SAMLResponse, RelayState: relayState })).statusCode).toBe(
        403,
      );
    }
  });

  it('is refused if its certificate was replaced meanwhile', async () => {
    const { id, relayState } = await begin();
    await admin().call(updateProvider, {
      params: { ...params, samlProviderId: provider },
      body: { certificate: new Idp().certificate },
    });
    expect(
      (await post(service.acsURL, { SAMLResponse: answerTo(id), RelayState: relayState })).statusCode,
    ).toBe(403);
  });
});

describe('a client that starts sign-ins without completing them', () => {
  const from = (remoteAddress: string, url = service.startURL) =>
    serving.server.inject({ method: 'GET', url: url.replace('http://localhost:8080', ''), remoteAddress });
  /** A server whose clock does not advance. */
  async function freeze(): Promise<void> {
    const time = serving.world.core.clock();
    const still = await serve({ change: () => ({ ...serving.world.core, clock: () => time }) });
    serving = { ...serving, server: still.server };
  }

  it('stores nothing, and blocks no other client', async () => {
    const mine = await begin();
    const { store } = serving.world.core;
    const changes = async () =>
      JSON.stringify(
        await Promise.all(
          [samlUsed, samlCodes].map((table) =>
            store.read((view) => view.find(table, { index: 'byExpiry', equals: [], limit: 10 })),
          ),
        ),
      );
    const before = await changes();
    await freeze();
    for (let nth = 0; nth < 200; nth++) expect((await from(`192.0.2.${nth % 10}`)).statusCode).toBe(303);
    expect(await changes()).toBe(before);
    expect((await from('198.51.100.1')).statusCode).toBe(303);
    expect(
      (await post(service.acsURL, { SAMLResponse: answerTo(mine.id), RelayState: mine.relayState }))
        .statusCode,
    ).toBe(200);
  });

  it('is limited by address, for a minute', async () => {
    await freeze();
    for (let nth = 0; nth < 60; nth++) expect((await from('192.0.2.1')).statusCode).toBe(303);
    const refused = await from('192.0.2.1');
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60']);
    expect(reasonOf(refused)).toMatchObject({ code: 429, reason: 'rate-limited' });
    // Headers do not change the client, and another address is another client.
    const disguised = { authorization: 'Bearer x', 'x-forwarded-for': '192.0.2.9' };
    const path = service.startURL.replace('http://localhost:8080', '');
    expect(
      (
        await serving.server.inject({
          method: 'GET',
          url: path,
          headers: disguised,
          remoteAddress: '192.0.2.1',
        })
      ).statusCode,
    ).toBe(429);
    expect((await from('192.0.2.2')).statusCode).toBe(303);
    // The limit does not apply to the end of a sign-in or to other routes.
    const end = await serving.server.inject({
      method: 'POST',
      url: `/saml/${provider}/acs`,
      headers: form,
      payload: '',
      remoteAddress: '192.0.2.1',
    });
    expect(end.statusCode).toBe(400);
    expect((await from('192.0.2.1', '/healthz')).statusCode).toBe(200);
  });

  it.each([
    ['answers', () => `/saml/${provider}/acs`, 'SAMLResponse=PHg%2B&RelayState=x'],
    ['codes', () => '/saml/token', 'code=x&verifier=x'],
  ])('cannot send more than 60 %s per minute', async (_, url, payload) => {
    await freeze();
    const end = (remoteAddress: string) =>
      serving.server.inject({ method: 'POST', url: url(), headers: form, payload, remoteAddress });
    for (let nth = 0; nth < 60; nth++) expect((await end('192.0.2.1')).statusCode).toBe(403);
    expect([(await end('192.0.2.1')).statusCode, (await end('192.0.2.2')).statusCode]).toEqual([429, 403]);
  });
});

describe('the endpoint for SAML responses', () => {
  it.each<
    [
      string,
      number,
      (response: string, relay: string, id: string) => { headers?: Record<string, string>; payload: string },
    ]
  >([
    [
      'a form that is too large',
      413,
      () => ({ payload: `SAMLResponse=${'A'.repeat(400_000)}&RelayState=x` }),
    ],
    [
      'JSON',
      415,
      (SAMLResponse) => ({
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify({ SAMLResponse }),
      }),
    ],
    [
      'another content type',
      415,
      (response) => ({ headers: { 'content-type': 'text/xml' }, payload: response }),
    ],
    ['no fields', 400, () => ({ payload: '' })],
    [
      'two responses',
      400,
      (response, relay) => ({
        payload: new URLSearchParams([
          ['SAMLResponse', response],
          ['SAMLResponse', response],
          ['RelayState', relay],
        ]).toString(),
      }),
    ],
    [
      'a response that is not base64',
      400,
      (_, relay) => ({
        payload: new URLSearchParams({ SAMLResponse: '<x/>', RelayState: relay }).toString(),
      }),
    ],
    [
      'a response that is not XML',
      400,
      (_, relay, id) => ({
        payload: new URLSearchParams({
          SAMLResponse: encode(`hello InResponseTo="${id}"`),
          RelayState: relay,
        }).toString(),
      }),
    ],
    [
      'a response to no request',
      403,
      (_, relay) => ({
        payload: new URLSearchParams({ SAMLResponse: encode('hello'), RelayState: relay }).toString(),
      }),
    ],
    [
      'entities',
      400,
      (_, relay, id) => ({
        payload: new URLSearchParams({
          SAMLResponse: encode(`<!DOCTYPE x [<!ENTITY e "y">]><x InResponseTo="${id}">&e;</x>`),
          RelayState: relay,
        }).toString(),
      }),
    ],
    [
      'a response that is too large',
      413,
      (_, relay) => ({
        payload: new URLSearchParams({
          SAMLResponse: encode(`<x>${'y'.repeat(200_000)}</x>`),
          RelayState: relay,
        }).toString(),
      }),
    ],
    [
      'an unsigned answer',
      403,
      (_, relay) => ({
        payload: new URLSearchParams({
          SAMLResponse: encode(idp.around(idp.assertion({}, service), {}, service)),
          RelayState: relay,
        }).toString(),
      }),
    ],
  ])('refuses %s with %d, in the form of every error', async (_, status, make) => {
    const { id, relayState } = await begin();
    const { headers = form, payload } = make(answerTo(id), relayState, id);
    const answer = await serving.server.inject({
      method: 'POST',
      url: `/saml/${provider}/acs`,
      headers,
      payload,
    });
    expect(answer.statusCode).toBe(status);
    expect(reasonOf(answer)).toMatchObject({ code: status, requestId: expect.any(String) });
    if (status === 415)
      expect(reasonOf(answer)).toMatchObject({
        message: 'The body is not a form.',
        hint: expect.stringContaining('x-www-form-urlencoded'),
      });
    // The valid response is still accepted for this request.
    expect(
      (await post(service.acsURL, { SAMLResponse: answerTo(id), RelayState: relayState })).statusCode,
    ).toBe(200);
  });

  it.each<[string, string, number, string]>([
    ['an answer', 'acs', 400_000, '384 KiB'],
    ['a code', 'token', 5000, '4 KiB'],
  ])(
    'refuses a form with %s that is too large, with and without Content-Length',
    async (_, path, size, limit) => {
      const url = path === 'acs' ? `/saml/${provider}/acs` : '/saml/token';
      const payload = `SAMLResponse=${'A'.repeat(size)}`;
      for (const body of [payload, Readable.from([payload])]) {
        const answer = await serving.server.inject({ method: 'POST', url, headers: form, payload: body });
        expect(reasonOf(answer)).toMatchObject({
          code: 413,
          reason: 'too-large',
          message: expect.stringContaining(limit),
        });
      }
    },
  );

  it('accepts only existing providers whose setup is complete', async () => {
    for (const path of ['start', 'metadata'])
      expect((await get(`/saml/saml_none/${path}`)).statusCode).toBe(404);
    expect((await post('/saml/saml_none/acs', { SAMLResponse: 'PHg+', RelayState: 'x' })).statusCode).toBe(
      404,
    );
    const pending = await admin().call(createProvider, { params, body: { label: 'Soon' } });
    expect(reasonOf(await get(pending.service.startURL))).toMatchObject({
      code: 409,
      message: expect.stringMatching(/: it has no ssoURL, no entityID, no certificate\.$/),
    });
    await admin().call(updateProvider, {
      params: { ...params, samlProviderId: pending.id },
      body: { ssoURL: 'https://x.test/', certificate: idp.certificate },
    });
    expect(reasonOf(await get(pending.service.startURL))).toMatchObject({
      message: expect.stringMatching(/: it has no entityID\.$/),
    });
    expect((await get(pending.service.entityID)).statusCode).toBe(200);
    await admin().call(deleteProvider, { params: { ...params, samlProviderId: provider } });
    expect((await get(service.startURL)).statusCode).toBe(404);
  });

  it('accepts only POST, and other endpoints accept no forms', async () => {
    expect(
      (
        await serving.server.inject({
          method: 'POST',
          url: '/v1/orgs',
          headers: { ...form, ...serving.bearer() },
          payload: 'title=x',
        })
      ).statusCode,
    ).toBe(415);
    const wrong = await get(service.acsURL);
    expect([wrong.statusCode, wrong.headers.allow]).toEqual([405, 'POST']);
  });

  it('has metadata that describes it', async () => {
    const answer = await get(service.entityID);
    expect(answer.headers['content-type']).toBe('application/samlmetadata+xml');
    expect(answer.payload).toContain(`Location="${service.acsURL}"`);
  });
});

describe('a program on the same machine', () => {
  const verifier = 'v'.repeat(43);
  const back = {
    redirect: 'http://127.0.0.1:43210/callback',
    state: 's'.repeat(32),
    challenge: challengeOf(verifier),
  };
  const query = (fields: Record<string, string>) => `?${new URLSearchParams(fields).toString()}`;
  async function codeOf(): Promise<string> {
    const { id, relayState } = await begin(query(back));
    const end = await post(service.acsURL, { SAMLResponse: answerTo(id), RelayState: relayState });
    expect(end.statusCode).toBe(303);
    const location = new URL(String(end.headers.location));
    expect([location.origin + location.pathname, location.searchParams.get('state')]).toEqual([
      back.redirect,
      back.state,
    ]);
    expect(end.payload + location.href).not.toContain('dctl_');
    return location.searchParams.get('code')!;
  }

  it('gets a code, and exchanges it with its verifier for a token, once', async () => {
    const code = await codeOf();
    const wrong = await post('/saml/token', { code, verifier: 'w'.repeat(43) });
    expect(wrong.statusCode).toBe(403);
    const answer = await post('/saml/token', { code, verifier });
    expect(answer.statusCode).toBe(200);
    const { token, organization } = JSON.parse(answer.payload);
    expect(organization).toBe('org_acme');
    expect((await auditEventsOf()).map(({ action, target }) => [action, target.type])).toEqual([
      ['saml.start-session', 'token'],
      ['saml.sign-in', 'member'],
    ]);
    expect(
      (
        await serving.server.inject({
          method: 'GET',
          url: '/v1/user',
          headers: { authorization: `Bearer ${token}` },
        })
      ).statusCode,
    ).toBe(200);
    expect((await post('/saml/token', { code, verifier })).statusCode).toBe(403);
  });

  it('gets no token for an expired code, or for a disabled member', async () => {
    const old = await codeOf();
    serving.world.pass(3 * 60_000);
    expect((await post('/saml/token', { code: old, verifier })).statusCode).toBe(403);
    const code = await codeOf();
    await serving.world.core.store.write(async (tx) => {
      for (const row of await tx.find(members, { index: 'byJoined', equals: ['org_acme'], limit: 100 }))
        await tx.update(members, row.id, { disabled: true });
    });
    expect((await post('/saml/token', { code, verifier })).statusCode).toBe(403);
  });

  it.each([
    { redirect: 'https://evil.test/callback' },
    { redirect: 'http://127.0.0.1.evil.test:43210/callback' },
    { redirect: 'http://evil@127.0.0.1:43210/callback' },
    { redirect: 'http://127.0.0.1:43210/callback?x=1' },
    { redirect: 'http://127.0.0.1:80/callback' },
    { redirect: 'http://127.0.0.1:65536/callback' },
    { redirect: 'http://localhost:43210/callback' },
    { redirect: 'http://127.0.0.1:43210/other' },
    { redirect: 'javascript:alert(1)' },
    { state: 'short' },
    { state: 'x'.repeat(65) },
    { state: 'x'.repeat(20) + '\r\n' },
    { challenge: 'short' },
  ])('is the only possible receiver of a code: %o is refused', async (fields) => {
    expect((await get(service.startURL + query({ ...back, ...fields }))).statusCode).toBe(400);
  });
});
