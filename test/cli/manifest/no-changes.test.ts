import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGuideStore, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
beforeEach(async () => void (desk = await openGuideStore()));
afterEach(() => desk.discard());

const put = (text: string): void => writeFileSync(desk.at('docsctl.yaml'), `version: 1\n${text}`);
const applied = async (text: string) => {
  put(text);
  await desk.done(['apply', '-y']);
};
const list = 'collections: { a: { title: A }, b: { title: B } }\n';
const ticket = (id: string) =>
  `{"id":"${id}","subject":"S","parts":[{"type":"message","role":"user","body":"Hello"}]}\n`;

/** The preparation of each case, and whether the plan then has changes. */
const cases: readonly (readonly [name: string, prepare: () => Promise<unknown>, hasChanges: boolean])[] = [
  ['an empty manifest', async () => put(''), false],
  ['a new block', async () => put(list), true],
  ['an applied manifest', () => applied(list), false],
  ['a block to adopt', async () => put('spaces: { guide: { title: Guide } }\n'), true],
  [
    'a field that was removed from the manifest',
    async () => {
      await applied('collections: { a: { title: A, defaultLevel: edit } }\n');
      put('collections: { a: { title: A } }\n');
    },
    false,
  ],
  [
    'a new field with the existing value',
    async () => {
      await applied('collections: { a: {title: A} }\n');
      put('collections: { a: { title: A, description: "" } }\n');
    },
    false,
  ],
  [
    'a block that was removed from the manifest',
    async () => {
      await applied(list);
      put('collections: { a: { title: A } }\n');
    },
    false,
  ],
  [
    'a resource that was deleted',
    async () => {
      await applied(list);
      await desk.done(['collections', 'delete', 'B', '-y']);
    },
    true,
  ],
  [
    'a removed block whose resource was deleted',
    async () => {
      await applied(list);
      await desk.done(['collections', 'delete', 'B', '-y']);
      put('collections: { a: { title: A } }\n');
    },
    false,
  ],
  [
    'protect changed to false',
    async () => {
      await applied('collections: { a: { title: A, protect: true } }\n');
      put('collections: { a: { title: A, protect: false } }\n');
    },
    true,
  ],
  [
    'imports with new records',
    async () => {
      writeFileSync(desk.at('new.ndjson'), ticket('1'));
      put('imports: { conversations: [{ files: new.ndjson }] }\n');
    },
    true,
  ],
  [
    'imports without new records',
    async () => {
      writeFileSync(desk.at('old.ndjson'), ticket('1'));
      await applied('imports: { conversations: [{ files: old.ndjson }] }\n');
    },
    false,
  ],
  [
    'imports with an appended record',
    async () => {
      writeFileSync(desk.at('more.ndjson'), ticket('1'));
      await applied('imports: { conversations: [{ files: more.ndjson }] }\n');
      appendFileSync(desk.at('more.ndjson'), ticket('2'));
    },
    true,
  ],
  ['unchanged members', () => applied('members: { ana@acme.test: { role: admin } }\n'), false],
  [
    'content that waits for a merge',
    async () => {
      mkdirSync(desk.at('pages'));
      writeFileSync(desk.at('pages', 'README.md'), '# Hi\n');
      await applied('spaces: { s: { title: S, content: { dir: pages, merge: none } } }\n');
    },
    false,
  ],
];

describe('docsctl plan --detailed-exitcode', () => {
  it.each(cases)('prints "No changes" exactly if it exits with 0: %s', async (_, prepare, hasChanges) => {
    await prepare();
    for (const format of ['table', 'markdown']) {
      const plan = await desk.run(['plan', '--detailed-exitcode', '-o', format]);
      expect({ exit: plan.exit, isSaid: plan.stdout.includes('No changes') }).toEqual({
        exit: hasChanges ? 2 : 0,
        isSaid: !hasChanges,
      });
    }
    const json = await desk.run(['plan', '--detailed-exitcode', '-o', 'json']);
    expect(json.exit).toBe(hasChanges ? 2 : 0);
    const apply = await desk.run(['apply', '-y', '--detailed-exitcode']);
    expect(apply.exit === 2 && apply.stderr.includes('No changes')).toBe(false);
    expect([0, 2]).toContain(apply.exit);
    const again = await desk.run(['plan', '--detailed-exitcode']);
    expect(again).toMatchObject({ exit: 0, stdout: expect.stringContaining('No changes.') });
    const drift = await desk.run(['drift', '--detailed-exitcode']);
    expect(drift.exit === 2 && drift.stdout.includes('No drift')).toBe(false);
  });
});

describe('docsctl drift --detailed-exitcode', () => {
  it('exits with 2 exactly if it lists drift', async () => {
    await applied(list);
    const drift = () => desk.run(['drift', '--detailed-exitcode', '-f', 'docsctl.yaml']);
    expect(await drift()).toMatchObject({ exit: 0, stdout: expect.stringContaining('No drift') });
    await desk.done(['collections', 'update', 'B', '--title', 'C']);
    expect(await drift()).toMatchObject({ exit: 2, stdout: expect.stringContaining('Drift: 1 changed') });
  });
});

describe('commands that read a manifest', () => {
  it('print the organization and the store first', async () => {
    await applied(list);
    put('collections: { a: { title: A2 } }\n');
    const first = /^Organization "Acme" \(org_\w+\) on json:/;
    for (const words of [
      ['plan'],
      ['rehearse'],
      ['drift'],
      ['apply', '--dry-run'],
      ['runs', 'undo', '--dry-run'],
    ])
      expect((await desk.run(words)).stderr, words.join(' ')).toMatch(first);
    expect((await desk.run(['rehearse', '-o', 'json'])).stderr).not.toMatch(first);
  });

  it('find the state file beside the manifest of -f', async () => {
    mkdirSync(desk.at('acme'));
    writeFileSync(desk.at('acme', 'docsctl.yaml'), `version: 1\n${list}`);
    await desk.done(['apply', '-f', 'acme', '-y']);
    expect((await desk.run(['runs', 'list'])).exit).not.toBe(0);
    for (const file of ['acme', 'acme/docsctl.yaml']) {
      expect(
        (await desk.done(['runs', 'list', '-f', file, '-o', 'id'])).stdout.trim().split('\n'),
      ).toHaveLength(1);
      expect((await desk.done(['runs', 'show', '-f', file])).stdout).toContain('collection.a');
      expect((await desk.done(['drift', '-f', file])).stdout).toContain('No drift');
      expect((await desk.done(['state', 'list', '-f', file])).stdout).toContain('collection.b');
    }
    const none = await desk.run(['runs', 'list', '-f', 'nowhere']);
    expect(none).toMatchObject({ exit: 5, stderr: expect.stringContaining('There is no manifest nowhere.') });
    await desk.done(['runs', 'undo', '-f', 'acme', '-y']);
    expect((await desk.done(['collections', 'list', '-o', 'id'])).stdout).toBe('');
  });
});
