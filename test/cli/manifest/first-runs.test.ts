import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { run } from '../../../src/cli/program.ts';
import { runtimeOf, type Ran } from '../../support/cli.ts';
import { openGuideServer, openGuideStore, type GuideStore } from '../guide-store.ts';

const text =
  'version: 1\nteams: { writers: { title: Writers } }\ncollections: { product: { title: Product } }\nspaces: { guide: { title: Guide }, api: { title: API, parent: !ref collection.product } }\n';

/** Runs `apply` in a folder. `meanwhile` runs after the plan was shown. */
async function apply(
  desk: GuideStore,
  name: string,
  meanwhile = async (): Promise<void> => {},
  manifest = text,
): Promise<Ran> {
  mkdirSync(desk.at(name), { recursive: true });
  writeFileSync(desk.at(name, 'docsctl.yaml'), manifest);
  const { runtime, out, err } = runtimeOf(['apply', '-y'], { ...desk.options, cwd: desk.at(name) });
  const { stderr } = runtime.terminal;
  let isShown = false;
  const write: typeof stderr.write = async (more) => {
    await stderr.write(more);
    if (isShown || !String(more).includes('Plan:')) return;
    isShown = true;
    await meanwhile();
  };
  const exit = await run({ ...runtime, terminal: { ...runtime.terminal, stderr: { ...stderr, write } } });
  return { exit, stdout: String(out.bytes()), bytes: out.bytes(), stderr: String(err.bytes()) };
}

it.each([
  ['an embedded store', () => openGuideStore()],
  ['a server', () => openGuideServer()],
])('the first of two first runs that overlap on %s warns of what both have created', async (_, open) => {
  const desk = await open();
  onTestFinished(desk.discard);
  let inner: Ran | undefined;
  const outer = await apply(desk, 'outer', async () => void (inner = await apply(desk, 'inner')));
  expect([inner?.exit, outer.exit]).toEqual([0, 0]);
  expect(inner?.stderr).not.toContain('warning');
  const warnings = outer.stderr.match(/^warning: .*$/gm);
  expect(warnings?.map((line) => line.replace(/: \w+_\w+,/, ': ID,'))).toEqual([
    'warning: team.writers: ID, which the manifest does not own, has the same title.',
    'warning: collection.product: ID, which the manifest does not own, has the same title.',
    'warning: space.api: ID, which the manifest does not own, has the same title.',
  ]);
  expect(outer.stderr).toContain('undo one of the two runs with `docsctl runs undo`');
  // The advice works: the other run owns what is left.
  const undone = await desk.run(['runs', 'undo', '-y', '-f', desk.at('outer', 'docsctl.yaml')]);
  expect(undone).toMatchObject({ exit: 0 });
  expect((await desk.run(['plan', '-f', desk.at('inner', 'docsctl.yaml')])).stdout).toBe('No changes.\n');
  // Without a state file, the plan adopts what exists.
  const third = await apply(desk, 'third');
  expect(third.stderr).toContain('4 to adopt');
  expect(third.stderr).not.toContain('warning');
});

it('a first run does not warn of resources with the same title that existed before it', async () => {
  const desk = await openGuideStore();
  onTestFinished(desk.discard);
  expect(await desk.run(['collections', 'create', '--title', 'Internal'])).toMatchObject({ exit: 0 });
  const manifest =
    'version: 1\ncollections: { web: { title: Web }, web-internal: { title: Internal, parent: !ref collection.web }, app: { title: App }, app-internal: { title: Internal, parent: !ref collection.app } }\n';
  const applied = await apply(desk, 'nested', undefined, manifest);
  expect(applied.stderr).toContain('4 to create');
  expect(applied.stderr).not.toContain('warning');
});

it('the first run of a saved plan does not warn of resources with the same title that existed before it', async () => {
  const desk = await openGuideStore();
  onTestFinished(desk.discard);
  expect(await desk.run(['collections', 'create', '--title', 'Internal'])).toMatchObject({ exit: 0 });
  writeFileSync(
    desk.at('docsctl.yaml'),
    'version: 1\ncollections: { web: { title: Web }, web-internal: { title: Internal, parent: !ref collection.web }, app: { title: App }, app-internal: { title: Internal, parent: !ref collection.app } }\n',
  );
  expect(await desk.run(['plan', '--out', 'plan.json'])).toMatchObject({ exit: 0 });
  const applied = await desk.run(['apply', 'plan.json', '-y']);
  expect(applied.stderr).toContain('4 to create');
  expect(applied.stderr).not.toContain('warning');
});

it('a first run does not warn of a resource with the same title as one that it adopts', async () => {
  const desk = await openGuideStore();
  onTestFinished(desk.discard);
  const createGuide = async (): Promise<void> => {
    expect(await desk.run(['spaces', 'create', '--title', 'Guide'])).toMatchObject({ exit: 0 });
  };
  const applied = await apply(desk, 'adopting', createGuide);
  expect(applied.stderr).toContain('1 to adopt');
  expect(applied.stderr).not.toContain('warning');
});
