import { generateKeyPairSync } from 'node:crypto';
import { onTestFinished, describe, expect, it } from 'vitest';
import { Type } from '../../../src/contract/schema.ts';
import { makeCertificate } from '../../saml/certificate-maker.ts';
import { remoteApi } from '../../../src/client/remote-api.ts';
import { Problem } from '../../../src/errors/problem.ts';
import { kinds } from '../../../src/manifest/kinds/index.ts';
import type { Kind } from '../../../src/manifest/kind.ts';
import { addSection } from '../../../src/resources/site-sections/contract.ts';
import { addSiteSpace } from '../../../src/resources/site-spaces/contract.ts';
import { markdownToDocument } from '../../../src/richtext/markdown.ts';
import { serve } from '../../server/serving.ts';
import { Bench, createBench, linesOf } from '../bench.ts';
import { benchWith, type Row } from '../kinds/later-api.ts';
import { folderOf, problemIn } from '../read/folder.ts';
import { exportBench, knownOf, lockOf, planOf, textOf } from './export-bench.ts';

const claims = (count: number) =>
  JSON.stringify(
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `claim${index}`,
        { type: 'string', description: `Claim ${index}: of ${index}` },
      ]),
    ),
  );

const text = `
org: { settings: { emailDomains: [acme.test], defaultRole: read, ai: false, defaultContent: { site: !ref site.docs } } }
teams:
  writers: { title: Writers, members: [edit@acme.test, { email: admin@acme.test, role: owner }] }
  none: { title: Nobody, members: [] }
collections:
  archive: { title: Archive, parent: !ref collection.product }
  product: { title: Product, defaultLevel: edit, description: What we sell }
spaces:
  api2: { title: API, parent: !ref collection.archive }
  api: { title: API }
  guide: { title: "Guide: \\"start\\"", emoji: "📘", parent: !ref collection.product, mergeRules: { require_specific_reviewers: [edit@acme.test] } }
sites:
  docs:
    title: Acme Docs
    basename: acme
    published: true
    groups: { empty: { title: Empty }, dev: { title: Developers, icon: code } }
    sections:
      - { path: start, title: Start, space: !ref space.guide, default: true }
      - { path: api, title: API, group: dev, condition: 'visitor.claims.claim0 == "pro"', siteSpaces: [{ path: v2, space: !ref space.api, default: true }, { path: v1, space: !ref space.api2, hidden: true }] }
    adaptive: { enabled: true, jsonSchema: { type: object, additionalProperties: false, properties: ${claims(1)} } }
    shareLinks: { partners: { name: Partners, active: false } }
`;

async function acme(): Promise<Bench> {
  const bench = await createBench();
  await bench.bring(text);
  return bench;
}
const main = ({ files }: { files: ReadonlyMap<string, string> }) => files.get('docsctl.yaml')!;

describe('an export', () => {
  it('looks like a manifest that a person would write', async () => {
    expect(main(await exportBench(await acme()))).toMatchInlineSnapshot(`
      "version: 1

      org:
        id: org_acme
        settings:
          title: Acme
          emailDomains: [acme.test]
          hostname: acme
          defaultRole: read
          defaultContent: { site: !ref site.acme-docs }
          ai: false

      teams:
        nobody: { title: Nobody, members: [] }
        writers:
          title: Writers
          members:
            - { email: admin@acme.test, role: owner }
            - edit@acme.test

      members:
        admin@acme.test: { role: admin }
        comment@acme.test: { role: comment }
        create@acme.test: { role: create }
        edit@acme.test: { role: edit }
        guest@acme.test: { role: guest }
        read@acme.test: { role: read }
        review@acme.test: { role: review }

      collections:
        product: { title: Product, description: What we sell, defaultLevel: edit }
        archive: { title: Archive, parent: !ref collection.product }

      spaces:
        api: { title: API }
        guide-start:
          title: "Guide: \\"start\\""
          emoji: "📘"
          parent: !ref collection.product
          mergeRules: { require_specific_reviewers: [edit@acme.test] }
        api-2: { title: API, parent: !ref collection.archive }

      sites:
        acme-docs:
          title: Acme Docs
          basename: acme
          adaptive:
            enabled: true
            jsonSchema:
              type: object
              additionalProperties: false
              properties: { claim0: { type: string, description: "Claim 0: of 0" } }
          published: true
          groups:
            developers: { title: Developers, icon: code }
            empty: { title: Empty }
          sections:
            - { path: start, space: !ref space.guide-start, title: Start, default: true }
            - path: api
              title: API
              group: developers
              condition: visitor.claims.claim0 == "pro"
              siteSpaces:
                - { path: v2, space: !ref space.api, default: true }
                - { path: v1, space: !ref space.api-2, hidden: true }
          shareLinks:
            partners: { name: Partners, active: false }
      "
    `);
  });

  it('is the same over a server', async () => {
    const serving = await serve();
    const { url } = await serving.server.listen({ host: '127.0.0.1', port: 0 });
    const api = remoteApi({
      server: url,
      token: serving.world.token('admin'),
      version: '1.2.3',
      newKey: () => 'key',
      retries: 0,
    });
    onTestFinished(async () => {
      await api.close();
      await serving.server.close(0);
    });
    const near = new Bench(serving.world, folderOf({}));
    await near.bring(text);
    const far = new Bench(serving.world, folderOf({}), api);
    const exported = await exportBench(far);
    expect(textOf(exported)).toBe(textOf(await exportBench(near)));
    expect(linesOf(await planOf(far, exported))).toEqual([]);
    expect(far.changing).toEqual([]);
  });

  it('lists resources page by page, and reads the structure of a site with one call', async () => {
    const bench = await acme();
    bench.forget();
    await exportBench(bench);
    const counts = new Map<string, number>();
    for (const { operation } of bench.calls) counts.set(operation.id, (counts.get(operation.id) ?? 0) + 1);
    expect(counts.get('spaces.list')).toBe(1);
    expect(counts.get('sites.structure')).toBe(1);
    expect(bench.changing).toEqual([]);
  });

  it('keeps the names and the protection that the state file knows', async () => {
    const bench = await acme();
    const before = await exportBench(bench);
    const lock = lockOf(bench, before);
    const [address, owned] = [...before.owned].find(([one]) => one === 'space.api-2')!;
    lock.delete(address);
    lock.set('space.old_API', { ...owned, protect: true });
    const known = (kind: string, id: string) =>
      id === owned.id ? { name: 'old_API', protect: true } : knownOf(bench, before)(kind, id);
    const exported = await exportBench(bench, { known });
    expect(main(exported)).toContain(
      '  old_API: { title: API, parent: !ref collection.archive, protect: true }\n',
    );
    expect(exported.owned.get('space.old_API')).toMatchObject({ protect: true });
    const plan = await planOf(bench, exported, lockOf(bench, exported));
    expect(linesOf(plan)).toEqual([]);
    expect(plan.steps.filter(({ states }) => states !== undefined)).toEqual([]);
  });

  it('of some kinds refers to other resources with lookups or IDs', async () => {
    const bench = await acme();
    const spaces = await exportBench(bench, { kinds: ['spaces'] });
    expect(main(spaces)).toContain('parent: !lookup { title: Product }');
    expect(main(spaces)).not.toContain('collections:');
    expect(linesOf(await planOf(bench, spaces))).toEqual([]);
    const sites = await exportBench(bench, { kinds: ['site'] });
    // Two spaces have the title API, so only an ID identifies one of them.
    expect(main(sites)).toMatch(/path: v2, space: spc_/);
    expect(linesOf(await planOf(bench, sites))).toEqual([]);
    expect((await problemIn(exportBench(bench, { kinds: ['section'] }))).message).toBe(
      'A section is exported together with its site, not on its own.',
    );
  });

  it('notes titles that the API accepts only after the resource was created', async () => {
    const bench = await acme();
    await bench.bring('spaces: { one: { title: One }, two: { title: Two } }');
    const { resources } = bench.lock!;
    const params = { organizationId: bench.world.org, siteId: resources['site.docs']!.id };
    const section = await bench.api.call(addSection, {
      params,
      body: { spaceId: resources['space.one']!.id, title: 'More' },
    });
    await bench.api.call(addSiteSpace, {
      params,
      body: { spaceId: resources['space.two']!.id, sectionId: section.id, title: 'Second' },
    });
    expect((await exportBench(bench)).notes).toEqual([]);
    const { sortSiteStructure } = await import('../../../src/resources/sites/contract.ts');
    const { listSiteSpaces } = await import('../../../src/resources/site-spaces/contract.ts');
    const { items } = await bench.api.call(listSiteSpaces, { params, query: {} });
    const [first, second] = items
      .filter((one) => one.section === section.id)
      .map(({ id }) => ({ type: 'site-space' as const, id }));
    await bench.api.call(sortSiteStructure, {
      params,
      body: { item: second!, position: { before: first! } },
    });
    const exported = await exportBench(bench);
    expect(exported.notes).toEqual([
      expect.stringMatching(
        /^"title" of site-space\.acme-docs\/more\/second was not exported: the first site space/,
      ),
    ]);
    expect(linesOf(await planOf(bench, exported))).toEqual([]);
  });

  it('leaves out kinds that the backend does not support, with the reason', async () => {
    const bench = await acme();
    bench.before = ({ operation }) => {
      if (/^(collections|members)\.list$/.test(operation.id))
        throw new Problem('not-implemented', 'No such thing here.');
    };
    const exported = await exportBench(bench);
    expect(exported.unsupported.get('collection')).toBe('No such thing here.');
    expect(exported.unsupported.get('member')).toBe('No such thing here.');
    expect(exported.kinds.has('collection')).toBe(false);
    expect(main(exported)).not.toContain('collections:');
    // A plan could not find out who is meant either.
    expect(main(exported)).not.toContain('members:');
    expect(main(exported)).not.toContain('mergeRules:');
    expect(exported.notes).toEqual([]);
    bench.before = ({ operation }) => {
      if (operation.id === 'spaces.list') throw new Problem('forbidden', 'Not for you.');
    };
    expect((await problemIn(exportBench(bench))).reason).toBe('forbidden');
  });

  it('moves the long JSON schema of a site into a file, and keeps the other settings in the manifest', async () => {
    const bench = await createBench();
    await bench.bring(
      `sites: { docs: { title: Docs, adaptive: { enabled: true, jsonSchema: { type: object, additionalProperties: false, properties: ${claims(40)} } } } }`,
    );
    const exported = await exportBench(bench);
    expect(main(exported)).toContain(
      'adaptive: { enabled: true, jsonSchema: !file site/docs/adaptive-jsonschema.json }',
    );
    expect(JSON.parse(exported.files.get('site/docs/adaptive-jsonschema.json')!)).toMatchObject({
      properties: { claim39: { type: 'string' } },
    });
    const plan = await planOf(bench, exported);
    expect(linesOf(plan)).toEqual([]);
    expect(plan.steps.filter(({ states }) => states !== undefined)).toEqual([]);
  });

  it('leaves out values that a manifest would refuse, and notes the reason', async () => {
    const collection = kinds.find(({ name }) => name === 'collection')!;
    const strict: Kind = {
      ...collection,
      fields: {
        ...collection.fields,
        title: { ...collection.fields['title']!, schema: Type.String({ maxLength: 7 }) },
      },
      check: (stated, fault) =>
        void (stated.has('parent') && fault('parent', 'nothing lies in a collection here')),
    };
    const bench = await acme();
    await bench.bring('collections: { long: { title: A long title } }');
    const exported = await exportBench(bench, { table: [strict] });
    expect(exported.notes).toEqual([
      '"title" of collection.a-long-title was not exported: a manifest does not allow the current value: this text is 12 characters long; at most 7 are allowed',
      'collection.archive was not exported: nothing lies in a collection here',
    ]);
    expect(linesOf(await planOf(bench, exported, undefined, [strict]))).toEqual([]);
  });

  it('writes long texts and values to files, and texts of several lines as block scalars', async () => {
    const short = makeCertificate(generateKeyPairSync('ec', { namedCurve: 'P-256' }));
    const certificate = short.repeat(8);
    const rows: Row[] = [
      {
        id: 'saml_1',
        label: 'Okta',
        entityID: 'https://idp.test/x',
        ssoURL: 'https://idp.test/sso',
        certificate,
        defaultRole: 'comment',
      },
      {
        id: 'saml_2',
        label: 'okta',
        entityID: 'https://idp.test/y',
        ssoURL: 'https://idp.test/sso',
        certificate: short,
        defaultRole: null,
      },
    ];
    const long = Array.from({ length: 60 }, (_, index) => `Line ${index}`).join('\n\n');
    const bench = await benchWith({
      'saml.list': () => ({ items: rows }),
      'agent-instructions.get': () => ({ instructions: markdownToDocument(long) }),
      'openapi.list': () => ({
        items: [
          {
            id: 'spec_1',
            slug: 'billing',
            sourceURL: 'https://a.test/openapi.json',
            visibility: 'private',
            processingState: 'complete',
          },
          {
            id: 'spec_2',
            slug: 'by-hand',
            visibility: 'public',
            processingState: 'complete',
            lastVersion: 'ver_1',
          },
        ],
      }),
      'openapi.download': () => ({
        name: 'by-hand.yaml',
        contentType: 'application/yaml',
        bytes: Buffer.from('openapi: 3.1.0\n'),
      }),
      'translations.list': () => ({
        items: [
          {
            id: 'tra_1',
            source: { space: 'spc_gone', language: 'en' },
            language: 'fr',
            instructions: { object: 'document', data: {}, nodes: [] },
          },
        ],
      }),
    });
    const exported = await exportBench(bench, { kinds: ['saml', 'org', 'openapi', 'translations'] });
    expect([...exported.files.keys()]).toEqual([
      'docsctl.yaml',
      'saml/okta-2/certificate.pem',
      'specs/by-hand.yaml',
      'agent-instructions/instructions.md',
    ]);
    expect(exported.files.get('saml/okta-2/certificate.pem')).toBe(certificate);
    expect(exported.files.get('agent-instructions/instructions.md')).toBe(long);
    expect(exported.notes).toEqual([]);
    expect(
      main(exported)
        .replace(/(-----BEGIN CERTIFICATE-----\n)[^-]+\n( *-)/, '$1$2')
        .replace(/\n( *)(-----END)/, '\n$1MIIB\n$1$2'),
    ).toMatchInlineSnapshot(`
      "version: 1

      org:
        id: org_acme
        settings:
          title: Acme
          hostname: acme
        agents:
          instructions: !file agent-instructions/instructions.md

      saml:
        okta:
          label: okta
          entityID: https://idp.test/y
          ssoURL: https://idp.test/sso
          certificate: |
            -----BEGIN CERTIFICATE-----
            MIIB
            -----END CERTIFICATE-----
        okta-2:
          label: Okta
          entityID: https://idp.test/x
          ssoURL: https://idp.test/sso
          certificate: !file saml/okta-2/certificate.pem
          defaultRole: comment

      openapi:
        billing: { slug: billing, source: { url: https://a.test/openapi.json }, visibility: private }
        by-hand: { slug: by-hand, text: !file specs/by-hand.yaml, visibility: public }

      translations:
        spc-gone-en-fr: { source: { space: spc_gone, language: en }, language: fr }
      "
    `);
    expect(linesOf(await planOf(bench, exported))).toEqual([]);
  });
});
