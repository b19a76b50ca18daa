import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGuideStore, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
const put = (path: string, text: string): void => {
  mkdirSync(dirname(desk.at(path)), { recursive: true });
  writeFileSync(desk.at(path), text);
};
beforeEach(async () => {
  desk = await openGuideStore();
  put('docs/.gitbook.yaml', 'root: ./guide\n');
  put('docs/guide/README.md', '# Home\n\n[a](a.md#one)\n');
  put('docs/guide/a.md', '# A\n\n## One\n');
  await desk.done(['spaces', 'import', 'Guide', 'docs']);
  put('docs/guide/README.md', '# Home\n\n[a](a.md#one)\n\nMore.\n\n[new](absent.md)\n');
  put('docs/guide/a.md', '# A\n');
  put('docs/guide/SUMMARY.md', '* [Home](README.md)\n* [A](a.md)\n* [Gone](gone.md)\n');
  put('docsctl.yaml', 'version: 1\nspaces:\n  guide: { title: Guide, content: { dir: docs } }\n');
});
afterEach(() => desk.discard());

const missing =
  '::warning file=docs/guide/SUMMARY.md,line=3::gone.md does not exist and is skipped (missing-page)';
const broken = [
  '::warning file=docs/guide/README.md,line=3::broken link: a.md#one (the page "A" no longer has the anchor #one)',
  '::warning file=docs/guide/README.md,line=7::broken link: absent.md (no page or file has this address)',
];

describe('--format github', () => {
  it.each([[['docs']], [['.', '--root', 'docs']]])(
    'prints annotations for the warnings of spaces import %j and for links that it would break',
    async (source) => {
      const words = ['--dry-run', '--format', 'github', '-o', 'json'];
      const dry = await desk.run(['spaces', 'import', 'Guide', ...source, ...words]);
      expect(dry).toMatchObject({ exit: 0, stderr: expect.stringContaining('Nothing was sent.') });
      expect(dry.stdout.trim().split('\n')).toEqual([missing, ...broken]);
    },
  );

  it('prints annotations for the errors of spaces import', async () => {
    put('docs/.gitbook.yaml', 'root: [\n');
    const { exit, stdout } = await desk.run(['spaces', 'import', 'Guide', 'docs', '--format', 'github']);
    expect([exit, stdout]).toEqual([8, expect.stringMatching(/^::error::\.gitbook\.yaml, line 2/)]);
  });

  it('does not take the port in the URL of a server for a line of a file', async () => {
    const { stdout } = await desk.run(['plan', '--server', 'http://127.0.0.1:1', '--format', 'github']);
    expect(stdout).toMatch(/^::error::http:\/\/127\.0\.0\.1:1 /);
  });

  it('prints annotations below a plan, with paths relative to the working folder', async () => {
    const { stdout } = await desk.done(['plan', '--format', 'github', '-o', 'json']);
    expect(stdout).toContain('Plan: 1 to adopt.');
    expect(stdout.trim().split('\n').slice(-3)).toEqual([missing, ...broken]);
    const markdown = await desk.done(['plan', '--format', 'github', '-o', 'markdown']);
    expect(markdown.stdout).toMatch(/^#.*\n::warning/s);
  });

  it('prints annotations for errors and deprecated fields of a manifest', async () => {
    put('docsctl.yaml', 'version: 1\nspaces:\n  guide: { titel: G }\n');
    const { exit, stdout } = await desk.run(['plan', '--format', 'github']);
    expect([exit, stdout]).toEqual([
      8,
      expect.stringMatching(/^::error file=docsctl\.yaml,line=3,col=\d+::/),
    ]);
    put('docsctl.yaml', 'version: 1\njobs:\n  conversations: [{ files: "none*.csv" }]\n');
    const empty = await desk.run(['plan', '--format', 'github']);
    expect([empty.exit, empty.stdout]).toEqual([
      0,
      expect.stringMatching(/\n::warning file=docsctl\.yaml,line=\d,col=\d+::/),
    ]);
  });
});
