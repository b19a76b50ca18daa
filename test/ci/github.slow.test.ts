import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { commentToken, fakeGitHub, type FakeHost } from './fake-hosts.ts';
import { copyAction, fakeNpm, openWorkspace, root, runAction, type Workspace } from './job.ts';

const token = 'docsctl-token-canary';
const manifest = `version: 1
collections:
  product: { title: Product }
spaces:
  guide: { title: Guide, parent: !ref collection.product }
`;

let workspace: Workspace;
let github: FakeHost;

beforeAll(async () => {
  workspace = await openWorkspace();
  workspace.write('docsctl.yaml', manifest);
  workspace.write('bad.yaml', 'version: 1\nspaces:\n  guide: { titel: Guide }\n');
});
afterAll(() => workspace.discard());
beforeEach(async () => {
  github = await fakeGitHub();
});
afterEach(() => github.close());

/** The event of a pull request. */
const pull = (repository = 'acme/docs'): object => ({
  pull_request: { number: 7, head: { sha: 'abcdef0123456789', repo: { full_name: repository } } },
});

/** Runs the action for a pull request of the repository itself, unless another event is given. */
const run = (
  given: Record<string, string>,
  { event = pull(), env = {} }: { event?: object; env?: Record<string, string> } = {},
) =>
  runAction(
    workspace,
    { 'github-token': commentToken, ...given },
    { event, env: { GITHUB_API_URL: github.url, DOCSCTL_TOKEN: token, ...env } },
  );

describe('a plan on a pull request', () => {
  it('is posted as one comment, which the next run updates', async () => {
    const first = await run({ manifest: 'docsctl.yaml', organization: 'Acme' });
    expect([first.exit, first.log]).toEqual([0, expect.stringContaining('### docsctl plan')]);
    expect(first.outputs).toEqual({
      'exit-code': '2',
      changes: 'true',
      'plan-file': workspace.at('temp', 'docsctl-plan.json'),
      'comment-url': 'https://github.test/acme/docs/pull/7#issuecomment-1',
    });
    const [comment] = github.comments;
    expect(comment?.body).toMatch(
      /^<!-- docsctl: plan%20docsctl\.yaml%20\. -->\n### docsctl plan\n\n2 to create/,
    );
    for (const text of [
      'Organization `org_',
      '<details><summary>Create (2)</summary>',
      '+     title: "Guide"',
    ])
      expect(comment?.body).toContain(text);
    expect(comment?.body).toMatch(
      /Commit `abcdef0123` · \[log\]\(https:\/\/github\.test\/acme\/docs\/actions\/runs\/42\)/,
    );
    expect(first.summary).toContain('### docsctl plan');

    github.comments.unshift({ id: 90, body: 'Nice.', author: 'ben' });
    const second = await run({ manifest: 'docsctl.yaml' });
    expect(second.outputs['comment-url']).toBe(first.outputs['comment-url']);
    expect(github.comments.map(({ id }) => id)).toEqual([90, 1]);
    expect(github.requests.filter((line) => line.startsWith('POST /repos'))).toHaveLength(1);
    expect(github.requests.at(-1)).toBe('PATCH /repos/acme/docs/issues/comments/1');
  });

  it('annotates wrong lines of the manifest, and the comment contains no annotations', async () => {
    workspace.write('wrong.yaml', 'version: 1\nspaces: { guide: { titel: Guide } }\n');
    const wrong = await run({ manifest: 'wrong.yaml' });
    expect([wrong.exit, wrong.log]).toEqual([
      8,
      expect.stringMatching(/\n::error file=wrong\.yaml,line=2,col=\d+::"titel" is not a known field/),
    ]);
    workspace.write('empty.yaml', 'version: 1\nimports: { conversations: [{ files: "none*.csv" }] }\n');
    const empty = await run({ manifest: 'empty.yaml' });
    expect([empty.exit, empty.log]).toEqual([
      0,
      expect.stringMatching(/\n::warning file=empty\.yaml,line=2/),
    ]);
    expect(github.comments[1]?.body).toContain('### docsctl plan');
    expect(github.comments[1]?.body).not.toContain('::');
  });

  it('does not change comments of others, even with the same first line, on any page of comments', async () => {
    const marker = '<!-- docsctl: plan%20. -->\n';
    for (let id = 1; id <= 101; id++) github.comments.push({ id, body: `${marker}${id}`, author: 'mallory' });
    github.comments.push({ id: 102, body: `${marker}own`, author: 'own' });
    await run({});
    expect(github.comments.slice(0, 101).map(({ body }) => body)).toEqual(
      Array.from({ length: 101 }, (_, at) => `${marker}${at + 1}`),
    );
    expect(github.comments[101]?.body).toContain('### docsctl plan');
    expect(github.comments).toHaveLength(102);
  });

  it('has a comment for each comment key, and none if comments are disabled', async () => {
    await run({ 'comment-key': 'one --> two' });
    await run({ 'comment-key': 'other' });
    await run({ comment: 'false' });
    expect(github.comments.map(({ body }) => body.split('\n')[0])).toEqual([
      '<!-- docsctl: one%20--%3E%20two -->',
      '<!-- docsctl: other -->',
    ]);
  });

  it('fails with the exit code of docsctl, and shows the error', async () => {
    const done = await run({ manifest: 'bad.yaml' });
    expect([done.exit, done.outputs['exit-code'], done.outputs['plan-file']]).toEqual([8, '8', '']);
    expect(github.comments[0]?.body).toMatch(
      /\*\*Failed\*\* with exit code 8\.[^]*```text\n[^]*bad\.yaml:3:12: [^]*\n```\n/,
    );
    expect(done.summary).toContain('bad.yaml:3:12');
  });

  it('succeeds without a comment if it has no permission, and reports which one is missing', async () => {
    const refused = await run({ 'github-token': 'wrong-token' });
    expect([refused.exit, refused.outputs['comment-url']]).toEqual([0, '']);
    expect(refused.log).toContain(
      '::notice::No comment was posted: POST /graphql was answered with 403. It needs `permissions: pull-requests: write` for the job.',
    );
    const without = await run({ 'github-token': '' });
    expect([without.exit, without.log]).toEqual([
      0,
      expect.stringContaining('::notice::No comment was posted.'),
    ]);
    expect(refused.summary).toContain('### docsctl plan');
  });

  it.each([
    [[203], 'POST /graphql was not answered with JSON.'],
    [[200], 'GitHub did not say whose token it is.'],
    [[0, 200], 'GET /repos/acme/docs/issues/7/comments was not answered with a list.'],
    [[0, 0, 203], 'POST /repos/acme/docs/issues/7/comments was not answered with JSON.'],
  ])('succeeds without a comment if a proxy responds (%s)', async (failures, text) => {
    github.failures.push(...failures);
    const done = await run({});
    expect([done.exit, done.outputs['exit-code'], github.comments]).toEqual([0, '2', []]);
    expect(done.log).toContain(`::warning::No comment was posted: ${text}`);
  });

  it('retries when GitHub is busy, but never posts a comment twice', async () => {
    github.failures.push(502, 429);
    expect((await run({})).outputs['comment-url']).not.toBe('');
    github.comments.length = 0;
    // The requests for the user and the comments succeed, and the one for the new comment fails.
    github.failures.push(0, 0, 500);
    const done = await run({});
    expect([done.exit, done.outputs['comment-url'], github.comments]).toEqual([0, '', []]);
    expect(done.log).toContain(
      '::warning::No comment was posted: POST /repos/acme/docs/issues/7/comments was answered with 500.',
    );
  });

  it('reveals no tokens, and does not pass the token for comments to docsctl', async () => {
    workspace.write(
      'leak.yaml',
      `version: 1\nvars:\n  DOCSCTL_CI_COMMENT_TOKEN: { default: none }\ncollections:\n  a: { title: "\${var.DOCSCTL_CI_COMMENT_TOKEN}" }\n  b: { title: ${token} }\n`,
    );
    const done = await run({ manifest: 'leak.yaml' });
    const seen = [done.log, done.summary, github.comments[0]?.body].join('\n');
    expect(seen).toContain('"none"');
    expect(seen).toContain('"***"');
    expect(seen).not.toMatch(/canary/);
  });

  it('hides a token from a file', async () => {
    const canary = 'dctl_file-canary-0123456789';
    workspace.write('secrets/token', `${canary}\n`);
    workspace.write('leak-file.yaml', `version: 1\ncollections:\n  b: { title: ${canary} }\n`);
    const file = workspace.at('repository', 'secrets', 'token');
    const byVariable = await run({ manifest: 'leak-file.yaml' }, { env: { DOCSCTL_TOKEN_FILE: file } });
    const byOption = await run({ manifest: 'leak-file.yaml', command: `plan --token-file=${file}` });
    for (const { log, summary } of [byVariable, byOption]) {
      expect(log).toContain('"***"');
      expect(log + summary).not.toContain(canary);
    }
  });

  it('prevents the runner from reading the output of docsctl as commands', async () => {
    const { log } = await run({});
    const [, mark = ''] = /^::stop-commands::([\da-f]{32})$/m.exec(log) ?? [];
    const [, inside = ''] = log.split(new RegExp(`^::(?:stop-commands::)?${mark}(?:::)?$`, 'm'));
    expect(inside).toContain('### docsctl plan');
    expect(log.trimEnd().endsWith(`::${mark}::`)).toBe(true);
  });
});

it.each([
  ['broken', '{"pull_request": '],
  ['not an object', 'null'],
  ['missing', undefined],
])(
  'a job with an event file that is %s fails with one line, because a fork could not be recognized',
  async (_, text) => {
    const path = workspace.at('other-event.json');
    if (text !== undefined) writeFileSync(path, text);
    onTestFinished(() => rmSync(path, { force: true }));
    const done = await run({ command: 'apply' }, { env: { GITHUB_EVENT_PATH: path } });
    expect([done.exit, done.log.trimEnd()]).toEqual([
      64,
      `::error::The event of the workflow cannot be read. GITHUB_EVENT_PATH must name a JSON file.`,
    ]);
  },
);

describe('a pull request without secrets', () => {
  const fork = { event: pull('mallory/docs') };

  it('from a fork is only validated, even if there is a token', async () => {
    const done = await run({ manifest: 'docsctl.yaml', command: 'plan --prune' }, fork);
    expect([done.exit, done.outputs['exit-code'], done.outputs['changes']]).toEqual([0, '0', '']);
    expect(done.log).toContain(
      '::notice::Pull requests from forks are not given the token. The manifest was only checked',
    );
    expect(done.log).toContain('Valid: 2 resources');
    expect(done.summary).toContain('Valid: 2 resources');
  });

  it('from a fork cannot read the token of the official tool', async () => {
    workspace.write(
      'leak.yaml',
      'version: 1\nspaces:\n  a: { title: Guide, emoji: "${env.GITBOOK_TOKEN}" }\n',
    );
    const done = await run({ manifest: 'leak.yaml' }, { ...fork, env: { GITBOOK_TOKEN: 'gitbook-canary' } });
    expect([done.exit, done.log]).toEqual([8, expect.stringContaining('GITBOOK_TOKEN is not set')]);
    expect(done.log + done.summary).not.toContain('gitbook-canary');
  });

  it('from a fork fails if the manifest is invalid', async () => {
    expect((await run({ manifest: 'bad.yaml' }, fork)).exit).toBe(8);
    for (const command of [
      'plan -f bad.yaml',
      'plan -fbad.yaml',
      'apply --file=bad.yaml',
      'apply -yf bad.yaml',
      'apply -yfbad.yaml',
    ])
      expect((await run({ command }, fork)).exit).toBe(8);
  });

  it('is skipped for a command that needs the organization', async () => {
    const done = await run({ command: 'openapi publish billing.yaml' }, fork);
    expect([done.exit, github.requests]).toEqual([0, []]);
    expect(done.log).toContain('Nothing was done.');
  });

  it('from Dependabot is validated, unless it has a token', async () => {
    const env = { GITHUB_ACTOR: 'dependabot[bot]' };
    expect((await run({}, { env: { ...env, DOCSCTL_TOKEN: '' } })).log).toContain('Valid: 2 resources');
    expect((await run({}, { env })).log).toContain('### docsctl plan');
  });
});

describe('other commands', () => {
  const push = { event: { ref: 'refs/heads/main' } };

  it('check a folder of content on a pull request', async () => {
    await workspace.docsctl(['spaces', 'create', '--title', 'Handbook', '-o', 'none']);
    workspace.write('docs/README.md', '# Hello\n\n````\n```\n@everyone\n````\n');
    const done = await run({ command: 'spaces import "Handbook"\n  docs --dry-run' });
    expect([done.exit, done.outputs['changes']]).toEqual([0, '']);
    expect(github.comments[0]?.body).toContain('### docsctl `spaces import Handbook docs --dry-run`');
  });

  it('annotate the lines of broken links if requested', async () => {
    workspace.write('linked/README.md', '# Hello\n\n[Gone](gone.md) [Odd](::stop-commands::x)\n');
    await workspace.docsctl(['spaces', 'create', '--title', 'Linked', '-o', 'none']);
    await workspace.docsctl(['spaces', 'import', 'Linked', workspace.at('repository', 'linked')]);
    const command = 'spaces links Linked --fail-on broken';
    const [plain, annotated] = [await run({ command }), await run({ command: `${command} --format github` })];
    const afterQuarantine = ({ log }: { log: string }) => log.split(/^::[\da-f]{32}::$/m).at(-1)!;
    expect([plain.exit, annotated.exit]).toEqual([3, 3]);
    expect(afterQuarantine(plain)).not.toContain('::error');
    expect(afterQuarantine(annotated)).toMatch(/^::error file=README\.md,line=3::broken link: gone\.md/m);
    expect(afterQuarantine(annotated)).not.toMatch(/^::stop-commands/m);
  });

  it('annotate the lines of problems that validate finds, and list them once in the report', async () => {
    workspace.write('checked/README.md', '# Hello\n\n[Gone](gone.md)\n');
    const done = await run({ command: 'validate checked --error broken-link' });
    expect(done.exit).toBe(8);
    expect(done.log.split(/^::[\da-f]{32}::$/m).at(-1)).toContain(
      '\n::error file=checked/README.md,line=3::links to gone.md, which does not exist (broken-link)',
    );
    expect(github.comments[0]?.body).not.toContain('::error');
    expect(github.comments[0]?.body.match(/links to gone\.md/g)).toHaveLength(1);
  });

  it('publish a specification on a push, without a comment', async () => {
    workspace.write('billing.yaml', 'openapi: 3.1.0\ninfo: { title: Billing, version: "1" }\npaths: {}\n');
    const done = await run({ command: 'openapi publish billing.yaml' }, push);
    expect([done.exit, github.requests]).toEqual([0, []]);
    expect(await workspace.docsctl(['openapi', 'list', '--columns', 'slug', '--no-headers'])).toBe('billing');
  });

  it('apply a manifest without confirmation, after which a plan has no changes', async () => {
    const done = await run({ command: 'apply', manifest: 'docsctl.yaml' }, push);
    expect([done.exit, done.summary]).toEqual([0, expect.stringContaining('### docsctl `apply`\n\nDone.')]);
    const after = await run({ manifest: 'docsctl.yaml' });
    expect(after.outputs).toMatchObject({ 'exit-code': '0', changes: 'false' });
    expect(github.comments[0]?.body).toContain('No changes');
    for (const file of ['docsctl.state.json', 'docsctl.runs'])
      rmSync(join(workspace.repository, file), { recursive: true, force: true });
  });

  it('with very long output are cut in comments and summaries', async () => {
    const done = await run({ command: 'commands -o json' });
    expect(done.exit).toBe(0);
    expect(github.comments[0]?.body.length).toBeGreaterThan(60_000);
    expect(github.comments[0]?.body.length).toBeLessThanOrEqual(65_536);
    expect(github.comments[0]?.body).toMatch(/\n```\n\n<\/details>\n\nThis comment is cut\./);
    expect(Buffer.byteLength(done.summary)).toBeLessThan(1024 * 1024);
  });
});

describe('mistakes in a workflow', () => {
  it.each([
    [{ command: 'plan "docs' }, 'The command has a quote that is never closed.'],
    [{ command: '--version' }, 'The command must begin with the name of a command'],
    [{ command: 'openapi publish a.yaml', manifest: 'docsctl.yaml' }, 'not for "openapi"'],
    [{ 'working-directory': 'missing' }, 'The working directory missing does not exist.'],
    [{ version: '1; touch hacked' }, 'is not a version of docsctl'],
    [{ comment: 'maybe' }, '"maybe" is not a value for comment. Use true or false.'],
  ])('are reported with a clear error: %j', async (given, message) => {
    const done = await run(given);
    expect([done.exit, done.log]).toEqual([64, expect.stringContaining(`::error::`)]);
    expect(done.log).toContain(message);
  });

  it('are never run by a shell', async () => {
    const done = await run({ command: 'spaces get $(touch hacked);`touch hacked`&&touch hacked' });
    expect(done.exit).not.toBe(0);
    expect(existsSync(join(workspace.repository, 'hacked'))).toBe(false);
  });
});

describe('the docsctl package', () => {
  const install = `folder="$3/node_modules/docsctl"; mkdir -p "$(dirname "$folder")"; ln -s "${root}" "$folder"`;
  const calls = (): string[] => readFileSync(workspace.at('npm-calls'), 'utf8').trim().split('\n');
  beforeEach(() => rmSync(workspace.at('npm-calls'), { force: true }));

  it('is installed once in the version of the action, by npm without the token', async () => {
    const env = { ...fakeNpm(workspace, install), GITHUB_ACTION_PATH: copyAction(workspace) };
    for (let time = 0; time < 2; time++) expect((await run({}, { env })).outputs['exit-code']).toBe('2');
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    expect(calls()).toEqual([
      `install --prefix ${workspace.at('temp', `docsctl-${version}`)} --ignore-scripts --no-audit --no-fund docsctl@${version}`,
    ]);
    expect(readFileSync(workspace.at('npm-env'), 'utf8')).not.toContain('canary');
  });

  it('is installed in the requested version', async () => {
    await run({ version: '9.8.7-beta.1' }, { env: fakeNpm(workspace, install) });
    expect(calls()[0]).toMatch(/ docsctl@9\.8\.7-beta\.1$/);
  });

  it('is reported as missing if npm cannot install it', async () => {
    const done = await run({ version: '9.9.9' }, { env: fakeNpm(workspace, 'exit 1') });
    expect([done.exit, done.log]).toEqual([
      69,
      expect.stringContaining('::error::npm could not install docsctl@9.9.9'),
    ]);
  });
});
