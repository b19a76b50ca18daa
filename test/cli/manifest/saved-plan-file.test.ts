import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findPlanState, withStatePath } from '../../../src/cli/manifest/saved-plan-file.ts';
import type { Session } from '../../../src/cli/session/session.ts';
import type { Problem } from '../../../src/errors/problem.ts';
import type { PlanDocument } from '../../../src/manifest/plan-document.ts';
import type { SavedPlan } from '../../../src/manifest/saved-plan.ts';
import { openGuideStore } from '../guide-store.ts';
import { folderOf } from '../../manifest/read/folder.ts';

const sessionIn = (cwd: string) => ({ runtime: { cwd } }) as unknown as Session;

it('findPlanState finds the state file that the plan names, or that an option names', () => {
  const cwd = folderOf({ 'org/org.yaml': '' });
  const saved = withStatePath(
    { lock: { serial: 3 }, steps: [] } as unknown as PlanDocument,
    join(cwd, 'org/docsctl.state.json'),
    cwd,
  );
  expect(saved.lock).toEqual({ serial: 3, path: 'org/docsctl.state.json' });
  expect(findPlanState(sessionIn(cwd), saved, 'plan.json', undefined)).toBe(
    join(cwd, 'org/docsctl.state.json'),
  );
  expect(findPlanState(sessionIn(cwd), saved, 'plan.json', 'other.json')).toBe(join(cwd, 'other.json'));
  expect(() =>
    findPlanState(sessionIn(cwd), { lock: { serial: 3 } } as PlanDocument, 'plan.json', undefined),
  ).toThrow('The plan does not name its state file.');
});

it('findPlanState refuses state files outside the working folder and the folder of the plan', () => {
  const root = folderOf({ 'work/a': '', 'plans/plan.json': '', 'other/docsctl.state.json': '' });
  const session = sessionIn(join(root, 'work'));
  symlinkSync(join(root, 'other'), join(root, 'work/link'));
  const found = (path: string, plan = '../plans/plan.json') => {
    try {
      return findPlanState(
        session,
        { lock: { serial: 0, path }, steps: [] } as unknown as SavedPlan,
        plan,
        undefined,
      );
    } catch (error) {
      return (error as Problem).reason;
    }
  };
  expect(found('../plans/docsctl.state.json')).toBe(join(root, 'plans/docsctl.state.json'));
  expect([
    found('../plans/docsctl.state.json', '-'),
    found('../other/docsctl.state.json'),
    found(join(root, 'other/x.json')),
    found('link/docsctl.state.json'),
    found('../work2/x'),
  ]).toEqual(Array.from({ length: 5 }, () => 'guard-refused'));
});

it('findPlanState refuses the first state file of a plan in a folder without its manifest', () => {
  const root = folderOf({ 'docs/org.yaml': '', 'ci/a': '', 'old/docsctl.state.json': '' });
  const path = 'docsctl.state.json';
  const plan = { lock: { serial: 0, path }, steps: [{ at: 'org.yaml:3:3' }] } as unknown as SavedPlan;
  const found = (folder: string, given?: string) =>
    findPlanState(sessionIn(join(root, folder)), plan, '../docs/plan.json', given);
  expect(() => found('ci')).toThrow(
    'There is no org.yaml here, the manifest of the plan, and no docsctl.state.json.',
  );
  expect(['docs', 'old'].map((folder) => found(folder))).toEqual([
    join(root, 'docs', path),
    join(root, 'old', path),
  ]);
  expect(found('ci', path)).toBe(join(root, 'ci', path));
  const piped = { ...plan, steps: [{ at: '<stdin>:3:3' }] } as unknown as SavedPlan;
  expect(findPlanState(sessionIn(join(root, 'ci')), piped, '-', undefined)).toBe(join(root, 'ci', path));
});

it('apply reads and writes no state file outside the working folder, even if a saved plan names one', async () => {
  const desk = await openGuideStore();
  onTestFinished(() => desk.discard());
  writeFileSync(desk.at('docsctl.yaml'), 'version: 1\nspaces: { book: { title: Book } }\n');
  await desk.done(['plan', '--out', 'plan.json']);
  const plan = JSON.parse(readFileSync(desk.at('plan.json'), 'utf8'));
  writeFileSync(
    desk.at('bad.json'),
    JSON.stringify({ ...plan, lock: { serial: 0, path: '../elsewhere.json' } }),
  );
  expect(await desk.run(['apply', 'bad.json', '-y'])).toMatchObject({ exit: 9 });
  expect(existsSync(join(desk.home, 'elsewhere.json'))).toBe(false);
  writeFileSync(
    desk.at('bad.json'),
    JSON.stringify({ ...plan, steps: [{ ...plan.steps[0], states: null }] }),
  );
  expect(await desk.run(['apply', 'bad.json', '-y'])).toMatchObject({ exit: 8 });
  expect(existsSync(desk.at('docsctl.state.json'))).toBe(false);
  expect(await desk.run(['apply', 'plan.json', '-y'])).toMatchObject({ exit: 0 });
  expect(existsSync(desk.at('docsctl.state.json'))).toBe(true);
}, 60_000);

it('apply refuses a first plan in a folder with another manifest, or after a change of its manifest', async () => {
  const desk = await openGuideStore();
  onTestFinished(() => desk.discard());
  const write = (file: string, title: string) => {
    mkdirSync(dirname(desk.at(file)), { recursive: true });
    writeFileSync(desk.at(file), `version: 1\nspaces: { book: { title: ${title} } }\n`);
  };
  write('one/docsctl.yaml', 'Book');
  write('two/docsctl.yaml', 'Film');
  const inFolder = (folder: string, ...words: string[]) => desk.run(words, { cwd: desk.at(folder) });
  expect(await inFolder('one', 'plan', '--out', 'plan.json')).toMatchObject({ exit: 0 });
  copyFileSync(desk.at('one/plan.json'), desk.at('two/plan.json'));
  const refused = {
    exit: 6,
    stderr: expect.stringContaining(
      'docsctl.yaml is not the manifest that the plan was made from, or it has changed since.',
    ) as string,
  };
  for (const plan of ['plan.json', '../one/plan.json'])
    expect(await inFolder('two', 'apply', plan, '-y')).toMatchObject(refused);
  expect(existsSync(desk.at('two/docsctl.state.json'))).toBe(false);
  write('one/docsctl.yaml', 'Novel');
  expect(await inFolder('one', 'apply', 'plan.json', '-y')).toMatchObject(refused);
  write('one/docsctl.yaml', 'Book');
  expect(await inFolder('one', 'apply', 'plan.json', '-y')).toMatchObject({ exit: 0 });
}, 60_000);
