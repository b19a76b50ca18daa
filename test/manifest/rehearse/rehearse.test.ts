import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCertificate } from '../../saml/certificate-maker.ts';
import { describe, expect, it } from 'vitest';
import type { Api } from '../../../src/contract/api.ts';
import { Problem } from '../../../src/errors/problem.ts';
import { kinds } from '../../../src/manifest/kinds/index.ts';
import type { OpenCopy } from '../../../src/manifest/rehearse/copy.ts';
import { createCollection } from '../../../src/resources/collections/contract.ts';
import { addSection } from '../../../src/resources/site-sections/contract.ts';
import { addSiteSpace } from '../../../src/resources/site-spaces/contract.ts';
import { createSite } from '../../../src/resources/sites/contract.ts';
import { createTeam } from '../../../src/resources/teams/contract.ts';
import { createBench, linesOf, type Bench } from '../bench.ts';
import { answersFor, benchWith, type Row } from '../kinds/later-api.ts';
import { problemIn } from '../read/folder.ts';
import { copiesFor, rehearseBench, shownRows } from './rehearse-bench.ts';

const base = `
spaces: { guide: { title: Guide }, api: { title: API } }
sites: { docs: { title: Docs, basename: docs, sections: [{ path: guide, space: !ref space.guide, title: Guide }] } }
`;

/** Returns a rehearsal, and checks that an apply does the same afterwards. */
async function foretold(bench: Bench, text: string, more: Parameters<typeof rehearseBench>[1] = {}) {
  bench.write(text);
  const rehearsal = await rehearseBench(bench, more);
  const { prune, maxDeletes } = more;
  expect(shownRows(await bench.apply({ prune, maxDeletes, skipUnsupported: true }), false)).toEqual(
    shownRows(rehearsal, false),
  );
  return rehearsal;
}

describe('a rehearsal', () => {
  it('lists what would be done, with live IDs, and without IDs for new resources', async () => {
    const bench = await createBench();
    await bench.bring(base);
    const { plan, rows, counts, unchanged, unsettled, notCopied } = await foretold(
      bench,
      base.replace('API', 'Reference').replace('teams', '') + 'teams: { writers: { title: Writers } }\n',
    );
    expect(rows).toEqual([
      {
        key: 'team.writers',
        address: 'team.writers',
        kind: 'team',
        name: 'Writers',
        action: 'create',
        status: 'done',
      },
      {
        key: 'space.api',
        address: 'space.api',
        kind: 'space',
        name: 'Reference',
        action: 'update',
        status: 'done',
        id: bench.lock!.resources['space.api']!.id,
      },
    ]);
    expect({ counts, unchanged, unsettled, notCopied }).toEqual({
      counts: { done: 2, waiting: 0, failed: 0, skipped: 0, unsupported: 0, stopped: 0, unrehearsed: 0 },
      unchanged: 4,
      unsettled: [],
      notCopied: [],
    });
    expect(linesOf(plan)).toEqual([
      'create team.writers title: ⇒ "Writers"',
      'update space.api title: "API" ⇒ "Reference"',
    ]);
  });

  it('copies nothing if nothing would change', async () => {
    const bench = await createBench();
    await bench.bring(base);
    const openCopy: OpenCopy = () => Promise.reject(new Error('a copy was opened'));
    expect(await rehearseBench(bench, { openCopy })).toMatchObject({
      rows: [],
      unchanged: 5,
      unsettled: [],
      reads: 3,
    });
  });

  it('finds failures that a plan cannot see: a space on two sites, a site with nothing to publish', async () => {
    const bench = await createBench();
    await bench.bring(base);
    const params = { organizationId: bench.world.org };
    const site = await bench.api.call(createSite, { params, body: { title: 'By hand' } });
    await bench.api.call(addSiteSpace, {
      params: { ...params, siteId: site.id },
      body: { spaceId: bench.lock!.resources['space.api']!.id },
    });
    const text = `
spaces: { guide: { title: Guide } }
sites:
  docs: { title: Docs, basename: docs, sections: [{ path: guide, space: !ref space.guide, title: Guide }] }
  bare: { title: Bare, published: true }
org: { settings: { title: Acme 2 } }
`;
    const { rows, unsettled } = await foretold(bench, text);
    expect(rows.map(({ status, key, problem }) => [status, key, problem?.reason])).toEqual([
      ['done', 'site.bare', undefined],
      ['failed', 'site.bare (last)', 'conflict'],
      ['done', 'org.settings', undefined],
    ]);
    expect(unsettled).toEqual([]);
    // The hint has the address of the site, because its ID exists only in the copy.
    expect(rows[1]!.problem!.hint).toContain('--site site.bare');
    const deletes = await foretold(bench, text.replace(/ {2}bare.*\norg.*\n/, ''), { prune: true });
    expect(shownRows(deletes)).toEqual(['done delete site.bare', 'done delete space.api']);
  });

  it('finds a cycle through a resource that the manifest does not manage', async () => {
    const bench = await createBench();
    await bench.bring('collections: { outer: { title: Outer } }');
    const parent = bench.lock!.resources['collection.outer']!.id;
    await bench.api.call(createCollection, {
      params: { organizationId: bench.world.org },
      body: { title: 'Inner', parent },
    });
    const { rows } = await foretold(
      bench,
      'collections: { outer: { title: Outer, parent: !lookup { title: Inner } } }',
    );
    expect(rows).toMatchObject([
      { key: 'collection.outer', status: 'failed', problem: { reason: 'conflict' } },
    ]);
  });

  it('is refused with the same errors as a plan: taken paths, swapped paths, too many deletions', async () => {
    const bench = await createBench();
    const two = (first: string, second: string) =>
      base
        .replace(
          'title: Guide }] }',
          `title: Guide, ref: one }, { path: ${second}, ref: two, space: !ref space.api }] }`,
        )
        .replace('path: guide', `path: ${first}`);
    await bench.bring(two('guide', 'api'));
    const both = async (text: string, more: Parameters<typeof rehearseBench>[1] = {}) => {
      bench.write(text);
      const [rehearsed, planned] = [
        await problemIn(rehearseBench(bench, more)),
        await problemIn(bench.plan({ prune: more.prune, maxDeletes: more.maxDeletes })),
      ];
      expect(rehearsed.toJSON()).toEqual(planned.toJSON());
      return rehearsed;
    };
    expect(JSON.stringify(await both(two('api', 'guide')))).toContain('swap a value that must be unique');
    expect((await both('spaces: {}\nsites: {}', { prune: true, maxDeletes: 1 })).reason).toBe(
      'guard-refused',
    );
    const params = { organizationId: bench.world.org, siteId: bench.lock!.resources['site.docs']!.id };
    await bench.api.call(addSection, {
      params,
      body: { spaceId: bench.lock!.resources['space.api']!.id, title: 'Taken' },
    });
    expect((await both(two('guide', 'taken'))).message).toContain('already has this path');
  });

  it('lists resources that would differ again after the apply', async () => {
    const bench = await createBench();
    await bench.bring(base);
    const table = kinds.map((kind) =>
      kind.name === 'space' ? { ...kind, calls: { ...kind.calls, update: { send: async () => {} } } } : kind,
    );
    bench.write(base.replace('API', 'Reference'));
    const { rows, unsettled } = await rehearseBench(bench, { table });
    expect(rows).toMatchObject([{ key: 'space.api', status: 'done' }]);
    expect(unsettled).toMatchObject([{ key: 'space.api', action: 'update' }]);
  });

  it('omits and lists resources that cannot be copied', async () => {
    const rows = new Map<string, Row>();
    const bench = await benchWith(answersFor('saml', 'samlProviderId', rows, ({ body }) => ({ id: `saml_${rows.size + 1}`, ...body }), (row, body) => ({ ...row, ...body }))); // prettier-ignore
    const text = (entityID: string) =>
      `teams: { one: { title: One } }\nsaml: { okta: { label: Okta, entityID: ${entityID}, ssoURL: "https://idp.test/", certificate: !file idp.pem } }\n`;
    writeFileSync(
      join(bench.folder, 'idp.pem'),
      makeCertificate(generateKeyPairSync('ec', { namedCurve: 'P-256' })),
    );
    bench.write(text('a'));
    await bench.apply();
    const without = (api: Api): Api => ({
      ...api,
      call: (operation, input, options) =>
        operation.id.startsWith('saml.')
          ? Promise.reject(new Problem('not-implemented', 'No SAML.'))
          : api.call(operation, input, options),
    });
    const openCopy: OpenCopy = async (founder, nextId) => {
      const copy = await copiesFor(bench)(founder, nextId);
      return { owner: without(copy.owner), as: (email) => without(copy.as(email)), close: copy.close };
    };
    bench.write(text('b').replace('One', 'Two').replace('ssoURL', 'defaultTeam: !ref team.one, ssoURL'));
    const rehearsal = await rehearseBench(bench, { openCopy });
    expect(shownRows(rehearsal)).toEqual(['done update team.one', 'unrehearsed update saml.okta: No SAML.']);
    expect(rehearsal).toMatchObject({
      counts: { done: 1, unrehearsed: 1 },
      notCopied: [{ kind: 'saml', names: ['Okta'], why: 'No SAML.' }],
      unsettled: [],
    });
    expect(rows.get('saml_1')).toMatchObject({ entityID: 'a' });
  });

  it('treats resources as unsupported if only the copy supports them', async () => {
    const bench = await createBench();
    const api: Api = {
      ...bench.api,
      call: (operation, input, options) =>
        operation.id.startsWith('teams.')
          ? Promise.reject(new Problem('not-implemented', 'No teams there.'))
          : bench.api.call(operation, input, options),
    };
    bench.write('teams: { one: { title: One } }\nspaces: { a: { title: A } }');
    const { rows, counts } = await rehearseBench(bench, { api });
    expect(shownRows({ rows })).toEqual(['unsupported unsupported team.one', 'done create space.a']);
    expect(counts).toMatchObject({ unsupported: 1, done: 1 });
  });

  it('accepts explicit IDs, lookups and literal IDs, because the copy has the live IDs', async () => {
    const bench = await createBench();
    const params = { organizationId: bench.world.org };
    const { id } = await bench.api.call(createTeam, { params, body: { title: 'Old' } });
    const { id: parent } = await bench.api.call(createCollection, { params, body: { title: 'Top' } });
    const text = `
teams: { mine: { id: ${id}, title: New, members: [usr_edit, { email: REVIEW@acme.test, role: owner }] } }
spaces: { one: { title: One, parent: ${parent} }, two: { title: Two, parent: !lookup { title: Top }, mergeRules: { allow_bypass: [edit@acme.test] } } }
`;
    const { rows, unsettled } = await foretold(bench, text);
    expect([rows.map(({ status }) => status), rows[0]!.id, unsettled]).toEqual([
      ['done', 'done', 'done'],
      id,
      [],
    ]);
  });

  it('stops when it is aborted, and keeps nothing', async () => {
    const bench = await createBench(base);
    const stop = new AbortController();
    const { interrupted, rows } = await rehearseBench(bench, {
      signal: stop.signal,
      concurrency: 1,
      onEvent: ({ type }) => void (type === 'ended' && stop.abort()),
    });
    expect([interrupted, rows.filter(({ status }) => status === 'done').length, rows.at(-1)!.status]).toEqual(
      [true, 1, 'stopped'],
    );
    await bench.bring(base);
    bench.write(base.replace('API', 'Reference'));
    const early = new AbortController();
    expect(
      (await problemIn(rehearseBench(bench, { signal: early.signal, onCopied: () => early.abort() }))).reason,
    ).toBe('interrupted');
  });
});
