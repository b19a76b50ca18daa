import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stateFileName, maxStateBytes, readState } from '../../src/manifest/state-file.ts';
import { type StateFile } from '../../src/manifest/manifest-state.ts';
import { keepBackup, rescueState } from '../../src/manifest/rescue-state.ts';
import { Problem } from '../../src/errors/problem.ts';
import { createSpace, updateSpace } from '../../src/resources/spaces/contract.ts';
import { createBench, linesOf, type Bench } from './bench.ts';
import { broughtTo, rebuildIn, withLock } from './state-bench.ts';
import { faultsIn, folderOf, problemIn } from './read/folder.ts';

const makeSpace = async (bench: Bench, title: string) =>
  (
    await bench.world
      .as('admin')
      .call(createSpace, { params: { organizationId: bench.world.org }, body: { title } })
  ).id;
const rename = (bench: Bench, spaceId: string, title: string) =>
  bench.world.as('admin').call(updateSpace, { params: { spaceId }, body: { title } });
const idOf = (bench: Bench, address: string): string => bench.lock!.resources[address]!.id;
const lose = (bench: Bench) => rmSync(bench.lockOptions.path);
const shown = ({ rows }: Awaited<ReturnType<typeof rebuildIn>>) =>
  rows.map(({ address, status, was, differs, isSame }) =>
    [address, status, ...(was === undefined ? [] : [was]), ...differs, ...(isSame ? ['same'] : [])].join(' '),
  );

describe('rebuilding the state file', () => {
  it('owns what an ID or unique key identifies, without the fields that differ; the rest would be created', async () => {
    const bench = await broughtTo(
      'collections: { c: { title: C } }\nspaces: { a: { title: A, emoji: "📘", parent: !ref collection.c }, b: { title: B } }',
    );
    const before = bench.lock!.resources;
    await rename(bench, idOf(bench, 'space.b'), 'Else');
    bench.write(
      `collections: { c: { title: C } }\nspaces: { a: { title: A, emoji: "🚀", parent: !ref collection.c }, b: { id: ${idOf(bench, 'space.b')}, title: B }, new: { title: New } }`,
    );
    lose(bench);
    expect(shown(await rebuildIn(bench))).toEqual([
      'collection.c owned',
      'space.a owned emoji',
      'space.b owned title',
      'space.new missing same',
    ]);
    expect(bench.lock!.resources).toEqual({
      'collection.c': before['collection.c'],
      'space.a': { ...before['space.a'], fields: { title: 'A', parent: idOf(bench, 'collection.c') } },
      'space.b': { ...before['space.b'], fields: {} },
    });
    expect(linesOf(await bench.plan())).toEqual([
      'update space.a emoji: "📘" ⇒ "🚀"',
      'update space.b title: "Else" ⇒ "B"',
      'create space.new title: ⇒ "New"',
    ]);
    expect(bench.changing).toEqual([]);
  });

  it('refuses to guess between two resources, unless the old state file names one', async () => {
    const bench = await createBench('spaces:\n  a: { title: A }');
    const ids = [await makeSpace(bench, 'A'), await makeSpace(bench, 'A')];
    expect(await faultsIn(rebuildIn(bench))).toEqual([
      `org.yaml:3:3: space.a matches ${ids[0]} and ${ids[1]}, which have the same title; choose one with "id: ${ids[0]}"`,
    ]);
    expect(bench.lock).toBeUndefined();
    await withLock(bench, (lock) => lock.set('space.a', { kind: 'space', id: ids[1]!, fields: {} }));
    expect(shown(await rebuildIn(bench))).toEqual(['space.a owned']);
    expect(bench.lock!.resources['space.a']).toEqual({ kind: 'space', id: ids[1], fields: { title: 'A' } });
  });

  it('prefers a match by key to the old state file, and uses the old state file without a match', async () => {
    const bench = await broughtTo('spaces: { a: { title: A }, b: { title: B } }');
    const [a, b] = [idOf(bench, 'space.a'), idOf(bench, 'space.b')];
    await rename(bench, b, 'Else');
    await withLock(bench, (lock) => lock.set('space.a', { kind: 'space', id: 'spc_wrong', fields: {} }));
    expect(shown(await rebuildIn(bench))).toEqual(['space.a owned spc_wrong', 'space.b owned title']);
    expect([idOf(bench, 'space.a'), idOf(bench, 'space.b')]).toEqual([a, b]);
  });

  it('keeps the key, checkpoints, protection, and entries that the manifest does not manage', async () => {
    const text =
      'teams: { t: { title: T } }\nspaces: { a: { title: A, protect: true }, old: { title: Old }, safe: { title: Safe, protect: true } }\nsites: { s: { title: Site, siteSpaces: [{ path: p, space: !ref space.a }] } }';
    const bench = await broughtTo(text);
    await withLock(bench, (lock) => lock.setCheckpoint('export', { files: {} }));
    const before = bench.lock!;
    bench.write('spaces: { again: { title: A } }\nsites: { s: { title: Site } }');
    expect(shown(await rebuildIn(bench))).toEqual([
      'space.again owned',
      'site.s owned same',
      'site-space.s/p kept same',
      'space.a forgotten',
      'space.old forgotten',
      'space.safe kept same',
      'team.t kept same',
    ]);
    const { serial, key, checkpoints, resources } = bench.lock!;
    expect({ serial, key, checkpoints }).toEqual({
      serial: before.serial + 1,
      key: before.key,
      checkpoints: before.checkpoints,
    });
    expect(Object.keys(resources).sort()).toEqual([
      'site-space.s/p',
      'site.s',
      'space.again',
      'space.safe',
      'team.t',
    ]);
    expect(resources['space.again']).toMatchObject({ id: before.resources['space.a']!.id, protect: true });
    expect(resources['space.safe']).toEqual(before.resources['space.safe']);
  });

  it('drops entries inside a resource that is another one now', async () => {
    const bench = await broughtTo(
      'spaces: { a: { title: A } }\nsites: { s: { title: Site, siteSpaces: [{ path: p, space: !ref space.a }] }, other: { title: Other } }',
    );
    const before = idOf(bench, 'site.s');
    bench.write('sites: { s: { title: Other } }');
    expect(shown(await rebuildIn(bench))).toEqual([
      `site.s owned ${before}`,
      'site-space.s/p forgotten',
      'site.other forgotten',
      'space.a kept same',
    ]);
  });

  it('keeps entries that cannot be read', async () => {
    const bench = await broughtTo('teams: { t: { title: T } }\nspaces: { a: { title: A } }');
    const { resources } = bench.lock!;
    bench.write('teams: { t: { title: T2 }, u: { title: U } }\nspaces: { a: { title: A } }');
    bench.before = ({ operation }) => {
      if (operation.id === 'teams.list') throw new Problem('not-implemented', 'No teams here.');
    };
    expect(shown(await rebuildIn(bench))).toEqual([
      'team.t kept same',
      'team.u missing same',
      'space.a owned same',
    ]);
    expect(bench.lock!.resources).toEqual(resources);
  });
});

describe('rescuing a damaged state file', () => {
  const options = (folder: string, place = 'memory:') => ({
    path: join(folder, stateFileName),
    place,
    organization: 'o',
    randomBytes: (count: number) => new Uint8Array(count).fill(7),
  });
  const section = (key: string, serial: number, more: object, place = 'memory:', extra: object = {}) =>
    JSON.stringify({ place, organization: 'o', key: key.repeat(64), serial, resources: more, ...extra });
  const space = (id: string, more: object = {}) => ({ kind: 'space', id, fields: {}, ...more });

  it('merges both sides of a merge conflict', () => {
    const ours = section('a', 7, { 'space.a': space('1'), 'space.b': space('2') }, 'memory:', {
      checkpoints: { x: 1 },
      remade: { 'space.a': 3, 'space.z': 1 },
    });
    const theirs = section(
      'b',
      9,
      { 'space.b': space('9', { protect: true }), 'space.c': space('3') },
      'memory:',
      { checkpoints: { x: 2, y: 2 }, remade: { 'space.a': 5 } },
    );
    const other = section('c', 2, { 'space.d': space('4') }, 'https://other.test');
    for (const [end, base] of [
      ['\n', ''],
      ['\r\n', ''],
      ['\n', '||||||| base\nnonsense,\n'],
    ]) {
      const text =
        `{ "version": 1, "sections": [\n<<<<<<< HEAD\n${ours},\n${base}=======\n${theirs},\n>>>>>>> branch\n${other}\n]}\n`.replaceAll(
          '\n',
          end!,
        );
      const { file, damage, isWhole } = rescueState(options(folderOf({ [stateFileName]: text })));
      expect(damage?.message).toContain('contains a merge conflict');
      expect(isWhole).toBe(true);
      expect(file.sections.map(({ place, key, serial }) => [place, key[0], serial])).toEqual([
        ['memory:', 'a', 9],
        ['https://other.test', 'c', 2],
      ]);
      expect(file.sections[0]!.resources).toEqual({
        'space.a': space('1'),
        'space.b': space('2', { protect: true }),
        'space.c': space('3'),
      });
      expect(file.sections[0]).toMatchObject({
        checkpoints: { x: 1, y: 2 },
        remade: { 'space.a': 5, 'space.z': 1 },
      });
    }
  });

  it('keeps what is left of each side if the file was cut inside a merge conflict', () => {
    const file = (key: string, id: string) =>
      `{ "version": 1, "sections": [${section(key, 3, { [`space.${key}`]: space(id) })}] }\n`;
    const rescued = (text: string) => {
      const { file: left, isWhole } = rescueState(options(folderOf({ [stateFileName]: text })));
      return [isWhole, ...left.sections.flatMap(({ resources }) => Object.keys(resources)).toSorted()];
    };
    const [ours, theirs] = [file('a', '1'), file('b', '2')];
    expect(rescued(`<<<<<<< HEAD\n${ours}`)).toEqual([false, 'space.a']);
    expect(rescued(`<<<<<<< HEAD\n${ours}||||||| base\n${theirs}`)).toEqual([false, 'space.a']);
    expect(rescued(`<<<<<<< HEAD\n${ours}=======\n${theirs}`)).toEqual([true, 'space.a', 'space.b']);
    // A line that only begins like the separator belongs to a side.
    expect(rescued(`<<<<<<< HEAD\n${ours}======= x\n=======\n${theirs}>>>>>>> b\n`)).toEqual([
      false,
      'space.b',
    ]);
    // Markers outside of a conflict are text.
    expect(rescued(`=======\n<<<<<<< HEAD\n${ours}=======\n${theirs}>>>>>>> b\n`)).toEqual([false]);
  });

  it.each([
    ['not JSON', '{ "serial": 41, "sections": [ {"serial": 7'],
    ['a state without a version', '{"serial":41}'],
    ['not UTF-8', Buffer.from([0x22, 0xff, ...Buffer.from('"serial": 41')])],
  ])('returns no entries for a file that is %s, but a serial that makes old plans stale', (_, text) => {
    const { file, damage, isWhole } = rescueState(options(folderOf({ [stateFileName]: text })));
    expect(damage).toMatchObject({ reason: 'invalid-input' });
    expect(isWhole).toBe(false);
    expect(file.sections).toEqual([
      { place: 'memory:', organization: 'o', key: '07'.repeat(32), serial: 41, resources: {} },
    ]);
  });

  it('refuses a file of a newer version', () => {
    const folder = folderOf({ [stateFileName]: '{"version":2,"serial":41}' });
    expect(() => rescueState(options(folder))).toThrow(
      'has version 2, and this docsctl reads only version 1',
    );
  });

  it('returns a valid file, or an empty one if there is none', () => {
    const text = `{"version":1,"sections":[${section('a', 7, {})}]}`;
    expect(rescueState(options(folderOf({ [stateFileName]: text })))).toEqual({
      file: JSON.parse(text) as StateFile,
      damage: undefined,
      isWhole: true,
    });
    expect(rescueState(options(folderOf({})))).toMatchObject({ file: { sections: [] }, damage: undefined });
  });

  it('refuses a link or a folder, and changes nothing', async () => {
    const folder = folderOf({ 'other.json': '{' });
    symlinkSync(join(folder, 'other.json'), join(folder, stateFileName));
    mkdirSync(join(folder, 'sub', stateFileName), { recursive: true });
    for (const place of [folder, join(folder, 'sub')])
      expect(await problemIn((async () => rescueState(options(place)))())).toMatchObject({
        reason: 'invalid-input',
        hint: 'Nothing was changed. Move the file away, then run the command again.',
      });
  });

  it('refuses a file that is too large to read', async () => {
    const place = folderOf({ [stateFileName]: '"serial":  \n'.repeat(1000) });
    expect(rescueState(options(place))).toMatchObject({
      file: { sections: [{ serial: 0 }] },
      damage: { reason: 'invalid-input' },
    });
    truncateSync(join(place, stateFileName), maxStateBytes + 1);
    for (const reading of [() => rescueState(options(place)), () => readState(options(place))])
      expect(await problemIn((async () => reading())())).toMatchObject({
        reason: 'too-large',
        exitCode: 8,
        message: expect.stringContaining('is larger than 64 MiB') as string,
        hint: expect.stringContaining('move the file away') as string,
      });
  });

  it('saves a backup beside the file, and never overwrites another one', () => {
    const folder = folderOf({ [stateFileName]: 'one' });
    const path = join(folder, stateFileName);
    expect(keepBackup(path)).toBe(`${path}.bak`);
    writeFileSync(path, 'two');
    expect(keepBackup(path)).toBe(`${path}.bak.2`);
    expect([readFileSync(`${path}.bak`, 'utf8'), readFileSync(`${path}.bak.2`, 'utf8')]).toEqual([
      'one',
      'two',
    ]);
    expect(readdirSync(folder)).toHaveLength(3);
    expect(() => keepBackup(join(folder, 'none'))).toThrow(Problem);
  });

  it('restores the entries of two branches that each created a space', async () => {
    const bench = await broughtTo('spaces: { a: { title: Same }, b: { title: Same } }');
    const { path } = bench.lockOptions;
    await withLock(bench, () => {});
    const whole = readFileSync(path, 'utf8');
    const [, ours, theirs] = /("space\.a": .*\}),\n("space\.b": .*)$/m.exec(whole)!;
    writeFileSync(
      path,
      whole.replace(`${ours},\n${theirs}`, `<<<<<<< HEAD\n${ours}\n=======\n${theirs}\n>>>>>>> other`),
    );
    expect(await problemIn(Promise.resolve().then(() => readState(bench.lockOptions)))).toMatchObject({
      message: expect.stringContaining('merge conflict') as string,
    });
    expect(shown(await rebuildIn(bench))).toEqual(['space.a owned same', 'space.b owned same']);
    expect(linesOf(await bench.plan())).toEqual([]);
  });
});
