import { existsSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../src/errors/problem.ts';
import {
  openStateFile,
  stateFileName,
  stateIn,
  readState,
  type StateOptions,
} from '../../src/manifest/state-file.ts';
import { ManifestState } from '../../src/manifest/manifest-state.ts';
import { rescueState } from '../../src/manifest/rescue-state.ts';
import { lockFile } from '../../src/stores/file-lock.ts';
import { createBench } from './bench.ts';
import { folderOf, problemIn } from './read/folder.ts';

const free = () => Promise.resolve(() => {});
const owned = (id: string) => ({ kind: 'space', id, fields: {} });

function options(folder: string, place = 'memory:'): StateOptions {
  return {
    path: join(folder, stateFileName),
    place,
    organization: 'org_acme',
    randomBytes: (count) => new Uint8Array(count).fill(7),
  };
}

describe('the state file', () => {
  it('is empty if it does not exist, and is not written by reading it', () => {
    const folder = folderOf({});
    expect(readState(options(folder))).toMatchObject({ size: 0, serial: 0 });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('has a section for each store; a new store takes over the section that was written most often', () => {
    const section = (place: string, serial: number) => ({
      place,
      organization: 'org_acme',
      key: '0'.repeat(64),
      serial,
      resources: {},
    });
    const sections = [section('json:a', 3), section('json:b', 9), section('json:c', 5)];
    const at = (place: string) => {
      const { serial, movedFrom } = stateIn({ version: 1, sections }, options('/nowhere', place));
      return [serial, movedFrom];
    };
    expect(at('json:a')).toEqual([3, undefined]);
    expect(at('json:c')).toEqual([5, undefined]);
    expect(at('json:d')).toEqual([9, 'json:b']);
  });

  it('keeps one section for each organization', async () => {
    const folder = folderOf({});
    for (const organization of ['org_b', 'org_a']) {
      const held = await openStateFile({ ...options(folder), organization }, free);
      held.state.set('space.a', owned(`in ${organization}`));
      await held.save();
      await held.release();
    }
    for (const organization of ['org_b', 'org_a'])
      expect(readState({ ...options(folder), organization }).get('space.a')).toMatchObject({
        id: `in ${organization}`,
      });
    expect(readFileSync(join(folder, stateFileName), 'utf8')).toMatch(
      /^"space.a": \{"kind":"space","id":"in org_a"/m,
    );
  });

  it('owns the same resources at another address of the organization, and moves there with the first write', async () => {
    const folder = folderOf({});
    const near = await openStateFile(options(folder, 'sqlite:/a.db'), free);
    near.state.set('space.a', owned('one'));
    await near.save();
    await near.release();
    expect(readState(options(folder, 'sqlite:/a.db')).movedFrom).toBeUndefined();
    const far = await openStateFile(options(folder, 'https://b.test'), free);
    expect(far.state).toMatchObject({ place: 'https://b.test', movedFrom: 'sqlite:/a.db', serial: 1 });
    far.state.set('space.b', owned('two'));
    await far.save();
    await far.release();
    const back = readState(options(folder, 'sqlite:/a.db'));
    expect([back.get('space.a')?.id, back.get('space.b')?.id, back.movedFrom]).toEqual([
      'one',
      'two',
      'https://b.test',
    ]);
    expect(back.creationKey('space.c', {})).toBe(far.state.creationKey('space.c', {}));
  });

  it('has the same text for the same content, whatever the order of the work', async () => {
    const texts = [];
    for (const order of [
      ['a', 'b'],
      ['b', 'a'],
    ]) {
      const folder = folderOf({});
      const held = await openStateFile(options(folder), free);
      for (const name of order) held.state.set(`space.${name}`, owned(name));
      await held.save();
      texts.push(readFileSync(join(folder, stateFileName), 'utf8'));
    }
    expect(texts[0]).toBe(texts[1]);
  });

  it('combines simultaneous writes, and leaves no temporary files', async () => {
    const folder = folderOf({ 'docsctl.state.json.00000000-0000-0000-0000-000000000000.tmp': 'left over' });
    const held = await openStateFile(options(folder), free);
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        held.state.set(`space.s${index}`, owned(`${index}`));
        return held.save();
      }),
    );
    expect(readdirSync(folder)).toEqual([stateFileName]);
    expect(readState(options(folder)).size).toBe(50);
    expect(readState(options(folder)).serial).toBeLessThan(50);
  });

  it.each([
    ['no JSON', '{', 'is not valid JSON'],
    ['a merge conflict', '{\n<<<<<<< HEAD\n', 'contains a merge conflict'],
    ['an unknown version', '{"version":0,"sections":[]}', 'is not a state file: /version'],
    [
      'a wrong entry',
      '{"version":1,"sections":[{"place":"memory:","organization":"o","key":"00000000000000000000000000000000","serial":1,"resources":{"space.a":{"kind":"space","id":7,"fields":{}}}}]}',
      'is not a state file: /sections/0/resources/space.a/id',
    ],
    ['deep nesting', '['.repeat(100_000), 'is nested more than 64 levels deep'],
    ['too many values', `[${'0,'.repeat(1_000_001)}0]`, 'contains more than 1000000 values'],
    [
      'a serial that cannot be increased',
      '{"version":1,"sections":[{"place":"memory:","organization":"o","key":"00000000000000000000000000000000","serial":9007199254740991,"resources":{}}]}',
      'is not a state file: /sections/0/serial',
    ],
  ])('reports damage (%s) with a hint to rebuild it', async (_, text, message) => {
    const folder = folderOf({ [stateFileName]: text });
    for (const reading of [
      async () => readState(options(folder)),
      () => openStateFile(options(folder), free),
    ]) {
      const problem = await problemIn(reading());
      expect(problem).toMatchObject({ reason: 'invalid-input' });
      expect(problem.message).toContain(message);
      expect(problem.hint).toContain('docsctl state rebuild');
    }
    expect(readFileSync(join(folder, stateFileName), 'utf8')).toBe(text);
  });

  it('is not changed if it has a newer version, and not called damaged', async () => {
    const text = '{"version":99,"sections":[]}';
    const folder = folderOf({ [stateFileName]: text });
    for (const reading of [
      async () => readState(options(folder)),
      () => openStateFile(options(folder), free),
      async () => rescueState(options(folder)),
    ])
      expect(await problemIn(reading())).toMatchObject({
        reason: 'store-failed',
        message: expect.stringContaining('has version 99, and this docsctl reads only version 1.'),
        hint: 'Nothing was changed. Update docsctl, or restore an earlier version of the file.',
      });
    expect(readFileSync(join(folder, stateFileName), 'utf8')).toBe(text);
  });

  it('is not read through a link', async () => {
    const folder = folderOf({ 'other.json': '{"version":1,"sections":[]}' });
    symlinkSync(join(folder, 'other.json'), join(folder, stateFileName));
    expect((await problemIn(Promise.resolve().then(() => readState(options(folder))))).message).toContain(
      'is a symbolic link',
    );
  });

  it('is locked by one process at a time, and released afterwards', async () => {
    const folder = folderOf({});
    const hold = (path: string) => lockFile(path, 20);
    const first = await openStateFile(options(folder), hold);
    expect(await problemIn(openStateFile(options(folder), hold))).toMatchObject({
      reason: 'store-busy',
      message: `Another apply is using ${join(folder, stateFileName)}.`,
    });
    await first.release();
    await (await openStateFile(options(folder), hold)).release();
  });

  it('is named in the error if it cannot be locked', async () => {
    const path = join(folderOf({}), 'none', stateFileName);
    const hold = (file: string) => lockFile(file, 20);
    expect(await problemIn(openStateFile({ ...options(folderOf({})), path }, hold))).toMatchObject({
      reason: 'store-failed',
      message: `The state file ${path} cannot be locked.`,
      hint: 'Check that its folder exists, that you may write there, and that the disk has room.',
    });
  });

  it('releases its lock if it is damaged', async () => {
    const folder = folderOf({ [stateFileName]: '{' });
    let released = 0;
    await problemIn(openStateFile(options(folder), () => Promise.resolve(() => void released++)));
    expect(released).toBe(1);
  });

  it('ends the run if it cannot be written, so that no resource is created without being recorded', async () => {
    const bench = await createBench('spaces: { a: { title: A }, b: { title: B }, c: { title: C } }');
    const held = await openStateFile(bench.lockOptions, free);
    expect(existsSync(bench.lockOptions.path)).toBe(false);
    const broken = { ...held, save: () => Promise.reject(new Problem('store-failed', 'The disk is full.')) };
    expect(await problemIn(bench.applyWith(broken))).toMatchObject({ reason: 'store-failed' });
    expect(bench.changing).toEqual([]);
    let saves = 0;
    const later = {
      ...held,
      save: () =>
        saves++ === 0 ? held.save() : Promise.reject(new Problem('store-failed', 'The disk is full.')),
    };
    const result = await bench.applyWith(later, { concurrency: 1 });
    expect(result.counts).toMatchObject({ failed: 1, skipped: 2 });
    expect(result.rows[1]).toMatchObject({ status: 'skipped', because: 'space.a' });
    expect(bench.changing).toHaveLength(1);
    await bench.apply();
    expect(
      bench.changing.map(({ operation, input }) => [operation.id, (input.body as { title: string }).title]),
    ).toEqual([
      ['spaces.create', 'A'],
      ['spaces.create', 'B'],
      ['spaces.create', 'C'],
    ]);
  });

  it('reports at the first write that its folder is not writable', async () => {
    const folder = folderOf({ taken: '' });
    const held = await openStateFile(
      { ...options(folder), path: join(folder, 'taken', stateFileName) },
      free,
    );
    expect(await problemIn(held.save())).toMatchObject({
      reason: 'store-failed',
      hint: expect.stringContaining('Finished work is not repeated') as string,
    });
    writeFileSync(join(folder, 'taken'), '');
  });
});

it('the state file has a line for each resource and each checkpoint, so that versions can be compared', () => {
  const checkpoint = { bytes: 5, at: { line: 2 } };
  const state = new ManifestState({
    place: 'memory:',
    organization: 'org_acme',
    key: '0',
    serial: 0,
    resources: { 'space.b': owned('spc_2'), 'space.a': owned('spc_1') },
    checkpoints: { sales: { 'b.csv': checkpoint, 'a.csv': checkpoint }, empty: {} },
  });
  const lines = state.toText().split('\n');
  expect(lines.slice(lines.findIndex((line) => line.startsWith('"checkpoints"')))).toEqual([
    '"checkpoints": {',
    '"empty": {},',
    '"sales": {',
    '"b.csv": {',
    '"bytes": 5,',
    '"at": {"line":2}',
    '},',
    '"a.csv": {',
    '"bytes": 5,',
    '"at": {"line":2}',
    '}',
    '}',
    '},',
    '"resources": {',
    '"space.a": {"kind":"space","id":"spc_1","fields":{}},',
    '"space.b": {"kind":"space","id":"spc_2","fields":{}}',
    '}}',
  ]);
});
