import { describe, expect, it } from 'vitest';
import { analyze } from '../../src/analysis/analyze.ts';
import { embeddingSize } from '../../src/analysis/word-meanings.ts';
import { describeCluster, representativePoints } from '../../src/analysis/describe-cluster.ts';
import { pickIcon, icons, defaultIcon } from '../../src/analysis/icons.ts';
import { packVector } from '../../src/analysis/packed-vectors.ts';
import { embedText } from '../../src/analysis/text-vectors.ts';
import { stemsOf } from '../../src/analysis/words.ts';
import { documentToMarkdown } from '../../src/richtext/markdown.ts';
import { utterances } from '../samples/utterances.ts';
import { MemoryState, Organization } from '../support/analysis-organization.ts';

const even = () => 1;

/** The state of a cluster with the ID `one`, with its texts and the number of issues of each. */
function clusterOf(center: string, sizes: Readonly<Record<string, number>>): MemoryState {
  const state = new MemoryState();
  const vectorOf = (text: string) =>
    packVector(embedText(stemsOf(text), { meaning: () => undefined, mean: new Float32Array(embeddingSize) }));
  const points = Object.entries(sizes).map(([id, size]) => ({ id, size, vector: vectorOf(id) }));
  state.apply(
    new Map<string, unknown>([
      ['centres', [{ cluster: 'one', vector: vectorOf(center) }]],
      ['cluster.one', points],
    ]),
  );
  return state;
}

describe('describing a cluster', () => {
  it('names it after the common content of its issues', async () => {
    const world = new Organization();
    await world.place(Object.values(utterances).flat());
    await world.consolidate();
    const at = Object.values(utterances).flat().indexOf('Where do I find the invoice for last month?');
    const points = await representativePoints(world.state, world.clusters[at]!);
    const sample = points.map((point) => ({
      title: Object.values(utterances).flat()[world.issues.findIndex((issue) => issue.point === point)]!,
    }));
    const described = await describeCluster(world.state, sample, {
      conversations: 9,
      impacts: { low: 6, medium: 4, high: 1 },
    });
    expect(described.label.toLowerCase()).toContain('invoice');
    expect(described.icon).toBe('file-invoice-dollar');
    expect(described.impact).toBe('medium');
    expect(documentToMarkdown(described.summary)).toContain(
      '11 issues in 9 conversations, 1 of high impact.',
    );
  });

  it('does not use the label of another cluster, and always returns a label', async () => {
    const sample = [{ title: 'Refund' }];
    const counts = { conversations: 2, impacts: { low: 2, medium: 0, high: 0 } };
    const nameWhere = async (...taken: string[]) =>
      (await describeCluster(new MemoryState(), sample, counts, new Set(taken))).label;
    const first = await nameWhere();
    expect(first.toLowerCase()).toContain('refund');
    const second = await nameWhere(first);
    expect(second).not.toBe(first);
    // If all labels are taken, one is used twice.
    expect(await nameWhere(first, second, 'Conversations')).not.toBe('');
  });

  it('names a few issues without words that only one of them contains', async () => {
    const world = new Organization();
    const texts = [
      'Can I reactivate my lost card that I found this morning?',
      'I would like to reactivate my card',
      'I found my card, can I reactivate it in the app?',
    ];
    await world.place([
      ...texts,
      'Export the space to PDF',
      'PDF export of a space fails',
      'The PDF of my space is empty',
    ]);
    await world.consolidate();
    expect(new Set(world.clusters.slice(0, 3)).size).toBe(1);
    const points = await representativePoints(world.state, world.clusters[0]!);
    const sample = points.map((point) => ({
      title: texts[world.issues.findIndex((issue) => issue.point === point)]!,
    }));
    const counts = { conversations: 3, impacts: { low: 3, medium: 0, high: 0 } };
    expect((await describeCluster(world.state, sample, counts)).label).toBe('Reactivate my card');
  });

  it('prefers a phrase to a single word if the best label is taken', async () => {
    const sample = [{ title: 'Can you tell me how to reset my password?' }];
    const counts = { conversations: 1, impacts: { low: 1, medium: 0, high: 0 } };
    const describe = (...taken: string[]) =>
      describeCluster(new MemoryState(), sample, counts, new Set(taken));
    const { label } = await describe();
    const other = await describe(label);
    expect([label.split(' ').length, other.label.split(' ').length].every((words) => words > 1)).toBe(true);
    expect(other.label).not.toBe(label);
  });

  it('does not represent it by points far from its center, however many issues they have', async () => {
    const near = ['PDF export', 'export to PDF', 'the PDF export', 'exporting a PDF'];
    const far = 'Export loses the watermark';
    const state = clusterOf('pdf export', {
      ...Object.fromEntries(near.map((text) => [text, 1])),
      [far]: 1000,
    });
    expect(near).toEqual(expect.arrayContaining(await representativePoints(state, 'one', 2)));
    expect(await representativePoints(state, 'one', 3)).toContain(far);
  });

  it('names it after what most of its issues say, and also samples what others say', async () => {
    const texts = [
      'Export to PDF fails',
      'the pdf export has no images',
      'PDF export misses pages',
      'exporting to pdf is slow',
      'PDF export fails on pages with images',
    ];
    const most = 'Export loses the watermark';
    const state = clusterOf('pdf export', {
      ...Object.fromEntries(texts.map((text) => [text, 1])),
      [most]: 40,
    });
    const sample = (await representativePoints(state, 'one')).map((title) => ({ title }));
    expect(new Set(sample.map(({ title }) => title))).toEqual(new Set([...texts, most]));
    expect(new Set(sample.slice(0, 6).map(({ title }) => title)).size).toBe(6);
    expect(sample.filter(({ title }) => title === most).length).toBeGreaterThan(sample.length / 2);
    const { label, summary } = await describeCluster(state, sample, {
      conversations: 45,
      impacts: { low: 45, medium: 0, high: 0 },
    });
    expect(label.toLowerCase()).toContain('watermark');
    expect(documentToMarkdown(summary)).toContain(most);
  });

  it('samples its points in proportion to their issues, after sampling each once', async () => {
    const drawn = async (...sizes: readonly number[]) => {
      const state = new MemoryState();
      const vector = packVector(
        embedText(stemsOf('pdf export'), {
          meaning: () => undefined,
          mean: new Float32Array(embeddingSize),
        }),
      );
      state.apply(
        new Map<string, unknown>([
          ['centres', [{ cluster: 'one', vector }]],
          ['cluster.one', sizes.map((size, at) => ({ id: `p${at}`, size, vector }))],
        ]),
      );
      const points = await representativePoints(state, 'one');
      expect(new Set(points.slice(0, sizes.length)).size).toBe(sizes.length);
      return sizes.map((_, at) => points.filter((point) => point === `p${at}`).length);
    };
    // 15 of the 20 samples are distributed.
    expect(await drawn(99)).toEqual([15]);
    expect(await drawn(40, 40)).toEqual([8, 8]);
    expect(await drawn(40, 10)).toEqual([12, 3]);
    expect(await drawn(99, 1)).toEqual([15, 1]);
    // No point is sampled more often than it has issues.
    expect(await drawn(1)).toEqual([1]);
    expect(await drawn(1, 1, 1)).toEqual([1, 1, 1]);
    expect(await drawn(4, 1)).toEqual([4, 1]);
  });

  it('has a label for a single issue, and for no issue', async () => {
    expect(
      await describeCluster(new MemoryState(), [{ title: 'Why?' }], {
        conversations: 1,
        impacts: { low: 1, medium: 0, high: 0 },
      }),
    ).toMatchObject({
      label: 'Why?',
      icon: defaultIcon,
      impact: 'low',
    });
    expect(
      await describeCluster(new MemoryState(), [], {
        conversations: 0,
        impacts: { low: 0, medium: 0, high: 0 },
      }),
    ).toMatchObject({ label: 'Conversations' });
    expect(await representativePoints(new MemoryState(), 'none')).toEqual([]);
  });

  it('never uses a label twice while other words are available', async () => {
    const sample = [{ title: 'Top-up failed' }, { title: 'My top up failed' }];
    const counted = { conversations: 2, impacts: { low: 2, medium: 0, high: 0 } };
    const taken = new Set<string>();
    for (let round = 0; round < 3; round++)
      taken.add((await describeCluster(new MemoryState(), sample, counted, taken)).label.toLowerCase());
    expect(taken.size).toBe(3);
  });

  it('chooses the icon from its issues, and weighs the label like a quarter of them', async () => {
    const counts = { conversations: 8, impacts: { low: 8, medium: 0, high: 0 } };
    const describe = async (...words: string[]) => {
      const titles = ['Refund the pizza', 'Refund the pizza', 'Refund the pizza', ...words];
      const sample = titles.map((title) => ({ title }));
      const { label, icon } = await describeCluster(new MemoryState(), sample, counts);
      expect(label.toLowerCase()).toContain('pizza');
      return icon;
    };
    // Three titles and two votes of the label are about pizza and refunds, and five titles about the next subject.
    expect(await describe('My password', 'A secret', 'The credential', 'One passcode', 'Any token')).toBe(
      'key',
    );
    expect(await describe('My email', 'A message', 'The inbox', 'One sms', 'Any thing')).not.toBe('envelope');
  });

  it('chooses only icons from its list', () => {
    expect(pickIcon(['my card', 'card payment', 'card'], even)).toBe('credit-card');
    expect(pickIcon(['something'], even)).toBe(defaultIcon);
    expect(new Set(icons).size).toBe(icons.length);
  });

  it('assigns each conversation its issues with their clusters', async () => {
    const state = new MemoryState();
    let ids = 0;
    const parts = (body: string) => ({ parts: [{ role: 'user' as const, body }] });
    const { issues, created, baseVersion } = await analyze(
      state,
      [parts('hi'), parts('Reset my password. Also, the invoice shows a wrong address.')],
      { newId: () => `c${++ids}` },
    );
    expect(issues.map((each) => each.map(({ title }) => title))).toEqual([
      [],
      ['Reset my password', 'The invoice shows a wrong address'],
    ]);
    expect(issues[1]!.map(({ cluster }) => cluster)).toEqual(created);
    expect(baseVersion).toBe(0);
  });
});
