import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import {
  withPlanKey,
  findPlanState,
  createSecretReader,
  withStatePath,
} from '../../../src/cli/manifest/saved-plan-file.ts';
import type { Session } from '../../../src/cli/session.ts';
import type { Problem } from '../../../src/errors/problem.ts';
import { stateIn } from '../../../src/manifest/state-file.ts';
import type { PlanDocument } from '../../../src/manifest/plan-document.ts';
import type { SavedPlan } from '../../../src/manifest/saved-plan.ts';
import { openGuideStore } from '../guide-store.ts';
import { folderOf } from '../../manifest/read/folder.ts';

it('reads secrets of a saved plan again, from the environment and from the folder of the lock only', () => {
  const cwd = folderOf({});
  mkdirSync(join(cwd, 'org/keys'), { recursive: true });
  writeFileSync(join(cwd, 'org/keys/a.pem'), '\ufeffline\n');
  writeFileSync(join(cwd, 'outside.pem'), 'outside');
  symlinkSync(join(cwd, 'outside.pem'), join(cwd, 'org/link.pem'));
  const secretOf = createSecretReader(
    { cwd, env: { TOKEN: 'value' } } as unknown as Session['runtime'],
    join(cwd, 'org/docsctl.state.json'),
  );
  const found = [
    'env TOKEN',
    'env OTHER',
    'env constructor',
    'file org/keys/a.pem',
    'text of org/keys/a.pem',
    'file outside.pem',
    'file org/../outside.pem',
    'file org/link.pem',
    'file org/none',
    'nothing',
    'file /etc/hostname',
  ];
  expect(found.map(secretOf)).toEqual([
    'value',
    undefined,
    undefined,
    'line',
    'line\n',
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

const sessionIn = (cwd: string) => ({ runtime: { cwd } }) as unknown as Session;

it('finds the lock of a saved plan where it was, or where it is said to be', () => {
  const cwd = folderOf({ 'org/org.yaml': '' });
  const saved = withStatePath(
    { lock: { serial: 3 }, steps: [] } as unknown as PlanDocument,
    { serial: 3, key: 'k' },
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

it('takes no lock that a plan names outside of the working folder and its own', () => {
  const root = folderOf({ 'work/a': '', 'plans/plan.json': '', 'other/docsctl.state.json': '' });
  const session = sessionIn(join(root, 'work'));
  symlinkSync(join(root, 'other'), join(root, 'work/link'));
  const found = (path: string, plan = '../plans/plan.json') => {
    try {
      return findPlanState(session, { lock: { serial: 0, path } } as unknown as SavedPlan, plan, undefined);
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

it('carries the key of a lock that is not written yet, where it holds secrets', () => {
  const document = (after: unknown) =>
    ({ lock: { serial: 0 }, steps: [{ changes: [{ after }] }] }) as unknown as PlanDocument;
  const key = 'ab'.repeat(32);
  const lockOf = (value: unknown, serial: number) =>
    withStatePath(document(value), { serial, key }, '/w/l.json', '/w');
  const secret = { 'docsctl:secret': 'env T', hash: 'x' };
  expect([lockOf(secret, 0), lockOf(secret, 3), lockOf('plain', 0)].map(({ lock }) => lock.key)).toEqual([
    key,
    undefined,
    undefined,
  ]);
  const options = {
    path: '',
    place: '',
    organization: '',
    randomBytes: (count: number) => new Uint8Array(count),
  };
  expect(Buffer.from(withPlanKey(lockOf(secret, 0), options).randomBytes(32)).toString('hex')).toBe(key);
  const made = stateIn(
    { version: 1, sections: [] },
    { ...options, randomBytes: () => new Uint8Array(32).fill(5) },
  );
  const later = stateIn(
    { version: 1, sections: [] },
    withPlanKey(withStatePath(document(secret), made, '/w/l.json', '/w'), options),
  );
  expect(later.hash('hush')).toBe(made.hash('hush'));
});

it('applies a saved plan by command, and neither reads nor makes a lock elsewhere', async () => {
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
