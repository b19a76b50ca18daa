import { beforeAll, beforeEach, expect, it } from 'vitest';
import { updateOrganization } from '../../src/resources/organizations/contract.ts';
import { createProvider, deleteProvider } from '../../src/resources/saml/contract.ts';
import { encode, Idp, readRedirect } from '../saml/idp.ts';
import { serve, type Serving } from '../server/serving.ts';
import { Browser, origin, signedIn } from './browser.ts';

let idp: Idp;
let serving: Serving;
let service: { acsURL: string; startURL: string; entityID: string };
let provider: string;
const params = { organizationId: 'org_acme' };

beforeAll(() => {
  idp = new Idp();
});
beforeEach(async () => {
  serving = await serve();
  const body = { label: 'Okta <b>', ...idp.provider, defaultRole: 'edit' as const };
  ({ id: provider, service } = await serving.world.as('admin').call(createProvider, { params, body }));
});

/** The link to single sign-on on a page. */
const linkOn = (page: string): string =>
  (/href="(\/o\/~sign-in\/[^"]+)"/.exec(page)?.[1] ?? '').replaceAll('&amp;', '&');

/** Sends the browser to the identity provider, and back with its response. Returns the address of the session. */
async function signInAt(browser: Browser, start: string, email: string): Promise<string> {
  const { id, relayState } = readRedirect(String((await browser.send('GET', start)).headers.location));
  const says = { id: `_of${id}`, inResponseTo: id, issued: serving.world.core.clock(), email };
  const payload = new URLSearchParams({
    SAMLResponse: encode(idp.response(says, service)),
    RelayState: relayState,
  }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://idp.test' };
  const answer = await browser.send('POST', service.acsURL, { headers, payload });
  expect(answer.statusCode).toBe(303);
  expect(answer.headers['set-cookie']).toBeUndefined();
  return String(answer.headers.location);
}

it('single sign-on signs a member in, and opens the requested page', async () => {
  const browser = new Browser(serving.server);
  const asked = await browser.open('/o/org_acme/sites/site_x?links=a');
  expect(asked.statusCode).toBe(401);
  const start = linkOn(asked.payload);
  expect(start).not.toBe('');
  const callback = await signInAt(browser, start, 'edit@acme.test');
  expect(callback).toMatch(new RegExp(`^${origin}/o/~session\\?code=[\\w-]{32}&state=`));
  const back = await browser.send('GET', callback);
  expect([back.statusCode, back.headers.location]).toEqual([303, '/o/org_acme/sites/site_x?links=a']);
  expect(browser.cookies.map(({ path }) => path)).toEqual(['/o', '/integrations']);
  const page = await browser.open('/o/org_acme');
  expect(page.statusCode).toBe(200);
  expect(page.payload).toContain('Edit');
  // The code works once.
  expect((await browser.open(callback)).statusCode).toBe(401);
  expect(JSON.stringify(serving.logged)).not.toContain('dctl_');
});

it('single sign-on admits members if it is required, while their other sessions are refused', async () => {
  const plain = await signedIn(serving, 'read');
  await serving.world.as('admin').call(updateOrganization, { params, body: { sso: true } });
  const refused = await plain.open('/o/org_acme');
  expect(refused.statusCode).toBe(403);
  const browser = new Browser(serving.server);
  await browser.open(await signInAt(browser, linkOn(refused.payload), 'read@acme.test'));
  expect((await browser.open('/o/org_acme')).statusCode).toBe(200);
  // The session is valid in this organization only.
  expect((await browser.open('/o/org_other')).statusCode).toBe(404);
  await serving.world.as('admin').call(deleteProvider, { params: { ...params, samlProviderId: provider } });
  expect((await browser.open('/o/org_acme')).statusCode).toBe(401);
});

it('single sign-on can be completed only by the browser that started it', async () => {
  const [attacker, victim] = [new Browser(serving.server), new Browser(serving.server)];
  const start = linkOn((await attacker.open('/o/org_acme')).payload);
  const callback = await signInAt(attacker, start, 'edit@acme.test');
  expect((await victim.open(callback)).statusCode).toBe(401);
  expect(victim.cookies).toEqual([]);
  // A victim who has started their own sign-in does not accept that of the attacker.
  await victim.send('GET', start);
  expect((await victim.open(callback)).statusCode).toBe(401);
  expect(victim.cookies.map(({ name }) => name)).toEqual(['docsctl-sign-in-8080']);
});

it('single sign-on leads back to pages of this server only', async () => {
  const targets = [
    'https://evil.example/',
    '//evil.example/o/',
    '/\\evil.example',
    '/v1/orgs',
    '/o/../v1/orgs',
    '/o/x\r\nset-cookie: a=b',
    '/other',
    '',
  ];
  for (const to of targets) {
    const browser = new Browser(serving.server);
    const start = `/o/~sign-in/${provider}?${new URLSearchParams({ to }).toString()}`;
    const back = await browser.send('GET', await signInAt(browser, start, 'edit@acme.test'));
    expect([back.statusCode, back.headers.location], to).toEqual([303, '/o/']);
  }
});

it('single sign-on is offered only for the organization that has it', async () => {
  const pageOf = async (path: string) => (await new Browser(serving.server).open(path)).payload;
  expect(linkOn(await pageOf('/o/org_acme/s/there'))).not.toBe('');
  expect(await pageOf('/o/org_other')).toBe(await pageOf('/o/org_none'));
  expect(linkOn(await pageOf('/o/org_other'))).toBe('');
  expect((await new Browser(serving.server).open('/o/~sign-in/saml_none')).statusCode).toBe(404);
  const body = { label: 'Second <script>', ...idp.provider, entityID: 'https://second.test' };
  await serving.world.as('admin').call(createProvider, { params, body });
  const both = await pageOf('/o/org_acme');
  expect(both).toContain('Okta &lt;b&gt;');
  expect(both).toContain('Second &lt;script&gt;');
});

it('single sign-on can be started at most 60 times a minute from one address', async () => {
  const time = serving.world.core.clock();
  const { server } = await serve({ change: (core) => ({ ...core, clock: () => time }) });
  const statuses: number[] = [];
  for (let count = 0; count < 61; count++)
    statuses.push((await new Browser(server).send('GET', '/o/~sign-in/saml_none')).statusCode);
  expect(statuses.slice(0, 60).every((status) => status === 404)).toBe(true);
  expect(statuses.at(-1)).toBe(429);
  for (const path of ['/o/%7Esign-in/saml_none', '/o/~sign%2Din/saml_none', '/%6f/~session?code=x'])
    expect([path, (await new Browser(server).send('GET', path)).statusCode]).toEqual([path, 429]);
});
