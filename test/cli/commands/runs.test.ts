import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openGuideStore, page, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
beforeAll(async () => void (desk = await openGuideStore()));
afterAll(() => desk.discard());

const put = (text: string): void => writeFileSync(desk.at('docsctl.yaml'), `version: 1\n${text}`);
/** Standard output and error without IDs, times and paths, which differ from run to run. */
const plain = (text: string) =>
  text
    .replaceAll(/\b\d{8}T\d{9}Z-[0-9a-f]{6}\b/g, 'RUN')
    .replaceAll(/\b[a-z]+_[0-9A-Z]{26}\b/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(desk.home, 'HOME');
const apply = async (text: string, ...words: string[]): Promise<string> => {
  put(text);
  await desk.done(['apply', '-y', ...words]);
  return newest();
};
const newest = async (): Promise<string> =>
  (await desk.done(['runs', 'list', '-o', 'id'])).stdout.split('\n')[0]!;
const titles = async (): Promise<string[]> =>
  JSON.parse((await desk.done(['spaces', 'list', '--all', '-o', 'json'])).stdout).items.map(
    ({ title }: { title: string }) => title,
  );

const first =
  'collections:\n  top: { title: Top }\nspaces:\n  a: { title: A, parent: !ref collection.top }\n  b: { title: B }\n';
const second = 'collections: {}\nspaces:\n  a: { title: A2, emoji: "📘" }\n  c: { title: C }\n';

describe('docsctl runs', () => {
  it('lists and shows runs, undoes a run, and undoes the undo', async () => {
    await apply(first);
    const run = await apply(second, '--prune');
    expect(await titles()).toEqual(['Guide', 'C', 'A2']);
    expect(plain((await desk.done(['runs', 'show', run])).stdout)).toMatchInlineSnapshot(`
      "Run RUN was applied from docsctl.yaml by ana@acme.test at TIME on json:HOME/store.json, organization ID: done.

      + space.c "C"
          title: "C"
      ~ space.a "A2"
          title: "A" → "A2"
          emoji: null → "📘"
      - space.b "B" (ID)
          title: "B" → null
      - collection.top "Top" (ID)
          title: "Top" → null
      "
    `);
    const before = (await desk.done(['runs', 'list', '-o', 'id'])).stdout.trim().split('\n').at(-1)!;
    const shown = await desk.done(['runs', 'show', run, before, '-o', 'json']);
    expect(JSON.parse(shown.stdout).items).toMatchObject([{ id: run }, { id: before }]);
    const both = await desk.run(['runs', 'show', before, 'none']);
    expect([both.exit, both.stdout]).toEqual([3, expect.stringContaining('+ collection.top "Top"')]);
    const dry = await desk.done(['runs', 'undo', '--dry-run']);
    expect(plain(dry.stdout)).toMatchInlineSnapshot(`
      "+ collection.top "Top"
          title: "Top"
      + space.b "B" (restores ID)
          title: "B"
      ~ space.a "A2"
          parent: null → !ref collection.top
          title: "A2" → "A"
          emoji: "📘" → null
      - space.c "C" (ID); can be restored for 7 days

      Plan: 2 to create, 1 to update, 1 to delete. At most 7 requests.
      "
    `);
    expect(plain(dry.stderr)).toMatchInlineSnapshot(`
      "Organization "Acme" (ID) on json:HOME/store.json
      space.b comes back with its content, because deleted spaces are kept for 7 days.
      space.c will be deleted with everything written in it since. You can restore it for 7 days with \`docsctl spaces restore ID\`.
      Dry run: nothing was sent. Run RUN was not undone.
      "
    `);
    const undone = await desk.run(['runs', 'undo', '-y']);
    expect(undone.stderr.trimEnd().split('\n').at(-1)).toMatch(/^\d+ done, 0 failed/);
    expect(undone.exit).toBe(0);
    expect((await titles()).sort()).toEqual(['A', 'B', 'Guide']);
    put(first);
    expect((await desk.done(['plan', '--detailed-exitcode'])).stdout).toBe('No changes.\n');
    const redo = await newest();
    const { stdout } = await desk.done(['runs', 'list', '-o', 'json']);
    expect(JSON.parse(stdout).items).toMatchObject([
      { id: redo, undoes: run, ended: 'done', created: 2, deleted: 1 },
      {
        id: run,
        undoneBy: redo,
        updated: 1,
        deleted: 2,
        created: 1,
        files: ['docsctl.yaml'],
        who: 'ana@acme.test',
      },
      { created: 3, undoes: null },
    ]);
    await desk.done(['runs', 'undo', redo, '-y']);
    expect((await titles()).sort()).toEqual(['A2', 'C', 'Guide']);
    put(second);
    expect((await desk.done(['plan', '--prune', '--detailed-exitcode'])).stdout).toBe('No changes.\n');
  });

  it('prints short rows, and accepts the last digits of an ID', async () => {
    const [run, undo, redo] = (await desk.done(['runs', 'list', '-o', 'id'])).stdout
      .trim()
      .split('\n')
      .reverse()
      .slice(1) as [string, string, string];
    const table = (await desk.done(['runs', 'list'])).stdout.split('\n').map((line) => line.split('\t'));
    expect(table[0]).toEqual(['id', 'at', 'ended', 'changes', 'undo']);
    expect(table.find(([id]) => id === run)!.slice(2)).toEqual(['done', '+1 ~1 -2', '-']);
    expect(table.find(([id]) => id === undo)!.slice(2)).toEqual([
      'done',
      '+2 ~1 -1',
      `undoes ${run.slice(-6)}, undone by ${redo.slice(-6)}`,
    ]);
    for (const [id, , , , text] of table.slice(1, 5))
      expect(
        id!.length + 17 + 'done'.length + '+1 ~1 -2'.length + Math.min(text!.length, 24) + 8,
      ).toBeLessThan(90);
    expect((await desk.done(['runs', 'show', run.slice(-6)])).stdout).toBe(
      (await desk.done(['runs', 'show', run])).stdout,
    );
    expect(await desk.run(['runs', 'show', '000000'])).toMatchObject({
      exit: 5,
      stderr: expect.stringContaining('Run 000000 does not exist') as string,
    });
  });

  it('counts runs that belong to another store', async () => {
    const store = `json:${desk.at('other.json')}`;
    await desk.done(['init', '--org-title', 'Other', '--email', 'ana@acme.test', '--store', store]);
    const { stdout, stderr } = await desk.done(['runs', 'list', '--store', store]);
    expect([stdout.trim().split('\n').length, plain(stderr)]).toEqual([
      1,
      expect.stringMatching(/^Not listed: \d runs on json:HOME\/store\.json, organization ID\.\n$/),
    ]);
  });

  it('undo reports and keeps values that changed since the run, unless --force is given', async () => {
    const run = await apply('spaces:\n  a: { title: A3 }\n  c: { title: C3 }\n');
    await desk.done(['spaces', 'update', 'A3', '--title', 'By hand']);
    const undone = await desk.run(['runs', 'undo', run, '-y']);
    expect(plain(undone.stderr)).toContain(
      '  space.a title has changed since: it is now "By hand", and was "A2" before the run\n',
    );
    expect(undone).toMatchObject({
      exit: 3,
      stderr: expect.stringContaining('\nerror: 1 change was not undone.\n'),
    });
    expect(await titles()).toEqual(expect.arrayContaining(['By hand', 'C']));
    expect((await desk.run(['runs', 'undo', run, '-y', '--force'])).exit).toBe(0);
    expect(await titles()).toEqual(expect.arrayContaining(['A2', 'C']));
  });

  it('undo asks first, and runs that do not exist or are damaged are reported', async () => {
    expect(await desk.run(['runs', 'undo', '20260101T000000000Z-abcdef'])).toMatchObject({
      exit: 5,
      stderr: expect.stringContaining('List the runs with `docsctl runs list`'),
    });
    expect(await desk.run(['runs', 'show', '../../x'])).toMatchObject({ exit: 5 });
    await apply('spaces: { a: { title: A4 }, c: { title: C } }\n');
    expect(await desk.run(['runs', 'undo'])).toMatchObject({
      exit: 9,
      stderr: expect.stringMatching(
        /required to undo run \S+ in "Acme", but there is no terminal to ask on\. Plan: 1 to update\./,
      ),
    });
    expect(await titles()).toContain('A4');
    writeFileSync(desk.at('docsctl.runs', '20200101T000000000Z-abcdef.ndjson'), '{"type":"run"');
    const listed = await desk.run(['runs', 'list', '--columns', 'id']);
    expect(listed).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining(
        'warning: The journal of run 20200101T000000000Z-abcdef was cut before its first line ended.',
      ),
    });
  });

  it('undo exits with 9 if it would delete protected resources or too many resources', async () => {
    const room = await openGuideStore();
    try {
      writeFileSync(
        room.at('docsctl.yaml'),
        `version: 1\nspaces: { p: { title: P, protect: true } }\ncollections: { ${[1, 2, 3, 4, 5].map((n) => `c${n}: { title: C${n} }`).join(', ')} }\n`,
      );
      await room.done(['apply', '-y']);
      for (const words of [['-y'], ['-y', '--max-deletes', '6'], ['--dry-run']]) {
        const { exit, stdout, stderr } = await room.run(['runs', 'undo', ...words]);
        expect([exit, stdout, stderr]).toEqual([
          9,
          '',
          expect.stringMatching(
            /! space\.p "P"\n {4}not deleted: space\.p is protected\n[^]*^error: space\.p is protected, but the undo would delete it\.$/m,
          ),
        ]);
      }
      expect(await room.run(['runs', 'undo', '-y', '--force'])).toMatchObject({
        exit: 9,
        stderr: expect.stringContaining(
          'This would delete 6 resources; the limit is 5 unless --max-deletes allows more.',
        ) as string,
      });
      expect(JSON.parse((await room.done(['collections', 'list', '-o', 'json'])).stdout).items).toHaveLength(
        5,
      );
      await room.done(['runs', 'undo', '-y', '--force', '--max-deletes', '6']);
      expect(JSON.parse((await room.done(['collections', 'list', '-o', 'json'])).stdout).items).toEqual([]);
    } finally {
      await room.discard();
    }
  });

  it('stores runs in files that only their owner can read', () => {
    const names = readdirSync(desk.at('docsctl.runs'));
    expect(names.length).toBeGreaterThan(4);
    for (const name of names.filter((one) => !one.startsWith('2020')))
      expect(statSync(desk.at('docsctl.runs', name)).mode & 0o777).toBe(0o600);
  });

  it('refuses a folder of runs that is a symbolic link, and apply changes nothing', async () => {
    mkdirSync(desk.at('other'));
    renameSync(desk.at('docsctl.runs'), desk.at('kept.runs'));
    symlinkSync(desk.at('other'), desk.at('docsctl.runs'));
    put('spaces: { a: { title: Through a link }, c: { title: C } }\n');
    for (const words of [
      ['apply', '-y'],
      ['runs', 'list'],
      ['runs', 'undo', '-y'],
    ])
      expect(await desk.run(words)).toMatchObject({
        exit: 8,
        stderr: expect.stringMatching(/docsctl\.runs is a symbolic link.*\n.*Move it away/s) as string,
      });
    expect(await titles()).not.toContain('Through a link');
    expect(readdirSync(desk.at('other'))).toEqual([]);
    rmSync(desk.at('docsctl.runs'));
    renameSync(desk.at('kept.runs'), desk.at('docsctl.runs'));
  });

  it('undo names the previous revision of content, which stays merged', async () => {
    mkdirSync(desk.at('guide'));
    writeFileSync(desk.at('guide', 'README.md'), '# One\n\nText.\n');
    await desk.publish(page('Zero', 'Nothing.'));
    const { revision } = JSON.parse((await desk.done(['spaces', 'get', 'Guide', '-o', 'json'])).stdout);
    const run = await apply(
      'spaces: { a: { title: A4 }, c: { title: C }, guide: { title: Guide, content: { dir: guide } } }\n',
    );
    const journal = readFileSync(desk.at('docsctl.runs', `${run}.ndjson`), 'utf8');
    expect(journal).toContain(revision);
    const dry = await desk.done(['runs', 'undo', run, '--dry-run']);
    expect(dry.stderr).toMatch(
      new RegExp(
        `space.guide: content that was merged with change request #\\d+ stays merged. The previous revision is ${revision}. To restore it, run \`docsctl revisions restore ${revision} --space \\w+ --merge\`.`,
      ),
    );
  });
});

describe('docsctl runs undo', () => {
  beforeAll(async () => {
    await desk.discard();
    desk = await openGuideStore();
  });
  const state = 'spaces: { b: { title: B }, guide: { title: Guide, parent: !ref collection.top } }\n';
  const undo = async (...words: string[]): Promise<string> =>
    plain((await desk.done(['runs', 'undo', '-y', ...words])).stderr);

  it('does not count resources that the run did not change', async () => {
    await apply(`collections: { top: { title: Top } }\n${state}`);
    await apply(
      `collections: { top: { title: Top } }\n${state.replace(' }, g', ', parent: !ref collection.top }, g')}`,
    );
    const said = await undo();
    expect(said).toContain('\nPlan: 1 to move. At most');
    expect(said).toMatch(/1 done, 0 failed, .*; 0 unchanged\.\n$/);
  });

  it('names the run that undid it already, and the command that makes its changes again', async () => {
    const [undid, run] = (await desk.done(['runs', 'list', '-o', 'id'])).stdout.split('\n') as [
      string,
      string,
    ];
    expect((await desk.done(['runs', 'undo', '-y', run])).stderr).toContain(
      `Nothing is left to undo: run ${undid} undid run ${run}. To make its changes again, run \`docsctl runs undo ${undid}\`.`,
    );
  });

  it('names the run that made the changes again, with the --state option', async () => {
    const run = await apply('collections: { top: { title: Top }, more: { title: More } }\n');
    await undo();
    const undid = await newest();
    await undo(undid);
    const again = await newest();
    const { stderr } = await desk.done(['runs', 'undo', '-y', run, '--state', 'docsctl.state.json']);
    expect(stderr).toContain(
      `Nothing is left to undo: run ${undid} undid run ${run}, and run ${again} made its changes again. To undo them, run \`docsctl runs undo ${again} --state docsctl.state.json\`.`,
    );
  });

  it('suggests the run before if the changes were reverted without an undo', async () => {
    const first = await newest();
    const run = await apply('collections: { top: { title: Top2 } }\n');
    await desk.done(['collections', 'update', 'Top2', '--title', 'Top']);
    const { stderr } = await desk.done(['runs', 'undo', '--dry-run']);
    expect(stderr).toContain(
      `all changes of run ${run} have since been reversed, or their resources deleted. To undo the run before it, run \`docsctl runs undo ${first}\`.`,
    );
  });
});
