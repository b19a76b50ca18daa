import { describe, expect, it } from 'vitest';
import { split } from '../../src/analysis/split.ts';
import { agreement } from './agreement.ts';
import { readLabelled } from './labelled.ts';
import { Organization } from './state.ts';

const folder = process.env['BENCH_CONVERSATIONS'];

/** The mark to beat, by one configuration. */
const marks = [
  { name: 'banking77-dev', ami: 0.66, ari: 0.42, fewest: 40, most: 160 },
  { name: 'multidogo-dev', ami: 0.7, ari: 0.45, fewest: 15, most: 60 },
];

describe.each(marks)('labelled conversations of $name', ({ name, ami, ari, fewest, most }) => {
  const data = readLabelled(folder, name);
  it.skipIf(data === undefined)(
    'are clustered as people label them (needs BENCH_CONVERSATIONS, the folder of NAME.ndjson and NAME.labels.tsv)',
    { timeout: 120_000 },
    async () => {
      const issues = data!.conversations.map((conversation) => split(conversation));
      const world = new Organization();
      await world.stream(
        issues.flatMap((each) => each.map(({ text }) => text)),
        500,
      );
      await world.consolidate();
      let next = 0;
      const clusters = issues.map((each) => {
        const cluster = world.clusters[next] ?? 'none';
        next += each.length;
        return each.length === 0 ? 'none' : cluster;
      });
      const found = agreement(data!.labels, clusters);
      expect(found.ami).toBeGreaterThanOrEqual(ami);
      expect(found.ari).toBeGreaterThanOrEqual(ari);
      expect(found.clusters).toBeGreaterThanOrEqual(fewest);
      expect(found.clusters).toBeLessThanOrEqual(most);
      expect(found.singletons).toBeLessThanOrEqual(0.03);
    },
  );
});
