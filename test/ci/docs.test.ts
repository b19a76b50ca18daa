import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { createParser } from '../support/whole-program.ts';
import { action, root } from './job.ts';

interface Step {
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: string;
}
interface Workflow {
  readonly jobs?: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
  readonly steps?: readonly Step[];
}

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const docs = read('docs/scripting.md');
const { version } = JSON.parse(read('package.json')) as { version: string };
const blocks = [...docs.matchAll(/^```yaml\n([^]*?)^```/gm)].map(
  ([, text = '']) => parse(text) as Workflow & Record<string, unknown>,
);
const workflows = blocks.filter((block) => block.jobs !== undefined || block.steps !== undefined);
const steps = workflows.flatMap(({ jobs = {}, steps: own = [] }) => [
  ...own,
  ...Object.values(jobs).flatMap((job) => job.steps),
]);
const uses = steps.filter((step) => step.uses?.startsWith('docsctl/') === true);
const parseLine = await createParser();

describe('the action', () => {
  it('passes every input through the environment, and not through a shell', () => {
    const [step] = action.runs.steps;
    expect(action.runs.steps).toHaveLength(1);
    expect(step?.run).toBe('node "$GITHUB_ACTION_PATH/run.js"');
    const used = Object.values(step?.env ?? {}).flatMap((value) => /inputs\.([\w-]+)/.exec(value)?.[1] ?? []);
    expect(used.sort()).toEqual(Object.keys(action.inputs).sort());
  });

  it('sets only variables that its script or docsctl reads', () => {
    const script = ['run', 'settings', 'github', 'program'].map((name) => read(`ci/${name}.js`)).join('');
    const names = Object.keys(action.runs.steps[0]?.env ?? {}).filter((name) =>
      name.startsWith('DOCSCTL_CI_'),
    );
    expect(names.filter((name) => !script.includes(`'${name}'`))).toEqual([]);
  });

  it('has the outputs that its script writes', () => {
    const written = [
      ...(/writeOutputs\(\{([^]*?)\}\)/.exec(read('ci/run.js'))?.[1] ?? '').matchAll(
        /(?:'([\w-]+)'|(\w+)):/g,
      ),
    ];
    expect(written.map(([, quoted, plain]) => quoted ?? plain).sort()).toEqual(
      Object.keys(action.outputs).sort(),
    );
    for (const [name, { value }] of Object.entries(action.outputs))
      expect(value).toBe(`\${{ steps.docsctl.outputs.${name} }}`);
  });
});

describe('the workflows of the guide', () => {
  it('use the action in this version, with existing inputs', () => {
    expect(uses.length).toBeGreaterThanOrEqual(4);
    for (const step of uses) {
      expect(step.uses).toBe(`docsctl/docsctl/ci@v${version}`);
      expect(Object.keys(step.with ?? {}).filter((name) => action.inputs[name] === undefined)).toEqual([]);
      expect(step.env).toEqual({ DOCSCTL_TOKEN: '${{ secrets.DOCSCTL_TOKEN }}' });
    }
  });

  it('contain valid commands', async () => {
    for (const step of uses) await parseLine(`docsctl ${step.with?.['command']}`);
    const lines = [...docs.matchAll(/DOCSCTL_CI_COMMAND(?:: |=")([^"\n]+)/g)].map(([, line = '']) => line);
    expect(lines).not.toEqual([]);
    for (const line of lines) await parseLine(`docsctl ${line}`);
  });

  it('contain no expressions in shell commands', () => {
    for (const { run = '' } of steps) expect(run).not.toContain('${{');
  });

  it('include the template of GitLab in this version, with variables that it reads', () => {
    const [found, ...more] = blocks.filter((block) => block['include'] !== undefined);
    expect(more).toEqual([]);
    expect(found?.['include']).toEqual([
      { remote: `https://raw.githubusercontent.com/docsctl/docsctl/v${version}/ci/gitlab.yml` },
    ]);
    const template = read('ci/gitlab.yml');
    for (const name of Object.keys(found?.['variables'] as object)) expect(template).toContain(name);
    expect(docs).toContain(`docsctl@${version}`);
  });

  it('are followed by a table of all inputs and outputs', () => {
    for (const [name, { description }] of Object.entries({ ...action.inputs, ...action.outputs }))
      expect(docs).toContain(`| \`${name}\` | ${description} |`);
  });
});
