import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { validationRules } from '../../../src/cli/manifest/severities.ts';
import { docsctl } from '../../support/cli.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'docsctl-validate-'));
  write('docs/SUMMARY.md', '* [Start](README.md)\n* [Gone](gone.md)\n* [Start](README.md)\n');
  write('docs/README.md', '# Start\n\n[there](more/) and [not there](absent.md#a)\n');
  write('docs/more/README.md', '# More\n');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
}

const validate = (...words: readonly string[]) => docsctl(['validate', ...words], { home });

const warnings = [
  'warning: docs/SUMMARY.md:2: gone.md does not exist and is skipped (missing-page)',
  'warning: docs/SUMMARY.md:3: README.md is already in the table of contents and becomes a link (repeated-page)',
  'warning: docs/more/README.md: is not in the table of contents and is skipped (unlisted-page)',
  'warning: docs/README.md:3: links to more/, which is not imported (broken-link)',
  'warning: docs/README.md:3: links to absent.md#a, which does not exist (broken-link)',
];

describe('docsctl validate', () => {
  it('refuses files as arguments', async () => {
    expect(await validate('docs/README.md')).toMatchObject({
      exit: 8,
      stderr:
        'error: docs/README.md is a file, but the arguments of validate are folders.\nhint: Give the folder that contains the file.\n',
    });
  });

  it('warns about problems in folders, with the rule of each warning', async () => {
    expect(await validate('docs')).toMatchObject({
      exit: 0,
      stdout: 'Valid: 1 page in 1 folder; 5 warnings.\n',
      stderr: `${warnings.join('\n')}\n`,
    });
    const { stdout, stderr } = await validate('docs', '-o', 'json');
    expect([JSON.parse(stdout), stderr]).toMatchObject([
      {
        valid: true,
        folders: [{ dir: 'docs', pages: 1, files: 0 }],
        warnings: [
          {
            file: 'docs/SUMMARY.md',
            line: 2,
            rule: 'missing-page',
            message: 'gone.md does not exist and is skipped',
          },
          { rule: 'repeated-page' },
          { file: 'docs/more/README.md', line: 0, rule: 'unlisted-page' },
          { file: 'docs/README.md', line: 3, rule: 'broken-link' },
          { file: 'docs/README.md', line: 3, rule: 'broken-link' },
        ],
      },
      '',
    ]);
  });

  it('prints annotations for GitHub, with paths relative to the repository', async () => {
    const lines = [
      '::warning file=docs/SUMMARY.md,line=2::gone.md does not exist and is skipped (missing-page)',
      '::warning file=docs/SUMMARY.md,line=3::README.md is already in the table of contents and becomes a link (repeated-page)',
      '::warning file=docs/more/README.md::is not in the table of contents and is skipped (unlisted-page)',
      '::warning file=docs/README.md,line=3::links to more/, which is not imported (broken-link)',
      '::warning file=docs/README.md,line=3::links to absent.md#a, which does not exist (broken-link)',
    ];
    expect(await validate('docs', '--format', 'github')).toMatchObject({
      exit: 0,
      stdout: `${lines.join('\n')}\n`,
      stderr: `${warnings.join('\n')}\nValid: 1 page in 1 folder; 5 warnings.\n`,
    });
    const failed = await docsctl(
      ['validate', '.', '--format', 'github', '--error', 'broken-link', '--off', 'unlisted-page'],
      { home, cwd: join(home, 'docs'), env: { GITHUB_WORKSPACE: home } },
    );
    expect(failed.exit).toBe(8);
    expect(failed.stdout.split('\n')).toEqual([
      expect.stringMatching(/^::warning file=docs\/SUMMARY\.md,line=2::/),
      expect.stringMatching(/^::warning file=docs\/SUMMARY\.md,line=3::/),
      '::error file=docs/README.md,line=3::links to more/, which is not imported (broken-link)',
      '::error file=docs/README.md,line=3::links to absent.md#a, which does not exist (broken-link)',
      '',
    ]);
    expect(failed.stderr).toContain('error: The check found 2 errors.');
  });

  it('prints annotations for errors of manifests, with escaped texts', async () => {
    write('odd,name%.yaml', 'version: 1\nspaces:\n  guide:\n    titel: "100%"\n');
    const { exit, stdout } = await validate('-f', 'odd,name%.yaml', '--format', 'github');
    expect([exit, stdout]).toEqual([
      8,
      expect.stringMatching(/^::error file=odd%2Cname%25\.yaml,line=4,col=5::.*titel/),
    ]);
    write('broken.yaml', 'version: [\n');
    expect((await validate('-f', 'broken.yaml', '--format', 'github')).stdout).toMatch(
      /^::error file=broken\.yaml,line=\d,col=\d::/,
    );
    expect(await validate('-f', 'none.yaml', '--format', 'github')).toMatchObject({
      stdout: '::error file=none.yaml::does not exist\n',
    });
    expect((await validate('docs', '--format', 'xml')).exit).toBe(8);
  });

  it.each([
    ['{ require_specific_reviewers: true }', 'true is not allowed here; expected a list'],
    ['[{ rule: allow_bypass }]', 'the rule "allow_bypass" needs "users", a list of members'],
    ['{ require_at_least_one_review: [ana@acme.test] }', 'a list is not allowed here; expected true'],
  ])('refuses the merge rules %s, like the API', async (rules, message) => {
    write('rules.yaml', `version: 1\nspaces:\n  guide: { title: Guide, mergeRules: ${rules} }\n`);
    const { exit, stderr } = await validate('-f', 'rules.yaml');
    expect([exit, stderr]).toEqual([8, expect.stringMatching(`^error: rules\\.yaml:3:\\d+: .*${message}`)]);
    write(
      'rules.yaml',
      'version: 1\nspaces:\n  guide: { title: G, mergeRules: { allow_bypass: [a@b.test] } }\n',
    );
    expect((await validate('-f', 'rules.yaml')).exit).toBe(0);
  });

  it('counts more than 10 warnings by their rules', async () => {
    write('many/SUMMARY.md', '* [a](a.md)\n* [b](b.md)\n');
    write('many/a.md', Array.from({ length: 10 }, (_, at) => `[x](gone-${at}.md)`).join('\n\n'));
    expect((await validate('many')).stdout).toBe(
      'Valid: 1 page in 1 folder; 11 warnings (10 broken-link, 1 missing-page).\n',
    );
  });

  it('prints the paths of folders as they were given', async () => {
    const whole = join(home, 'docs');
    expect((await validate(whole)).stderr).toContain(`warning: ${whole}/SUMMARY.md:2: gone.md`);
    expect((await validate('./docs/')).stderr).toContain('warning: docs/SUMMARY.md:2: gone.md');
    expect((await validate(join(home, 'no'))).stderr).toContain(join(home, 'no'));
  });

  it('exits with 8 if a rule with the level error is broken, and still prints other warnings', async () => {
    const one = await validate('docs', '--error', 'broken-link', '--off', 'unlisted-page,repeated-page');
    expect(one).toMatchObject({ exit: 8, stdout: '' });
    expect(one.stderr).toContain(
      `${warnings[0]}\nerror: The check found 2 errors.\n  docs/README.md:3: links to more/, which is not imported (broken-link)\n  docs/README.md:3: links to absent.md#a, which does not exist (broken-link)\n`,
    );
    expect(one.stderr).not.toMatch(/unlisted-page|repeated-page/);
    const all = await validate('docs', '--deny-warnings', '--warn', 'missing-page', '-o', 'json');
    expect(all).toMatchObject({ exit: 8, stdout: '' });
    expect(JSON.parse(all.stderr.slice(all.stderr.indexOf('{')))).toMatchObject({
      error: {
        message: 'The check found 4 errors.',
        violations: [
          { path: 'docs/SUMMARY.md:3' },
          { path: 'docs/more/README.md' },
          { path: 'docs/README.md:3', message: 'links to more/, which is not imported (broken-link)' },
          { path: 'docs/README.md:3', message: 'links to absent.md#a, which does not exist (broken-link)' },
        ],
      },
    });
    expect(
      (await validate('docs', '--deny-warnings', '--off', Object.keys(validationRules).join(','))).exit,
    ).toBe(0);
  });

  it('checks the content folders of a manifest', async () => {
    write(
      'docsctl.yaml',
      'version: 1\nspaces:\n  guide:\n    title: Guide\n    content: { dir: docs, unlisted: hidden }\n',
    );
    const done = await validate('--error', 'broken-link');
    expect(done.exit).toBe(8);
    // This content imports unlisted files as hidden pages.
    expect(done.stderr).not.toContain('unlisted-page');
    expect(await validate('--off', 'broken-link,missing-page,repeated-page')).toMatchObject({
      exit: 0,
      stdout: 'Valid: 1 resource in 1 file (1 space); 2 pages in 1 folder.\n',
      stderr: '',
    });
    const both = await validate('docs', '-f', 'docsctl.yaml', '-o', 'json');
    expect(JSON.parse(both.stdout)).toMatchObject({ resources: 1, folders: [{ dir: 'docs', pages: 2 }] });
  });

  it('checks anchors in given folders and in content folders of a manifest', async () => {
    write('site/README.md', '# Start\n\n[b](b.md#use-it) [c](b.md#2-use-it)\n');
    write('site/b.md', '## 2. Use it\n');
    write('docsctl.yaml', 'version: 1\nspaces:\n  guide:\n    title: Guide\n    content: { dir: site }\n');
    const warning =
      'site/README.md:3: links to b.md#use-it, but b.md has no such anchor; did you mean #2-use-it? (broken-anchor)';
    for (const words of [['site'], ['-f', 'docsctl.yaml']]) {
      expect(await validate(...words)).toMatchObject({ exit: 0, stderr: `warning: ${warning}\n` });
      const refused = await validate(...words, '--error', 'broken-anchor');
      expect([refused.exit, refused.stderr]).toEqual([8, expect.stringContaining(`error: ${warning}.`)]);
      expect(await validate(...words, '--off', 'broken-anchor')).toMatchObject({ exit: 0, stderr: '' });
    }
  });

  it('warns about an import that matches no files', async () => {
    write(
      'docsctl.yaml',
      'version: 1\nimports:\n  conversations:\n    - { files: ["docs/*.csv", "docs/*.md"] }\n',
    );
    expect((await validate()).stderr).toMatch(/^warning: docsctl\.yaml:4:17: .* \(empty-import\)$/m);
    expect((await validate('--error', 'empty-import')).exit).toBe(8);
  });

  it.each([
    [['docs', '--error', 'broken-links'], 8, 'Did you mean broken-link?'],
    [
      ['docs', '--off', 'summary', '--error', 'summary'],
      64,
      'The rule summary is given to --error and to --off.',
    ],
    [['absent'], 8, '/absent.\nhint: Check the path.'],
    [['my docsctl.yaml'], 64, "Run `docsctl validate -f 'my docsctl.yaml'`."],
    [['docs', 'absent', 'missing'], 8, 'The check found 2 errors.'],
    [[], 64, 'There is no docsctl.yaml'],
  ])('refuses %j', async (words, exit, message) => {
    expect(await validate(...words)).toMatchObject({ exit, stderr: expect.stringContaining(message) });
  });
});
