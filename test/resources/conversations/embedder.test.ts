import { afterEach, describe, expect, it } from 'vitest';
import type { WorkEvent } from '../../../src/contract/api.ts';
import type { OutgoingRequest } from '../../../src/core/outgoing.ts';
import { organizations } from '../../../src/core/rows/organizations.ts';
import { runDueJobs } from '../../../src/core/workers.ts';
import { Problem } from '../../../src/errors/problem.ts';
import { getAnalysis, ingestBatch } from '../../../src/resources/conversations/contract.ts';
import type { IngestedConversation } from '../../../src/resources/conversations/rules.ts';
import { createWorld, type World } from '../../support/world.ts';
import { callsIn } from '../calls.ts';
import { asked, partition, readEverything, work } from './analysis-support.ts';

let world: World;
afterEach(() => world.core.store.close());
const { call } = callsIn(() => world);
const org = { organizationId: 'org_acme' };
const ingest = (given: readonly IngestedConversation[]) =>
  call(ingestBatch, org, { body: { conversations: [...given] } });

/** Two topics whose texts have hardly a word in common. */
const money = ['Refund please', 'Give back cash', 'Reimburse payment', 'Return funds', 'Repay amount'];
const keys = ['Password reset', 'Forgot login', 'Cannot sign in', 'Locked account', 'Lost credentials'];
const both = money.flatMap((text, at) => [asked(`m-${at}`, text), asked(`k-${at}`, keys[at]!)]);

/** Creates a world with a fake embedding model that records the texts of each request. */
async function worldWithModel(answer: (texts: readonly string[]) => unknown = vectorsOf, env: object = {}) {
  const requests: { url: string; model: string; texts: string[] }[] = [];
  const outgoing = async ({ url, body }: OutgoingRequest) => {
    const { model, input } = JSON.parse(String(body)) as { model: string; input: string[] };
    requests.push({ url, model, texts: input });
    const bytes = Buffer.from(JSON.stringify(answer(input)));
    return { status: 200, headers: {}, bytes, url };
  };
  world = await createWorld('memory:', {
    outgoing,
    env: { DOCSCTL_EMBEDDINGS: 'openai', DOCSCTL_OPENAI_URL: 'http://model.test/v1', ...env },
  });
  return requests;
}

function vectorsOf(texts: readonly string[]) {
  const isKey = (text: string) => keys.some((key) => text.includes(key));
  return { data: texts.map((text, index) => ({ index, embedding: isKey(text) ? [0, 1] : [1, 0] })) };
}

const clusterOf = async (conversation: string) =>
  (await readEverything(world)).issues.find((issue) => issue.conversation === conversation)!.cluster;
const clusterCount = async () => (await readEverything(world)).clusters.length;
const setAi = (ai: boolean) => world.core.store.write((tx) => tx.update(organizations, 'org_acme', { ai }));

describe('an embedding model', () => {
  it('groups texts that share no words, and gets each text only once', async () => {
    const requests = await worldWithModel();
    await ingest(both);
    await work(world);
    expect(await clusterCount()).toBe(2);
    expect(await clusterOf('m-0')).toBe(await clusterOf('m-4'));
    expect(requests.flatMap(({ texts }) => texts).toSorted()).toEqual([...money, ...keys].toSorted());
    expect([requests[0]!.url, requests[0]!.model]).toEqual([
      'http://model.test/v1/embeddings',
      'text-embedding-3-small',
    ]);
    requests.length = 0;
    await ingest([asked('late', 'Compensate us'), asked('again', money[0]!)]);
    await work(world);
    expect(requests.flatMap(({ texts }) => texts)).toEqual(['Compensate us']);
    expect(await clusterOf('late')).toBe(await clusterOf('m-0'));
    expect(await clusterOf('again')).toBe(await clusterOf('m-0'));
  });

  it('gets at most 32 texts per request, of at most 1,000 characters each', async () => {
    const requests = await worldWithModel();
    await ingest(
      Array.from({ length: 70 }, (_, at) =>
        asked(`c-${at}`, `Printer ${at} jams. ${'paper '.repeat(300)}${at}`),
      ),
    );
    await work(world);
    const sizes = requests.map(({ texts }) => texts.length);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(70);
    expect(Math.max(...sizes)).toBe(32);
    expect(
      Math.max(...requests.flatMap(({ texts }) => texts.map(({ length }) => length))),
    ).toBeLessThanOrEqual(1000);
  });

  it('gets no private data from an issue or from other parts of its conversation', async () => {
    const requests = await worldWithModel();
    const personal = (id: string) =>
      ({
        id,
        parts: [
          {
            type: 'message',
            role: 'user',
            body: 'My name is Wilfreda Quornby. Where is the parcel of Quornby?',
          },
          { type: 'message', role: 'user', body: `Mail me at ${id}@example.org, Quornby` },
        ],
      }) satisfies IngestedConversation;
    await ingest([...both, personal('a')]);
    await work(world);
    await ingest([personal('b')]);
    await work(world);
    const texts = requests.flatMap((request) => request.texts).join('\n');
    expect(texts).toContain('[name]');
    expect(texts).toContain('[email]');
    expect(texts).not.toMatch(/Quornby|Wilfreda|@example/);
  });

  it('is not used while AI features are off, and the clusters are rebuilt when that changes', async () => {
    const requests = await worldWithModel();
    await setAi(false);
    await ingest(both);
    await work(world);
    const byWords = partition(await readEverything(world));
    expect([requests.length, (await clusterCount()) > 2]).toEqual([0, true]);
    await setAi(true);
    await ingest([asked('more', 'Refund please')]);
    await work(world);
    expect([requests.length > 0, await clusterCount()]).toEqual([true, 2]);
    requests.length = 0;
    await setAi(false);
    await ingest([asked('most', 'Refund please')]);
    await work(world);
    expect([requests.length, partition(await readEverything(world)).length]).toEqual([0, byWords.length]);
  });

  it('that is unreachable is asked once per run, and the analysis goes on without it', async () => {
    let isDown = true;
    const requests = await worldWithModel((texts) => {
      if (isDown) throw new Problem('unreachable', 'The embedding model answered 503.');
      return vectorsOf(texts);
    });
    await ingest(both);
    const events: WorkEvent[] = [];
    await runDueJobs(world.core, {
      kind: 'conversations',
      signal: new AbortController().signal,
      onEvent: (event) => events.push(event),
    });
    expect(events.at(-1)).toMatchObject({
      end: 'done',
      trouble: 'were grouped without the embedding model: The embedding model answered 503.',
    });
    expect([requests.length, (await readEverything(world)).issues.length]).toEqual([1, 10]);
    expect(await call(getAnalysis, org)).toMatchObject({ batches: 0 });
    isDown = false;
    await ingest([
      asked('x-1', 'Give back stolen cash'),
      asked('x-2', 'Forgot login again'),
      asked('x-3', 'Locked account again'),
    ]);
    await work(world);
    const inSecondRun = requests.slice(1).flatMap(({ texts }) => texts);
    expect(inSecondRun.toSorted()).toEqual([
      'Forgot login again',
      'Give back stolen cash',
      'Locked account again',
    ]);
    // Issues of the first run get their vectors in the next full analysis.
    await ingest(money.concat(keys).map((text, at) => asked(`y-${at}`, `${text} now`)));
    await work(world);
    expect(requests.flatMap(({ texts }) => texts)).toEqual(expect.arrayContaining([...money, ...keys]));
    expect(await clusterOf('m-0')).toBe(await clusterOf('m-4'));
  });

  it('with an invalid answer is treated as unreachable', async () => {
    const requests = await worldWithModel(() => ({ data: 'nonsense' }));
    await ingest(both);
    await work(world);
    expect([requests.length, (await readEverything(world)).issues.length]).toEqual([1, 10]);
  });

  it('can be replaced by another one, whose vectors are not mixed with those of the first', async () => {
    let numbers = 2;
    const requests = await worldWithModel((texts) => ({
      data: texts.map((text, index) => ({
        index,
        embedding: Array.from({ length: numbers }, (_, at) => Number(at === (keys.includes(text) ? 1 : 0))),
      })),
    }));
    await ingest(both);
    await work(world);
    Object.assign(world.core.env, { DOCSCTL_OPENAI_EMBEDDING_MODEL: 'larger' });
    numbers = 800;
    requests.length = 0;
    await ingest([asked('more', 'Refund please')]);
    await work(world);
    expect(requests.map(({ model }) => model)).toEqual(['larger']);
    expect([requests[0]!.texts.length, await clusterCount()]).toEqual([10, 2]);
  });

  it('with an unknown name makes the analysis fail before it changes anything', async () => {
    await worldWithModel(vectorsOf, { DOCSCTL_EMBEDDINGS: 'magic' });
    await ingest(both);
    await work(world);
    expect(await call(getAnalysis, org)).toMatchObject({
      state: 'failed',
      problem: {
        reason: 'invalid-input',
        message: 'DOCSCTL_EMBEDDINGS must be none or openai, not "magic".',
      },
    });
  });
});
