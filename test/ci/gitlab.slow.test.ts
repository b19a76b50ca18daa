import { execa } from 'execa';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { commentToken, fakeGitLab, type FakeHost } from './fake-hosts.ts';
import { fakeNpm, openWorkspace, readPairs, root, type JobResult, type Workspace } from './job.ts';

interface Job {
  readonly extends?: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly script?: readonly string[];
  readonly rules?: readonly { readonly if: string }[];
  readonly artifacts?: { readonly paths: readonly string[]; readonly reports: { readonly dotenv: string } };
}

const template = parse(readFileSync(join(root, 'ci/gitlab.yml'), 'utf8')) as Readonly<Record<string, Job>>;
const token = 'docsctl-token-canary';

let workspace: Workspace;
let gitlab: FakeHost;

beforeAll(async () => {
  workspace = await openWorkspace();
  workspace.write('docsctl.yaml', 'version: 1\ncollections:\n  product: { title: Product }\n');
});
afterAll(() => workspace.discard());
beforeEach(async () => {
  gitlab = await fakeGitLab();
});
afterEach(() => gitlab.close());

/** Runs the script of a job of the template like a runner of GitLab, with an npm that installs this program. */
async function runTemplate(name: string, env: Readonly<Record<string, string>>): Promise<JobResult> {
  const job = template[name];
  const base = template[job?.extends ?? ''];
  const paths = ['docsctl-report.md', 'docsctl-report.env'].map((file) => join(workspace.repository, file));
  for (const path of paths) rmSync(path, { force: true });
  const npm = `folder="$3/node_modules"; mkdir -p "$folder"; ln -s "${root}" "$folder/docsctl"`;
  const done = await execa('/bin/sh', ['-e', '-c', (job?.script ?? base?.script ?? []).join('\n')], {
    cwd: workspace.repository,
    env: {
      ...workspace.env,
      ...base?.variables,
      ...job?.variables,
      ...fakeNpm(workspace, npm),
      TMPDIR: workspace.at(),
      GITLAB_CI: 'true',
      CI_PROJECT_DIR: workspace.repository,
      CI_API_V4_URL: gitlab.url,
      CI_JOB_URL: 'https://gitlab.test/acme/docs/-/jobs/42',
      DOCSCTL_TOKEN: token,
      ...env,
    },
    extendEnv: false,
    all: true,
    reject: false,
  });
  const [summary = '', pairs = ''] = paths.map((path) => readFileSync(path, 'utf8'));
  return { exit: done.exitCode, log: done.all, outputs: readPairs(pairs), summary };
}

const mergeRequest = {
  DOCSCTL_CI_COMMENT_TOKEN: commentToken,
  CI_MERGE_REQUEST_IID: '7',
  CI_MERGE_REQUEST_PROJECT_ID: '12',
  CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '12',
  CI_MERGE_REQUEST_PROJECT_URL: 'https://gitlab.test/acme/docs',
  CI_COMMIT_SHA: 'abcdef0123456789',
};

describe('the GitLab template', () => {
  it('plans on merge requests, with one note that the next run updates', async () => {
    gitlab.comments.push({ id: 1, body: '<!-- docsctl: plan%20. -->\nfake', author: 'mallory' });
    const first = await runTemplate('docsctl-plan', mergeRequest);
    expect([first.exit, first.log]).toEqual([0, expect.stringContaining('### docsctl plan')]);
    expect(first.outputs).toEqual({
      DOCSCTL_EXIT_CODE: '2',
      DOCSCTL_CHANGES: 'true',
      DOCSCTL_PLAN_FILE: join(workspace.repository, 'docsctl-plan.json'),
      DOCSCTL_COMMENT_URL: 'https://gitlab.test/acme/docs/-/merge_requests/7#note_2',
    });
    expect(first.summary).toContain('Commit `abcdef0123` · [log](https://gitlab.test/acme/docs/-/jobs/42)');
    await runTemplate('docsctl-plan', mergeRequest);
    expect(gitlab.comments.map(({ author }) => author)).toEqual(['mallory', 'own']);
    expect(gitlab.requests.at(-1)).toBe('PUT /projects/12/merge_requests/7/notes/2');
    expect(gitlab.comments[0]?.body).toMatch(/fake$/);
    expect([first.log, first.summary, gitlab.comments[1]?.body].join('\n')).not.toContain('canary');
  });

  it('reports which token a note needs', async () => {
    const done = await runTemplate('docsctl-plan', { ...mergeRequest, DOCSCTL_CI_COMMENT_TOKEN: '' });
    expect([done.exit, done.log]).toEqual([
      0,
      expect.stringContaining('notice: No comment was posted. It needs DOCSCTL_CI_COMMENT_TOKEN'),
    ]);
  });

  it('only validates the manifest of a fork', async () => {
    const done = await runTemplate('docsctl-plan', {
      ...mergeRequest,
      CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '13',
    });
    expect([done.exit, done.log]).toEqual([0, expect.stringContaining('Valid: 1 resource')]);
  });

  it('applies on the default branch', async () => {
    const done = await runTemplate('docsctl-apply', { CI_COMMIT_BRANCH: 'main' });
    expect([done.exit, done.outputs['DOCSCTL_EXIT_CODE']]).toEqual([0, '0']);
    expect(await workspace.docsctl(['collections', 'list', '--columns', 'title', '--no-headers'])).toBe(
      'Product',
    );
  });

  it('contains its rules, its artifacts and the version of this package', () => {
    expect(template['docsctl-plan']?.rules).toEqual([{ if: '$CI_PIPELINE_SOURCE == "merge_request_event"' }]);
    expect(template['docsctl-apply']?.rules).toEqual([{ if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH' }]);
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    const base = template['.docsctl'];
    expect(base?.variables?.['DOCSCTL_VERSION']).toBe(version);
    expect(base?.artifacts?.paths).toEqual(
      expect.arrayContaining(['docsctl-report.md', 'docsctl-plan.json']),
    );
    expect(base?.artifacts?.reports.dotenv).toBe('docsctl-report.env');
  });
});

describe('another CI service', () => {
  it('gets a report, outputs and the exit code', async () => {
    const folder = workspace.repository;
    const done = await execa(process.execPath, [join(root, 'ci/run.js')], {
      cwd: folder,
      env: { ...workspace.env, DOCSCTL_CI_COMMAND: 'spaces get Missing' },
      extendEnv: false,
      all: true,
      reject: false,
    });
    expect(done.exitCode).toBe(5);
    expect(readFileSync(join(folder, 'docsctl-report.md'), 'utf8')).toContain('**Failed** with exit code 5.');
    expect(readPairs(readFileSync(join(folder, 'docsctl-report.env'), 'utf8'))['DOCSCTL_EXIT_CODE']).toBe(
      '5',
    );
  });
});
