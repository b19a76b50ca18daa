import { execa } from 'execa';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const bin = join(root, 'bin/docsctl.js');

export interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly description: string; readonly value: string }>>;
  readonly runs: {
    readonly using: string;
    readonly steps: readonly {
      readonly shell: string;
      readonly run: string;
      readonly env: Readonly<Record<string, string>>;
    }[];
  };
}

export const action = parse(readFileSync(join(root, 'ci/action.yml'), 'utf8')) as Action;

export interface JobResult {
  readonly exit: number | undefined;
  /** Everything that the job has printed. */
  readonly log: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
}

/** A folder with a repository and the store of an organization, for jobs. */
export interface Workspace {
  readonly repository: string;
  at(...path: readonly string[]): string;
  write(path: string, text: string): void;
  env: Readonly<Record<string, string>>;
  docsctl(words: readonly string[]): Promise<string>;
  discard(): void;
}

/** Makes a workspace. The built program must exist. */
export async function openWorkspace(): Promise<Workspace> {
  if (!existsSync(join(root, 'dist/main.js')))
    throw new Error('run `npm run build` first: these tests run the built program');
  const home = mkdtempSync(join(tmpdir(), 'docsctl-ci-'));
  const repository = join(home, 'repository');
  mkdirSync(repository);
  const env = {
    PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`,
    HOME: home,
    DOCSCTL_CONFIG_DIR: join(home, 'config'),
    DOCSCTL_STORE: `sqlite:${join(home, 'store.db')}`,
  };
  const docsctl = async (words: readonly string[]): Promise<string> =>
    (await execa(process.execPath, [bin, ...words], { cwd: repository, env, extendEnv: false, input: '' }))
      .stdout;
  await docsctl(['init', '--org-title', 'Acme', '--email', 'ana@example.com', '-o', 'none']);
  return {
    repository,
    at: (...path) => join(home, ...path),
    write(path, text) {
      mkdirSync(dirname(join(repository, path)), { recursive: true });
      writeFileSync(join(repository, path), text);
    },
    env,
    docsctl,
    discard: () => rmSync(home, { recursive: true, force: true }),
  };
}

/** Runs the step of action.yml like a runner of GitHub does. */
export async function runAction(
  workspace: Workspace,
  given: Readonly<Record<string, string>>,
  { event = {}, env = {} }: { readonly event?: object; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<JobResult> {
  const files = {
    output: workspace.at('output'),
    summary: workspace.at('summary'),
    event: workspace.at('event.json'),
  };
  for (const file of [files.output, files.summary]) writeFileSync(file, '');
  writeFileSync(files.event, JSON.stringify(event));
  const [step] = action.runs.steps;
  if (step === undefined) throw new Error('no step');
  const job: Record<string, string> = {
    ...workspace.env,
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION_PATH: join(root, 'ci'),
    GITHUB_REPOSITORY: 'acme/docs',
    GITHUB_SERVER_URL: 'https://github.test',
    GITHUB_RUN_ID: '42',
    GITHUB_EVENT_PATH: files.event,
    GITHUB_OUTPUT: files.output,
    GITHUB_STEP_SUMMARY: files.summary,
    RUNNER_TEMP: workspace.at('temp'),
    ...env,
  };
  const own = Object.entries(step.env).map(([name, value]) => [name, evaluate(value, given, job)] as const);
  mkdirSync(workspace.at('temp'), { recursive: true });
  const done = await execa(step.shell, ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], {
    cwd: workspace.repository,
    env: { ...job, ...Object.fromEntries(own) },
    extendEnv: false,
    input: '',
    all: true,
    reject: false,
    timeout: 60_000,
  });
  return {
    exit: done.exitCode,
    log: done.all,
    outputs: readPairs(readFileSync(files.output, 'utf8')),
    summary: readFileSync(files.summary, 'utf8'),
  };
}

/** Evaluates the expressions that action.yml uses: an input, or an input with a variable behind it. */
function evaluate(
  text: string,
  given: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
): string {
  return text.replace(
    /\$\{\{ inputs\.([\w-]+)(?: \|\| env\.(\w+))? \}\}/g,
    (_, input: string, variable?: string) => {
      const fallback = action.inputs[input]?.default;
      if (action.inputs[input] === undefined) throw new Error(`no input ${input}`);
      const value = given[input] ?? (fallback?.startsWith('${{') === true ? '' : (fallback ?? ''));
      return value === '' && variable !== undefined ? (env[variable] ?? '') : value;
    },
  );
}

/** Reads lines of the form name=value. */
export function readPairs(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line !== '');
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

/** Puts an `npm` before the real one. It records its words and environment, and installs with `script`. */
export function fakeNpm(workspace: Workspace, script: string): Record<string, string> {
  const folder = workspace.at('fake-npm');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'npm');
  writeFileSync(
    file,
    `#!/bin/sh\necho "$@" >> "${workspace.at('npm-calls')}"\nenv > "${workspace.at('npm-env')}"\n${script}\n`,
  );
  chmodSync(file, 0o755);
  return { PATH: `${folder}${delimiter}${workspace.env['PATH']}` };
}

/** Copies the scripts to where there is no built program, as a checkout of the action has them. */
export function copyAction(workspace: Workspace): string {
  const folder = workspace.at('action');
  cpSync(join(root, 'ci'), join(folder, 'ci'), { recursive: true });
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  return join(folder, 'ci');
}
