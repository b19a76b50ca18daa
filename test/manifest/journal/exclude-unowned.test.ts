import { describe, expect, it } from 'vitest';
import { createSpace, listSpaces } from '../../../src/resources/spaces/contract.ts';
import { linesOf } from '../bench.ts';
import { createUndoBench, type UndoBench } from './undo-bench.ts';

interface Line {
  readonly type: string;
  readonly changes: object[];
  readonly owned: Record<string, object | null>;
  asides?: object[];
}

/** A bench that changed a title, and a space of somebody else that no manifest knows. */
async function brought() {
  const bench = await createUndoBench();
  await bench.bring('spaces: { a: { title: A } }');
  await bench.bring('spaces: { a: { title: B } }');
  const { id } = await bench.api.call(createSpace, {
    params: { organizationId: bench.world.org },
    body: { title: 'Theirs' },
  });
  return { bench, foreign: id };
}

/** Edits the newest journal like a person with an editor. */
function forge(bench: UndoBench, edit: (step: Line, ended: Line) => void): void {
  const lines = bench.texts.at(-1)!.trimEnd().split('\n').map((line) => JSON.parse(line) as Line); // prettier-ignore
  edit(
    lines.find(({ type }) => type === 'step')!,
    lines.find(({ type }) => type === 'ended')!,
  );
  bench.texts[bench.texts.length - 1] = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

const titles = async (bench: UndoBench) =>
  (await bench.api.call(listSpaces, { params: { organizationId: bench.world.org } })).items
    .map(({ title }) => title)
    .sort();

describe('undoing a journal that somebody edited', () => {
  it.each([false, true])(
    'sets no field of a resource that the state file does not own, force %s',
    async (force) => {
      const { bench, foreign } = await brought();
      forge(bench, (step) =>
        Object.assign(step, {
          id: foreign,
          changes: [{ field: 'title', before: 'Mine now', after: 'Theirs' }],
        }),
      );
      const { refused, document } = await bench.planUndo(-1, { force });
      expect(refused).toMatchObject([
        { address: 'space.a', why: `is space ${foreign}, which the state file does not own` },
      ]);
      expect(linesOf(document)).toEqual([]);
      await bench.undo(-1, { force });
      expect(await titles(bench)).toEqual(['B', 'Theirs']);
    },
  );

  it('refuses such a resource even if the journal claims to be an undo that released it', async () => {
    const { bench, foreign } = await brought();
    forge(bench, (step, ended) => {
      Object.assign(step, {
        address: 'space.x',
        key: 'space.x',
        id: foreign,
        owned: { 'space.x': { kind: 'space', id: foreign, fields: {} } },
      });
      Object.assign(ended, { key: 'space.x', owned: { 'space.x': null } });
    });
    bench.texts.push(
      bench.texts.pop()!.replace('"files":', '"undoes":"20260105T090000000Z-000000","files":'),
    );
    expect((await bench.planUndo()).refused).toMatchObject([{ address: 'space.x' }]);
  });

  it('sets no field of an existing resource that the journal claims to have deleted', async () => {
    const { bench, foreign } = await brought();
    const was = { kind: 'space', id: foreign, name: 'Theirs', fields: {}, unknown: {}, inside: [] };
    forge(bench, (step) =>
      Object.assign(step, {
        action: 'delete',
        id: foreign,
        was,
        changes: [{ field: 'title', before: 'Mine now', after: 'Theirs' }],
      }),
    );
    const { refused, document } = await bench.planUndo();
    expect([refused.length, linesOf(document)]).toEqual([1, []]);
  });

  it('adds and removes no ownership that no step of the run changed', async () => {
    const { bench, foreign } = await brought();
    await bench.bring('spaces: { a: { title: B }, c: { title: C } }');
    await bench.bring('spaces: { a: { title: A }, c: { title: C } }');
    forge(bench, (step) => {
      step.owned['space.b'] = { kind: 'space', id: foreign, fields: { title: 'Theirs' } };
      step.owned['space.c'] = null;
    });
    const { refused } = await bench.planUndo();
    expect(refused).toMatchObject([
      { address: 'space.b', why: `would be owned as space ${foreign}, which the state file does not own` },
      { address: 'space.c', why: 'is owned, but no step of the run took it over' },
    ]);
    await bench.undo();
    expect(Object.keys(bench.lock!.resources).sort()).toEqual(['space.a', 'space.c']);
    expect(await titles(bench)).toEqual(['B', 'C', 'Theirs']);
  });

  it('sets no field that the kind does not have, in the resource or in the state file', async () => {
    const { bench } = await brought();
    forge(bench, (step) => {
      step.changes.push(
        { field: 'constructor', before: 'x', after: 'y' },
        { field: 'owner', before: 'x', after: 'y' },
      );
      step.owned['space.a'] = { ...step.owned['space.a'], fields: { title: 'A', owner: 'x' } };
    });
    const { refused, document } = await bench.planUndo();
    expect(refused.map(({ address, field }) => `${address} ${field ?? ''}`)).toEqual([
      'space.a constructor',
      'space.a owner',
      'space.a ',
    ]);
    expect(linesOf(document)).toEqual(['update space.a title: "B" ⇒ "A"']);
    await bench.undo();
    expect(JSON.stringify(bench.lock!.resources)).not.toContain('owner');
  });

  it('sets no order and no default holder outside of owned resources', async () => {
    const { bench, foreign } = await brought();
    const scope = {
      type: 'scope',
      kind: 'section',
      parent: 'site.s',
      at: [['site', 'site_x']],
      parts: {},
      holders: {},
    };
    const wrong = [
      scope,
      { ...scope, kind: 'space', at: [['space', foreign]] },
      { ...scope, holders: { title: foreign } },
      { ...scope, at: [] },
    ];
    bench.texts.push(`${bench.texts.pop()!}${wrong.map((line) => `${JSON.stringify(line)}\n`).join('')}`);
    const { refused } = await bench.planUndo();
    expect(refused.map(({ why }) => why)).toEqual([
      'is inside something that the state file does not own',
      'is not an order that a run sets',
      'is not an order that a run sets',
      'is not an order that a run sets',
    ]);
  });

  it('changes no resource that did not refer to what the run deleted', async () => {
    const bench = await createUndoBench();
    await bench.bring('collections: { c: { title: C } }');
    const { id } = await bench.api.call(createSpace, {
      params: { organizationId: bench.world.org },
      body: { title: 'Theirs' },
    });
    await bench.bring('collections: {}', { prune: true });
    const aside = { kind: 'space', id, name: 'Theirs', within: [], before: 'Mine now' };
    forge(
      bench,
      (step) =>
        (step.asides = [
          { ...aside, field: 'title' },
          { ...aside, field: 'parent', before: 'col_other' },
        ]),
    );
    const { refused, document } = await bench.planUndo();
    expect(refused.map(({ field, why }) => `${field} ${why}`)).toEqual([
      'title did not refer to collection.c',
      'parent did not refer to collection.c',
    ]);
    expect(linesOf(document).filter((line) => line.includes('space'))).toEqual([]);
  });

  it.each([false, true])('deletes nothing that the state file does not own, force %s', async (force) => {
    const { bench, foreign } = await brought();
    await bench.bring('spaces: { a: { title: B }, c: { title: C } }');
    const own = bench.lock!.resources['space.c']!.id;
    bench.texts.push(bench.texts.pop()!.replaceAll(own, foreign).replaceAll('"C"', '"Theirs"'));
    const { refused, document } = await bench.planUndo(-1, { force });
    expect(refused).toEqual([
      { address: 'space.c', why: `would delete space ${foreign}, which the state file does not own` },
    ]);
    expect(linesOf(document)).toEqual([]);
    // Also not under an address that the state file does not have.
    bench.texts.push(bench.texts.pop()!.replaceAll('space.c', 'space.x'));
    expect(linesOf((await bench.planUndo(-1, { force })).document)).toEqual([]);
    await bench.undo(-1, { force });
    expect(await titles(bench)).toEqual(['B', 'C', 'Theirs']);
  });
});
