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

/** A response as the identity provider sends it at this moment. */
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

describe('signing in', () => {
  it('goes to the identity provider and comes back to a page with a token, once', async () => {
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

  it('gives a member of an organization that enforces it the only tokens that work', async () => {
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
    // Marked by the sign-in, the member needs it also when the organization does not enforce it anymore.
    await admin().call(updateOrganization, { params, body: { sso: false } });
    expect((await statusOf(before)).statusCode).toBe(403);
    expect((await statusOf(session)).statusCode).toBe(200);
  });

  it('lets members in as what they are, and marks them', async () => {
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

  it('does not outlast the session at the identity provider', async () => {
    const page = (await signIn({ sessionEnd: serving.world.core.clock() + 60 * 60_000 })).payload;
    const authorization = `Bearer ${tokenIn(page)}`;
    serving.world.pass(61 * 60_000);
    expect(
      (await serving.server.inject({ method: 'GET', url: '/v1/user', headers: { authorization } }))
        .statusCode,
    ).toBe(401);
  });

  it('is not for those who were let go, nor for strangers where the organization lists its domains', async () => {
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

  it('of a member of another organization gives nothing there', async () => {
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

describe('an identity provider that speaks of people elsewhere', () => {
  it('reaches nothing of theirs: its word is good in its organization alone', async () => {
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

  it('makes no members of the domain of another organization where this one lists its own', async () => {
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

describe('an answer is taken once, for the request it is to', () => {
  it('and not again', async () => {
    const { id, relayState } = await begin();
    const fields = { SAMLResponse: answerTo(id), RelayState: relayState };
    expect((await post(service.acsURL, fields)).statusCode).toBe(200);
    expect(reasonOf(await post(service.acsURL, fields))).toMatchObject({
      reason: 'forbidden',
      message: 'The SAML response was already used.',
    });
  });

  it('and a browser gets the reason as a page', async () => {
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

  it('not even when both come at once', async () => {
    const { id, relayState } = await begin();
    const fields = { SAMLResponse: answerTo(id), RelayState: relayState };
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(service.acsURL, fields)));
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 403, 403, 403, 403]);
  });

  it('nor one with the id of another', async () => {
    expect((await signIn({ id: '_same' })).statusCode).toBe(200);
    expect(reasonOf(await signIn({ id: '_same' }))).toMatchObject({
      reason: 'forbidden',
      message: 'The assertion was already used.',
    });
  });

  it.each<[string, (id: string) => string]>([
    ['nobody made', () => '_nobody'],
    ['that is none of this service', (id) => `${id}x`],
  ])('and not for one that %s', async (_, request) => {
    const { id, relayState } = await begin();
    expect(
      (await post(service.acsURL, { SAMLResponse: answerTo(request(id)), RelayState: relayState }))
        .statusCode,
    ).toBe(403);
  });

  it('and that is looked at before the signature, which costs more', async () => {
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

  it('and not with the RelayState of another, nor without', async () => {
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

  it('and not for none, which the identity provider itself started; the error says where to start', async () => {
    const says = { inResponseTo: null, issued: serving.world.core.clock() };
    const SAMLResponse = encode(idp.response(says, service));
    expect(reasonOf(await post(service.acsURL, { SAMLResponse }))).toMatchObject({
      code: 403,
      message: 'The SAML response does not answer a request of this provider, or lacks its RelayState.',
      hint: `Start again at ${service.startURL}, or run \`docsctl login --sso ${service.startURL}\`.`,
    });
  });

  it('and not ten minutes after the request', async () => {
    const { id, relayState } = await begin();
    serving.world.pass(11 * 60_000);
    expect(
      (await post(service.acsURL, { SAMLResponse: answerTo(id), RelayState: relayState })).statusCode,
    ).toBe(403);
  });

  it('and not at another provider with the same identity provider', async () => {
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

  it('and not by the key that was replaced meanwhile', async () => {
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

describe('whoever begins sign-ins and never ends them', () => {
  const from = (remoteAddress: string, url = service.startURL) =>
    serving.server.inject({ method: 'GET', url: url.replace('http://localhost:8080', ''), remoteAddress });
  /** A server whose clock stands still. */
  async function freeze(): Promise<void> {
    const time = serving.world.core.clock();
    const still = await serve({ change: () => ({ ...serving.world.core, clock: () => time }) });
    serving = { ...serving, server: still.server };
  }

  it('leaves nothing behind, and locks nobody out', async () => {
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

  it('is stopped by address, for a minute', async () => {
    await freeze();
    for (let nth = 0; nth < 60; nth++) expect((await from('192.0.2.1')).statusCode).toBe(303);
    const refused = await from('192.0.2.1');
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60']);
    expect(reasonOf(refused)).toMatchObject({ code: 429, reason: 'rate-limited' });
    // A header makes nobody another client, and another address is one.
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
    // Ending one, and all else, is not stopped by that.
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
  ])('cannot have more %s checked either', async (_, url, payload) => {
    await freeze();
    const end = (remoteAddress: string) =>
      serving.server.inject({ method: 'POST', url: url(), headers: form, payload, remoteAddress });
    for (let nth = 0; nth < 60; nth++) expect((await end('192.0.2.1')).statusCode).toBe(403);
    expect([(await end('192.0.2.1')).statusCode, (await end('192.0.2.2')).statusCode]).toEqual([429, 403]);
  });
});

describe('what comes in', () => {
  it.each<
    [
      string,
      number,
      (response: string, relay: string, id: string) => { headers?: Record<string, string>; payload: string },
    ]
  >([
    ['too large a form', 413, () => ({ payload: `SAMLResponse=${'A'.repeat(400_000)}&RelayState=x` })],
    [
      'JSON',
      415,
      (SAMLResponse) => ({
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify({ SAMLResponse }),
      }),
    ],
    ['another type', 415, (response) => ({ headers: { 'content-type': 'text/xml' }, payload: response })],
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
      'a response that is no base64',
      400,
      (_, relay) => ({
        payload: new URLSearchParams({ SAMLResponse: '<x/>', RelayState: relay }).toString(),
      }),
    ],
    [
      'a response that is no XML',
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
      'too large a response',
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
  ])('is refused as %s with %d, in the form of every error', async (_, status, make) => {
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
    // The request is still open for the honest answer.
    expect(
      (await post(service.acsURL, { SAMLResponse: answerTo(id), RelayState: relayState })).statusCode,
    ).toBe(200);
  });

  it.each<[string, string, number, string]>([
    ['an answer', 'acs', 400_000, '384 KiB'],
    ['a code', 'token', 5000, '4 KiB'],
  ])(
    'is refused as too large a form with %s, whether it says its length or not',
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

  it('finds only providers that are there and set up', async () => {
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

  it('takes forms nowhere else, and other methods not here', async () => {
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

  it('reads the metadata of the service', async () => {
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

  it('gets a code, and for that and its verifier a token, once', async () => {
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

  it('gets none for a code that is old, or of somebody who was let go', async () => {
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
  ])('is the only place that a code is sent to: not with %o', async (fields) => {
    expect((await get(service.startURL + query({ ...back, ...fields }))).statusCode).toBe(400);
  });
});
