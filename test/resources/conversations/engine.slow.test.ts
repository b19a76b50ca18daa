import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { sparkline } from '../../../src/analysis/sparkline.ts';
import { jobs } from '../../../src/core/rows/jobs.ts';
import { organizations } from '../../../src/core/rows/organizations.ts';
import type { Outgoing } from '../../../src/core/outgoing.ts';
import type { Store } from '../../../src/core/store.ts';
import { runDueJobs } from '../../../src/core/workers.ts';
import { getAnalysis, getConversation, ingestBatch } from '../../../src/resources/conversations/contract.ts';
import type { IngestedConversation } from '../../../src/resources/conversations/rules.ts';
import { endClaims } from '../../support/end-claims.ts';
import { createWorld, type World } from '../../support/world.ts';
import { callsIn } from '../calls.ts';
import {
  asked,
  conversationAt,
  partition,
  readEverything,
  recount,
  wish,
  work,
  type Everything,
} from './analysis-support.ts';
import { analysisBatches } from '../../../src/resources/conversations/rows.ts';
import type { ClusterRow } from '../../../src/resources/conversation-issues/rows.ts';

let world: World;
afterEach(() => world.core.store.close());
const { call } = callsIn(() => world);
const org = { organizationId: 'org_acme' };
const ingest = (given: readonly IngestedConversation[]) =>
  call(ingestBatch, org, { body: { conversations: [...given] } });
const shoes = (id: string) => asked(id, 'Where can I buy red shoes?');
const range = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => conversationAt(from + index));

/** Returns the counters of the clusters, with their weekly counts. */
const countersOf = ({ clusters: rows }: Everything, now: number) =>
  Object.fromEntries(
    rows.map(({ id, issues, conversations, sources, impacts, weeks }: ClusterRow) => [
      id,
      {
        issues,
        conversations,
        sources,
        impacts,
        pulse: sparkline(new Map(Object.entries(weeks).map(([week, number]) => [Number(week), number])), now),
      },
    ]),
  );

/** Checks that the counters match the issues and the state, and that no work is left. */
async function checkWhole(): Promise<Everything> {
  const all = await readEverything(world);
  const now = world.core.clock();
  expect(countersOf(all, now)).toEqual(recount(all, now));
  expect(all.sizes).toEqual(Object.fromEntries(all.clusters.map(({ id, issues }) => [id, issues])));
  expect(all.model.issues).toBe(all.issues.length);
  expect(all.clusters.every(({ issues }) => issues > 0)).toBe(true);
  const left = await world.core.store.read(async (view) => [
    await view.count(analysisBatches, 'byOrganization', ['org_acme']),
    (await view.find(jobs, { index: 'byDue', equals: ['open'], limit: 9 })).filter(
      ({ kind }) => kind !== 'audit',
    ).length,
  ]);
  expect(left).toEqual([0, 0]);
  return all;
}

describe('the analysis of conversations', () => {
  it('reports how many conversations are analyzed, of how many', async () => {
    world = await createWorld();
    await ingest(range(0, 300));
    await ingest(range(300, 600));
    const reports: (string | undefined)[] = [];
    await runDueJobs(world.core, {
      kind: 'conversations',
      signal: new AbortController().signal,
      onEvent: ({ progress, share }) =>
        void (share === undefined || reports.push(`${progress}; ${share.done}/${share.total}`)),
    });
    expect(reports).toEqual([
      '400 of 600 conversations analyzed; 400/600',
      '600 of 600 conversations analyzed; 600/600',
    ]);
  });

  it('finds issues, clusters them, and updates the conversations', async () => {
    world = await createWorld();
    await ingest([
      ...range(0, 60),
      asked('thanks', 'Thank you!'),
      asked('gone', 'All my data is lost and nothing works, everything is down!'),
    ]);
    expect(await call(getAnalysis, org)).toEqual({
      object: 'conversations-analysis',
      state: 'waiting',
      batches: 1,
    });
    await work(world);
    expect(await call(getAnalysis, org)).toEqual({
      object: 'conversations-analysis',
      state: 'idle',
      batches: 0,
    });
    const all = await checkWhole();
    expect(all.issues.length).toBeGreaterThan(60);
    expect(all.clusters.length).toBeGreaterThan(3);
    expect(all.clusters.length).toBeLessThan(30);
    expect((await call(getConversation, { ...org, conversationId: 'gone' })).conversation).toMatchObject({
      impact: 'high',
      processedAt: expect.any(String),
    });
    expect((await call(getConversation, { ...org, conversationId: 'thanks' })).conversation).toMatchObject({
      impact: 'low',
      processedAt: expect.any(String),
    });
    expect(all.issues.filter(({ conversation }) => conversation === 'thanks')).toEqual([]);
    for (const { label, summary, icon } of all.clusters) {
      expect([label.length > 0, icon.length > 1]).toEqual([true, true]);
      expect(JSON.stringify(summary)).toMatch(/\d issues?/);
    }
  });

  it('removes the issues of a conversation whose content was replaced', async () => {
    world = await createWorld();
    await ingest(range(0, 40));
    await work(world);
    await ingest([
      asked('c-0', 'Where can I download the monthly tax report?'),
      asked('c-1', 'Thanks!'),
      conversationAt(2),
    ]);
    expect((await call(getConversation, { ...org, conversationId: 'c-0' })).conversation).not.toHaveProperty(
      'processedAt',
    );
    await work(world);
    const { issues } = await checkWhole();
    const titles = (id: string) =>
      issues.filter(({ conversation }) => conversation === id).map(({ title }) => title);
    expect(titles('c-0')).toEqual(['Where can I download the monthly tax report?']);
    expect(titles('c-1')).toEqual([]);
    await ingest(range(0, 2));
    await work(world);
    expect((await checkWhole()).issues.map(({ conversation }) => conversation)).toContain('c-1');
  });

  it('includes conversations that change during a run, once', async () => {
    let changes = 0;
    world = await createWorld();
    const { store } = world.core;
    const meddling: Store = {
      ...store,
      write: async (work) => {
        // The conversation changes after the analysis has read it, but before the results are written.
        if (++changes === 2) await ingest([asked('c-3', 'A new question about shoes')]);
        return store.write(work);
      },
    };
    await ingest(range(0, 30));
    await runDueJobs(
      { ...world.core, store: meddling },
      { kind: 'conversations', signal: new AbortController().signal },
    );
    const { issues } = await checkWhole();
    expect(changes).toBeGreaterThan(2);
    expect(issues.filter(({ conversation }) => conversation === 'c-3').map(({ title }) => title)).toEqual([
      'A new question about shoes',
    ]);
  });

  it('keeps weekly counts equal to those of the issues, for any dates and replacements', async () => {
    const day = fc.integer({ min: -200, max: 40 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.array(fc.tuple(fc.nat({ max: 12 }), fc.nat({ max: 20 }), day), { minLength: 1, maxLength: 8 }),
          { minLength: 1, maxLength: 4 },
        ),
        async (rounds) => {
          world = await createWorld();
          for (const round of rounds) {
            const dated = (days: number) => ({
              metadata: {
                createdAt: new Date(Date.parse('2026-01-05T12:00:00Z') + days * 86_400_000).toISOString(),
              },
            });
            await ingest([
              ...new Map(
                round.map(([id, text, days]) => [id, asked(`c-${id}`, wish(text), dated(days))]),
              ).values(),
            ]);
            await work(world);
            await checkWhole();
            world.pass(5 * 86_400_000);
          }
          await checkWhole();
          await world.core.store.close();
        },
      ),
      { seed: 1, numRuns: 8 },
    );
    world = await createWorld();
  });
});

describe('labels from a language model', () => {
  const env = { DOCSCTL_ANALYSIS: 'openai', DOCSCTL_OPENAI_URL: 'http://model.test/v1' };
  const label = async (): Promise<string> => (await readEverything(world)).clusters[0]!.label;

  it('are requested only if the organization allows AI', async () => {
    const asked: string[] = [];
    const content = '{"label":"By a model","summary":"So it says."}';
    const outgoing: Outgoing = async ({ url, trusted, body }) => {
      asked.push(`${url} ${String(trusted)} ${String(body).includes('shoes')}`);
      return {
        status: 200,
        headers: {},
        bytes: Buffer.from(JSON.stringify({ choices: [{ message: { content } }] })),
        url,
      };
    };
    world = await createWorld('memory:', { outgoing, env });
    await world.core.store.write((tx) => tx.update(organizations, 'org_acme', { ai: false }));
    await ingest([shoes('a')]);
    await work(world);
    expect([asked, await label()]).toEqual([[], expect.stringMatching(/shoes/i)]);
    await world.core.store.write((tx) => tx.update(organizations, 'org_acme', { ai: true }));
    await ingest([shoes('b')]);
    await work(world);
    expect([asked, await label()]).toEqual([
      ['http://model.test/v1/chat/completions true true'],
      'By a model',
    ]);
  });

  it('are no longer requested if AI is turned off during a run', async () => {
    let requests = 0;
    const content = '{"label":"By a model","summary":"So it says."}';
    const outgoing: Outgoing = async ({ url }) => {
      requests++;
      await world.core.store.write((tx) => tx.update(organizations, 'org_acme', { ai: false }));
      return {
        status: 200,
        headers: {},
        bytes: Buffer.from(JSON.stringify({ choices: [{ message: { content } }] })),
        url,
      };
    };
    world = await createWorld('memory:', { outgoing, env });
    await ingest([shoes('a'), asked('b', 'The printer jams on thick paper.')]);
    await work(world);
    expect((await readEverything(world)).clusters.length).toBe(2);
    expect(requests).toBe(1);
  });

  it.each(['nonsense', '{"label": 5, "summary": "x"}', '{"label": "\\n \\u0000", "summary": "x"}', '[]', ''])(
    'that are invalid (%j) are ignored',
    async (content) => {
      const outgoing: Outgoing = async ({ url }) => ({
        status: 200,
        headers: {},
        bytes: Buffer.from(JSON.stringify({ choices: [{ message: { content } }] })),
        url,
      });
      world = await createWorld('memory:', { outgoing, env });
      await ingest([shoes('a')]);
      await work(world);
      expect(await label()).toMatch(/shoes/i);
      await checkWhole();
    },
  );

  it('from an unknown service make the analysis fail before it changes anything', async () => {
    world = await createWorld('memory:', { env: { DOCSCTL_ANALYSIS: 'magic' } });
    await ingest([shoes('a')]);
    await work(world);
    expect(await call(getAnalysis, org)).toMatchObject({
      state: 'failed',
      batches: 1,
      problem: { message: expect.stringContaining('"magic"') },
    });
  });
});

describe('an interrupted analysis', () => {
  class Killed extends Error {}

  /** Returns a core whose process dies during its n-th write. */
  const mortal = (n: number) => {
    let writes = 0;
    const { store } = world.core;
    const write: Store['write'] = async (work) => {
      if (++writes >= n) throw new Killed();
      return store.write(work);
    };
    return { core: { ...world.core, store: { ...store, write } }, count: () => writes };
  };
  const signal = new AbortController().signal;
  const rounds = [
    range(0, 60),
    [...range(60, 500), ...range(0, 20).map((one) => ({ ...one, subject: 'Webhook is broken' }))],
  ];

  const undisturbed = async (): Promise<{ partition: string[]; writes: number }> => {
    world = await createWorld();
    let writes = 0;
    for (const round of rounds) {
      await ingest(round);
      const counting = mortal(Number.POSITIVE_INFINITY);
      await runDueJobs(counting.core, { kind: 'conversations', signal });
      writes = counting.count();
    }
    return { partition: partition(await checkWhole()), writes };
  };

  it('continues after being killed at any write, without lost or duplicate results', async () => {
    const expected = await undisturbed();
    expect(expected.writes).toBeGreaterThan(8);
    for (let n = 1; n <= expected.writes; n++) {
      await world.core.store.close();
      world = await createWorld();
      await ingest(rounds[0]!);
      await work(world);
      await ingest(rounds[1]!);
      await runDueJobs(mortal(n).core, { kind: 'conversations', signal }).catch((error: unknown) =>
        expect(error).toBeInstanceOf(Killed),
      );
      await endClaims(world.core.store);
      await work(world);
      expect(partition(await checkWhole()), `killed at write ${n}`).toEqual(expected.partition);
    }
  }, 120_000);

  it('stops when asked, and is finished by the next runs', async () => {
    const { partition: expected } = await undisturbed();
    await world.core.store.close();
    world = await createWorld();
    for (const round of rounds) {
      await ingest(round);
      const stopper = new AbortController();
      await runDueJobs(world.core, {
        kind: 'conversations',
        signal: stopper.signal,
        onEvent: ({ progress }) => progress !== undefined && stopper.abort(),
      });
      expect(await call(getAnalysis, org)).toMatchObject({ state: 'waiting' });
      await work(world);
    }
    expect(partition(await checkWhole())).toEqual(expected);
  });
});
