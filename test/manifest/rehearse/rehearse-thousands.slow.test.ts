import { expect, it } from 'vitest';
import { createBench } from '../bench.ts';
import { rehearseBench } from './rehearse-bench.ts';

/** 2,000 resources: 40 teams, 160 collections, 1,700 spaces, 5 sites of 19 sections. */
function manifest(): string {
  const teams = Array.from({ length: 40 }, (_, index) => `t${index}: { title: Team ${index} }`);
  const collections = Array.from(
    { length: 160 },
    (_, index) =>
      `c${index}: { title: Collection ${index}${index < 20 ? '' : `, parent: !ref collection.c${index % 20}`} }`,
  );
  const spaces = Array.from(
    { length: 1700 },
    (_, index) => `s${index}: { title: Space ${index}, parent: !ref collection.c${index % 160} }`,
  );
  const sections = (site: number) =>
    Array.from(
      { length: 19 },
      (_, index) => `{ path: p${index}, title: Section ${index}, space: !ref space.s${site * 19 + index} }`,
    );
  const sites = Array.from(
    { length: 5 },
    (_, index) => `d${index}: { title: Docs ${index}, sections: [${sections(index).join(', ')}] }`,
  );
  return `teams: { ${teams.join(', ')} }\ncollections: { ${collections.join(', ')} }\nspaces: { ${spaces.join(', ')} }\nsites: { ${sites.join(', ')} }\n`;
}

it('a rehearsal of one change reads 2,000 resources page by page, and reads nothing twice', async () => {
  const bench = await createBench();
  bench.keepsLock = false;
  await bench.bring(manifest(), { concurrency: 8 });
  bench.write(manifest().replace('title: Space 7,', 'title: Space seven,'));
  bench.forget();
  const copied: string[] = [];
  const { rows, unchanged, unsettled, notCopied, reads } = await rehearseBench(bench, {
    onCopied: (done, total) => void copied.push(`${done} of ${total}`),
  });
  expect(rows).toMatchObject([{ key: 'space.s7', status: 'done', action: 'update' }]);
  expect({ unsettled, notCopied }).toEqual({ unsettled: [], notCopied: [] });
  expect(unchanged).toBeGreaterThanOrEqual(2000);
  // The resources of a plan, the site spaces of 95 sections, and two settings of the organization.
  expect(copied.at(-1)).toBe('2097 of 2097');
  const counts: Record<string, number> = {};
  for (const { operation } of bench.calls) counts[operation.id] = (counts[operation.id] ?? 0) + 1;
  expect(counts).toMatchObject({
    'spaces.list': 4,
    'collections.list': 1,
    'teams.list': 1,
    'sites.list': 1,
    'sites.structure': 5,
    'members.list': 1,
    'users.me': 1,
    'orgs.get': 1,
  });
  expect(counts['teams.members.list']).toBeUndefined();
  expect(bench.calls).toHaveLength(reads);
  expect(reads).toBeLessThan(45);
}, 120_000);
