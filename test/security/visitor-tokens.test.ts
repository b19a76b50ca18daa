import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { updateSection } from '../../src/resources/site-sections/contract.ts';
import {
  createShareLink,
  updateShareLink,
  deleteShareLink,
} from '../../src/resources/site-share-links/contract.ts';
import {
  getPublishingAuth,
  regeneratePublishingAuth,
} from '../../src/resources/site-publishing-auth/contract.ts';
import { getPublishedSite, publishSite, updateSite } from '../../src/resources/sites/contract.ts';
import { createSitesWorld, type SitesWorld } from '../resources/sites/support.ts';

let world: SitesWorld;
let siteId: string;
let otherSite: string;
let key: string;
let otherKey: string;
let oldKey: string;
/** The time of the world in seconds, accurate to a minute. */
const now = Date.parse('2026-01-05T09:00:00.000Z') / 1000;

const part = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const good = { exp: now + 86_400, plan: 'pro' };
const token = (header: unknown, payload: unknown, secret: string | Buffer, hash = 'sha256') => {
  const text = `${part(header)}.${part(payload)}`;
  return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`;
};
const hs = { alg: 'HS256', typ: 'JWT' };
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const publicPem = rsa.publicKey.export({ type: 'spki', format: 'pem' }) as string;
const rs256 = (header: unknown) => {
  const text = `${part(header)}.${part(good)}`;
  return `${text}.${sign('sha256', Buffer.from(text), rsa.privateKey).toString('base64url')}`;
};

beforeAll(async () => {
  world = await createSitesWorld();
  siteId = await world.site('Docs');
  otherSite = await world.site('Other');
  const section = await world.section(siteId, 'Guides');
  await world.section(siteId, 'Reference');
  await world.call(
    updateSection,
    { siteId, siteSectionId: section },
    { condition: 'visitor.claims.plan == "pro"' },
  );
  await world.call(updateSite, { siteId }, { adaptiveContent: { enabled: true } });
  await world.call(publishSite, { siteId });
  oldKey = (await world.call(regeneratePublishingAuth, { siteId })).privateKey;
  key = (await world.call(regeneratePublishingAuth, { siteId })).privateKey;
  otherKey = (await world.call(regeneratePublishingAuth, { siteId: otherSite })).privateKey;
});

const seen = async (query: unknown) =>
  (
    (await world.call(getPublishedSite, { siteId }, undefined, query)).structure.structure as {
      title: string;
    }[]
  ).map(({ title }) => title);

/** More than sixty crafted tokens, none of which may be accepted. */
const crafted = (): [name: string, token: unknown][] => {
  const valid = token(hs, good, key);
  const [head, body, signature] = valid.split('.') as [string, string, string];
  const alg = (name: unknown) => token({ ...hs, alg: name }, good, key);
  const header = (more: object) => token({ ...hs, ...more }, good, key);
  const payload = (more: object) => token(hs, { ...good, ...more }, key);
  const signed = (secret: string | Buffer) => token(hs, good, secret);
  return [
    ['nothing', ''],
    ['not a token', 'token'],
    ['none', `${part({ alg: 'none' })}.${body}.`],
    ['None', `${part({ alg: 'None' })}.${body}.`],
    ['nOnE with a signature', `${part({ alg: 'nOnE' })}.${body}.${signature}`],
    ['none, signed all the same', alg('none')],
    ['no algorithm', token({ typ: 'JWT' }, good, key)],
    ['an algorithm that is null', alg(null)],
    ['an algorithm that is a list', alg(['HS256'])],
    ['small letters', alg('hs256')],
    ['HS384', token({ ...hs, alg: 'HS384' }, good, key, 'sha384')],
    ['HS512', token({ ...hs, alg: 'HS512' }, good, key, 'sha512')],
    ['HS256 that is HS512', token(hs, good, key, 'sha512')],
    ['RS256', rs256({ alg: 'RS256', typ: 'JWT' })],
    ['RS256 that says HS256', rs256(hs)],
    ['HS256 with a public key as its secret', signed(publicPem)],
    ['RS256 in words, HMAC in truth', alg('RS256')],
    ['PS256', alg('PS256')],
    ['ES256', alg('ES256')],
    ['EdDSA', alg('EdDSA')],
    ['dir', alg('dir')],
    ['kid that climbs', header({ kid: '../../../../dev/null' })],
    ['kid with SQL', header({ kid: "x' UNION SELECT 'key" })],
    ['kid with a command', header({ kid: '|/bin/id' })],
    ['kid that is an address', header({ kid: 'https://evil.test/key' })],
    ['kid that is a list', header({ kid: [siteId] })],
    ['kid that is empty', header({ kid: '' })],
    ['jku', header({ jku: 'https://evil.test/keys.json' })],
    ['jwk', header({ jwk: { kty: 'oct', k: part('key') } })],
    [
      'jwk, signed with it',
      token({ ...hs, jwk: { kty: 'oct', k: part('x'.repeat(32)) } }, good, 'x'.repeat(32)),
    ],
    ['x5u', header({ x5u: 'https://evil.test/cert.pem' })],
    ['x5c', header({ x5c: ['MII'] })],
    ['crit', header({ crit: ['exp'] })],
    ['b64', header({ b64: false, crit: ['b64'] })],
    ['zip', header({ zip: 'DEF' })],
    ['another kind', header({ typ: 'at+jwt' })],
    ['__proto__ in the header', token('{"alg":"HS256","__proto__":{"alg":"none"}}', good, key)],
    ['expired', payload({ exp: now - 1 })],
    ['expired long ago', payload({ exp: 0 })],
    ['no exp', token(hs, { plan: 'pro' }, key)],
    ['exp that is a text', payload({ exp: '9999999999' })],
    ['exp that is null', payload({ exp: null })],
    ['exp that is a list', payload({ exp: [now + 1000] })],
    ['not valid yet', payload({ nbf: now + 80_000 })],
    ['nbf that is a text', payload({ nbf: '0' })],
    ['iat that is a text', payload({ iat: 'now' })],
    ['for another site', payload({ aud: otherSite })],
    ['for others', payload({ aud: ['a', otherSite] })],
    ['for nobody', payload({ aud: [] })],
    ['for an object', payload({ aud: { [siteId]: true } })],
    ["the other site's key", signed(otherKey)],
    ['the key before', signed(oldKey)],
    ['an empty key', signed('')],
    ['a key of blanks', signed(' '.repeat(32))],
    ['the key, decoded', signed(Buffer.from(key, 'base64url'))],
    ['the id of the site as the key', signed(siteId)],
    ['no signature', `${head}.${body}.`],
    ['two parts', `${head}.${body}`],
    ['four parts', `${valid}.${signature}`],
    ['a signature cut short', valid.slice(0, -1)],
    ['a signature of another body', `${head}.${part({ ...good, plan: 'enterprise' })}.${signature}`],
    ['one bit changed', `${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`],
    ['a body that is a list', token(hs, '["pro"]', key)],
    ['a body that is null', token(hs, 'null', key)],
    ['a body that is no JSON', token(hs, '{"exp":', key)],
    ['a body that lies deep', token(hs, `{"exp":${good.exp},"a":${'['.repeat(500)}${']'.repeat(500)}}`, key)],
    ['padding', `${valid}=`],
    ['a space before it', ` ${valid}`],
    ['a line after it', `${valid}\n`],
    ['a long one', payload({ more: 'x'.repeat(9000) })],
    ['a list of tokens', [valid]],
    ['an object', { token: valid }],
    ['all three parts encoded otherwise', `${head}.${body}.${signature.replace(/.$/, (last) => `${last}A`)}`],
  ];
};

describe('visitor tokens', () => {
  it('admit visitors for whom the backend of the same site signed', async () => {
    expect(await seen({ visitorToken: token(hs, good, key) })).toEqual(['Guides', 'Reference']);
    expect(await seen({ visitorToken: token(hs, { ...good, plan: 'free' }, key) })).toEqual(['Reference']);
    for (const more of [
      { aud: siteId },
      { aud: ['x', siteId] },
      { aud: 'http://localhost:8080/sites/acme/docs' },
      { iss: 'anybody', nbf: now - 5, iat: now },
    ])
      expect(await seen({ visitorToken: token(hs, { ...good, ...more }, key) })).toHaveLength(2);
    for (const header of [{ alg: 'HS256' }, { ...hs, kid: 'key-1' }])
      expect(await seen({ visitorToken: token(header, good, key) })).toHaveLength(2);
  });

  it('are refused in more than 60 crafted variants', async () => {
    const tokens = crafted();
    expect(new Set(tokens.map(([, text]) => JSON.stringify(text))).size).toBeGreaterThanOrEqual(60);
    const outcomes: Record<string, string> = {};
    for (const [name, visitorToken] of tokens) {
      const { reason, message, hint } = await world.refusal(getPublishedSite, { siteId }, undefined, {
        visitorToken,
      });
      outcomes[name] = reason;
      for (const secret of [key, oldKey, otherKey]) expect(`${message} ${hint}`).not.toContain(secret);
    }
    expect(
      Object.entries(outcomes).filter(([, reason]) => reason !== 'forbidden' && reason !== 'invalid-input'),
    ).toEqual([]);
    expect(Object.values(outcomes).filter((reason) => reason === 'forbidden').length).toBeGreaterThanOrEqual(
      60,
    );
  });

  it('do not set unsigned claims, and signed claims come only from them', async () => {
    const visitorToken = token(hs, { ...good, unsigned: { language: 'fr' } }, key);
    const section = await world.section(siteId, 'French');
    await world.call(
      updateSection,
      { siteId, siteSectionId: section },
      { condition: 'visitor.claims.unsigned.language == "fr"' },
    );
    expect(await seen({ visitorToken })).toEqual(['Guides', 'Reference']);
    expect(await seen({ visitorToken, claims: '{"unsigned":{"language":"fr"}}' })).toEqual([
      'Guides',
      'Reference',
      'French',
    ]);
    expect(
      await world.refusal(getPublishedSite, { siteId }, undefined, {
        visitorToken,
        claims: '{"plan":"pro"}',
      }),
    ).toMatchObject({
      reason: 'invalid-input',
      paths: ['/query/claims'],
    });
  });

  it('are refused if the site has no key', async () => {
    const bare = await world.site('Bare', await world.space('Any'));
    await world.call(publishSite, { siteId: bare });
    expect(
      await world.refusal(getPublishedSite, { siteId: bare }, undefined, {
        visitorToken: token(hs, good, ''),
      }),
    ).toMatchObject({
      reason: 'forbidden',
      hint: expect.stringContaining('publishing-auth regenerate'),
    });
    expect(await world.refusal(getPublishingAuth, { siteId: bare })).toMatchObject({ reason: 'not-found' });
  });

  it('are verified by the library in constant time, not compared as text', () => {
    const source = readFileSync(new URL('../../src/core/jwt.ts', import.meta.url), 'utf8').replaceAll(
      /\s+/g,
      ' ',
    );
    expect(source).toContain('jwtVerify(token, secret, { algorithms: [algorithm],');
    expect(source).not.toMatch(/createHmac|signature\s*===/);
  });
});

describe('the key of a site', () => {
  it('is long, and can be read only by administrators', async () => {
    expect(Buffer.from(key, 'base64url')).toHaveLength(32);
    expect(await world.call(getPublishingAuth, { siteId })).toEqual({
      object: 'publishing-auth',
      backend: 'custom',
      privateKey: key,
    });
    for (const who of ['create', 'read'] as const) {
      for (const operation of [getPublishingAuth, regeneratePublishingAuth])
        expect(await world.refusal(operation, { siteId }, undefined, undefined, who)).toMatchObject({
          reason: 'forbidden',
        });
    }
    expect(
      await world.refusal(getPublishingAuth, { siteId }, undefined, undefined, 'outsider'),
    ).toMatchObject({ reason: 'not-found' });
  });

  it('is not part of the published site', async () => {
    expect(JSON.stringify(await world.call(getPublishedSite, { siteId }))).not.toContain(key);
  });
});

describe('share keys', () => {
  it('open nothing if they are turned off, deleted, of another site, empty or a list', async () => {
    await world.call(updateSite, { siteId }, { visibility: 'share-link' });
    const make = async (of: string) => {
      const { id, urls } = await world.call(createShareLink, { siteId: of }, { name: 'Link' });
      return { id, key: urls.published!.split('/').at(-2)! };
    };
    const [on, off, gone, other] = [
      await make(siteId),
      await make(siteId),
      await make(siteId),
      await make(otherSite),
    ];
    await world.call(updateShareLink, { siteId, shareLinkId: off.id }, { active: false });
    await world.call(deleteShareLink, { siteId, shareLinkId: gone.id });
    expect(await seen({ shareKey: on.key })).toContain('Reference');
    const wrong = [
      off.key,
      gone.key,
      other.key,
      '',
      on.key.slice(0, -1),
      `${on.key}A`,
      on.key.toUpperCase(),
      ` ${on.key}`,
      [on.key],
      null,
    ];
    for (const shareKey of wrong) {
      const { reason } = await world.refusal(getPublishedSite, { siteId }, undefined, { shareKey });
      expect([shareKey, reason]).toEqual([shareKey, expect.stringMatching(/^(not-found|invalid-input)$/)]);
    }
  });
});
