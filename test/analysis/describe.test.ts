import { describe, expect, it } from 'vitest';
import { analyse } from '../../src/analysis/analyse.ts';
import { describe as describeCluster, representatives } from '../../src/analysis/describe.ts';
import { iconOf, icons, usualIcon } from '../../src/analysis/icons.ts';
import { labelOf } from '../../src/analysis/label.ts';
import { documentToMarkdown } from '../../src/richtext/index.ts';
import { utterances } from '../samples/utterances.ts';
import { Kept, Organization } from './state.ts';

const even = () => 1;

describe('describing a cluster', () => {
  it('names it by what its issues have in common', async () => {
    const world = new Organization();
    await world.place(Object.values(utterances).flat());
    await world.consolidate();
    const at = Object.values(utterances).flat().indexOf('Where do I find the invoice for last month?');
    const points = await representatives(world.state, world.clusters[at]!);
    const sample = points.map((point) => ({ title: Object.values(utterances).flat()[world.issues.findIndex((issue) => issue.point === point)]! }));
    const described = await describeCluster(world.state, sample, { low: 6, medium: 4, high: 1 });
    expect(described.label.toLowerCase()).toContain('invoice');
    expect(described.icon).toBe('file-invoice-dollar');
    expect(described.impact).toBe('medium');
    expect(documentToMarkdown(described.summary)).toContain('11 issues, 1 of high impact.');
  });

  it('has a name for a single issue, and for none', async () => {
    expect(await describeCluster(new Kept(), [{ title: 'Why?' }], { low: 1, medium: 0, high: 0 })).toMatchObject({ label: 'Why?', icon: usualIcon, impact: 'low' });
    expect(await describeCluster(new Kept(), [], { low: 0, medium: 0, high: 0 })).toMatchObject({ label: 'Conversations' });
    expect(await representatives(new Kept(), 'none')).toEqual([]);
  });

  it('names nothing that asks or fills', () => {
    expect(labelOf(['How do I get my refund?', 'I want my refund now', 'Where is my refund'], even)).toBe('Refund');
    expect(labelOf(['apples', 'pears'], even)).toBeUndefined();
    expect(labelOf(['proof of insurance please', 'I need proof of insurance'], even)).toBe('Proof of insurance');
  });

  it('chooses icons of its list only', () => {
    expect(iconOf(['my card', 'card payment', 'card'], even)).toBe('credit-card');
    expect(iconOf(['something'], even)).toBe(usualIcon);
    expect(new Set(icons).size).toBe(icons.length);
  });

  it('gives each conversation its issues with their places', async () => {
    const state = new Kept();
    let ids = 0;
    const parts = (body: string) => ({ parts: [{ role: 'user' as const, body }] });
    const { issues, began, since } = await analyse(state, [parts('hi'), parts('Reset my password. Also, the invoice shows a wrong address.')], { newId: () => `c${++ids}` });
    expect(issues.map((each) => each.map(({ title }) => title))).toEqual([[], ['Reset my password', 'The invoice shows a wrong address']]);
    expect(issues[1]!.map(({ cluster }) => cluster)).toEqual(began);
    expect(since).toBe(0);
  });
});
