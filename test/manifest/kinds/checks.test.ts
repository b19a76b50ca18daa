import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readDesired } from '../../../src/manifest/read-desired.ts';
import { bare, makeCertificate } from '../../saml/certificate-maker.ts';
import { faultsIn, read } from '../read/folder.ts';
import { benchWith } from './later-api.ts';

type Files = Record<string, string>;
const desiredOf = async (text: string, files: Files = {}) =>
  readDesired((await read({ 'org.yaml': `version: 1\n${text}`, ...files })).root);
const faults = (text: string, files?: Files) => faultsIn(desiredOf(text, files));

describe('a text where an id is wanted', () => {
  const collections = 'collections: { product: { title: Product } }\nteams: { a: { title: A } }\n';
  const noId =
    'this text is no id; write !ref collection.NAME for one of the manifest, !lookup { title: … } for another';

  it.each([
    [
      'collection.product',
      '"collection.product" is a plain text here; did you mean !ref collection.product?',
    ],
    ['team.a', 'team.a stands where a collection is wanted'],
    ['collection.prodct', 'this text is no id; did you mean !ref collection.product?'],
    ['Product Docs', noId],
    ['""', noId],
    ['"../x"', noId],
  ])('%s is told', async (text, message) => {
    expect(await faults(`${collections}spaces: { s: { parent: ${text} } }`)).toEqual([
      `org.yaml:4:24: ${message}`,
    ]);
  });

  it.each(['col_01ABC', 'product', '-_'])('%s may be one', async (id) => {
    expect(
      (await desiredOf(`${collections}spaces: { s: { parent: ${id} } }`)).byAddress
        .get('space.s')!
        .fields.get('parent')!.value,
    ).toBe(id);
  });

  it('is told in lists, in maps, in lookups and in what is short for another block', async () => {
    const text = `spaces: { s: { title: S } }
sites: { docs: { sections: [{ path: p, space: space.s }], groups: { a: { title: A } } } }
integrations: { i: { spaces: [!ref space.s, space.s, spc_1] } }
translations: { t: { source: { space: space.s, language: en }, language: fr } }
org: { settings: { defaultContent: { site: site.docs } } }
`;
    const said = (address: string) => `"${address}" is a plain text here; did you mean !ref ${address}?`;
    expect((await faults(text)).sort()).toEqual([
      `org.yaml:3:47: ${said('space.s')}`,
      `org.yaml:4:45: ${said('space.s')}`,
      `org.yaml:5:39: ${said('space.s')}`,
      `org.yaml:6:44: ${said('site.docs')}`,
    ]);
    expect(
      await faults(
        `${collections}spaces: { s: { parent: !lookup { title: X, parent: collection.product } } }`,
      ),
    ).toEqual([`org.yaml:4:52: ${said('collection.product')}`]);
  });

  it('is told where a name of the same parent is taken', async () => {
    const text =
      'sites: { docs: { groups: { dev: { title: Dev } }, sections: [{ path: p, group: section-group.docs/dev }] } }';
    expect(await faults(text)).toEqual([
      'org.yaml:2:80: "section-group.docs/dev" is a plain text here; did you mean !ref section-group.docs/dev?',
    ]);
  });
});

describe('a condition', () => {
  const claims = { plan: { type: 'string', description: 'Plan', enum: ['pro', 'free'] } };
  const files = {
    'visitor.json': JSON.stringify({ type: 'object', properties: claims, additionalProperties: false }),
  };
  const site = (condition: string, adaptive: string) =>
    `spaces: { s: {} }\nsites:\n  docs:\n    ${adaptive}\n    sections: [{ path: p, siteSpaces: [{ path: v, space: !ref space.s, condition: ${condition} }] }, { path: q, space: !ref space.s, condition: ${condition} }]`;
  const schema = 'adaptive: { enabled: false, jsonSchema: !file visitor.json }';
  const fit = 'the condition does not fit the visitor schema of the site:';

  it.each([
    [
      `'visitor.claims.plan = "pro"'`,
      'the condition is not valid: column 21: a condition cannot assign; compare with "=="',
    ],
    [`'visitor.claims.plan =='`, 'the condition is not valid: column 23: the expression ends too early'],
    [
      `'visitor.claims.paln == "pro"'`,
      `${fit} column 16: there is no claim "paln" in visitor.claims; did you mean "plan"?`,
    ],
    [
      `'visitor.claims.plan == "por"'`,
      `${fit} column 24: visitor.claims.plan is never "por"; did you mean "pro"?`,
    ],
  ])('%s is told in a section and in a site space', async (condition, message) => {
    const found = await faults(site(condition, schema), files);
    expect(found.map((fault) => fault.replace(/^org\.yaml:6:\d+: /, ''))).toEqual([message, message]);
    expect(new Set(found).size).toBe(2);
  });

  it.each(['title: Docs', 'adaptive: { enabled: false, jsonSchema: null }'])(
    'is taken as it is where the manifest does not state the schema: %s',
    async (adaptive) => {
      const desired = await desiredOf(site('visitor.claims.anything', adaptive));
      expect(desired.byAddress.get('section.docs/q')!.fields.get('condition')!.value).toBe(
        'visitor.claims.anything',
      );
      expect(await faults(site('"a +"', adaptive))).toHaveLength(2);
    },
  );

  it('that fits passes, and none is none', async () => {
    expect((await desiredOf(site(`'visitor.claims.plan == "pro"'`, schema), files)).byAddress.size).toBe(6);
    expect((await desiredOf(site('null', schema), files)).byAddress.size).toBe(6);
  });
});

describe('of two defaults', () => {
  it('both sections are named', async () => {
    const text =
      'sites:\n  docs:\n    sections:\n      - { path: a, default: true }\n      - { path: b }\n      - { path: c, default: true }\n  other: { sections: [{ path: a, default: true }] }';
    expect(await faults(text)).toEqual([
      'org.yaml:7:29: section.docs/c says "default: true", and so does section.docs/a at org.yaml:5:29; only one may, so take it out of the other',
    ]);
  });

  it('both site spaces of a section are named, and each section has its own', async () => {
    const spaces = (second: string) => `spaces: { a: {}, b: {} }\nsites:\n  docs:\n    sections:
      - { path: one, siteSpaces: [{ path: x, space: !ref space.a, default: true }, { path: y, space: !ref space.b${second} }] }
      - { path: two, siteSpaces: [{ path: x, space: !ref space.a, default: true }] }`;
    expect(await faults(spaces(', default: true'))).toEqual([
      'org.yaml:6:125: site-space.docs/one/y says "default: true", and so does site-space.docs/one/x at org.yaml:6:76; only one may, so take it out of the other',
    ]);
    expect((await desiredOf(spaces(''))).byAddress.has('site-space.docs/two/x')).toBe(true);
  });
});

describe('a certificate', () => {
  const one = makeCertificate(generateKeyPairSync('ec', { namedCurve: 'P-256' }));
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();
  const text = 'saml: { okta: { label: Okta, certificate: !file c.pem } }';
  const none =
    'is no X.509 certificate; give the signing certificate of the identity provider, as PEM or as the bare base64 in its metadata';

  it.each([
    ['hello', none],
    ['-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----', none],
    [`${one}${one.replace('M', 'A')}`, none],
    [bare(one).slice(0, 100), none],
    [key, 'holds something else than certificates, such as a key'],
    [one + key, 'holds something else than certificates, such as a key'],
  ])('that is none is told, with nothing of it: %#', async (certificate, message) => {
    expect(await faults(text, { 'c.pem': certificate })).toEqual([`org.yaml:2:43: ${message}`]);
  });

  it.each([one, one.repeat(2), bare(one), `Subject: x\n${one.replaceAll('\n', '\r\n')}`, ''])(
    'is taken as PEM, several, and bare: %#',
    async (certificate) => {
      expect((await desiredOf(text, { 'c.pem': certificate })).byAddress.has('saml.okta')).toBe(true);
    },
  );
});

describe('an OpenAPI specification', () => {
  it('that is new and comes from nowhere is told by the plan', async () => {
    const rows = [{ id: 'spec_1', slug: 'there', visibility: 'private', processingState: 'complete' }];
    const bench = await benchWith({ 'openapi.list': () => ({ items: rows }) });
    bench.write(
      'openapi:\n  there: { visibility: private }\n  fresh: { visibility: private }\n  url: { source: { url: "https://a.test/x.json" } }\n',
    );
    expect(await faultsIn(bench.plan())).toEqual([
      'org.yaml:4:3: openapi.fresh is not there yet, and needs "source: { url: … }" or "text: !file …" to be made',
    ]);
    writeFileSync(join(bench.folder, 'fresh.yaml'), 'openapi: 3.0.0\n');
    bench.write('openapi:\n  there: { visibility: private }\n  fresh: { text: !file fresh.yaml }\n');
    expect((await bench.plan()).counts.create).toBe(1);
  });
});
