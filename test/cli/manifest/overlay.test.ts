import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGuideStore, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
  mkdirSync(desk.at('pages'));
  writeFileSync(desk.at('pages', 'README.md'), '# Hello\n');
  put(
    'docsctl.yaml',
    'vars: { env: test }\nspaces:\n  manual: { title: "Manual ${var.env}", emoji: "📘", content: { dir: pages } }\n  draft: { title: Draft }\n',
  );
  put(
    'docsctl.production.yaml',
    'overlay: true\nvars: { env: live }\nspaces:\n  manual: { emoji: null, protect: true }\n  draft: null\n  status: { title: Status }\n',
  );
});
afterEach(() => desk.discard());

const put = (name: string, text: string): void => writeFileSync(desk.at(name), `version: 1\n${text}`);
const both = ['-f', 'docsctl.yaml', '-f', 'docsctl.production.yaml'];
const titles = async (): Promise<string[]> =>
  JSON.parse((await desk.done(['spaces', 'list', '--all', '-o', 'json'])).stdout)
    .items.map(({ title }: { title: string }) => title)
    .sort();

describe('an overlay of a manifest', () => {
  it('is validated, planned, rehearsed and applied with its manifest', async () => {
    await desk.done(['validate', ...both]);
    const { stdout } = await desk.done(['plan', ...both]);
    expect(stdout).toContain('+ space.manual "Manual live"  docsctl.production.yaml:5:3');
    expect(stdout).toContain('+ space.status "Status"  docsctl.production.yaml:7:3');
    expect(stdout).not.toContain('Draft');
    expect((await desk.run(['rehearse', ...both])).exit).toBe(0);
    await desk.done(['apply', '-y', ...both]);
    expect(await titles()).toEqual(['Guide', 'Manual live', 'Status']);
    expect(await desk.run(['plan', '--detailed-exitcode', ...both])).toMatchObject({
      exit: 0,
      stdout: 'No changes.\n',
    });
    expect((await desk.run(['drift', ...both, '--detailed-exitcode'])).exit).toBe(0);
  });

  it('is read only if it is named, so that the same folder serves both environments', async () => {
    await desk.done(['apply', '-y']);
    expect(await titles()).toEqual(['Draft', 'Guide', 'Manual test']);
    const { stdout } = await desk.done(['plan', ...both]);
    expect(stdout).toContain('title: "Manual test" → "Manual live"');
    expect(stdout).toContain('kept without --prune: space.draft');
  });

  it('is not changed by an export into its folder, and not read by the next plan', async () => {
    await desk.done(['apply', '-y', ...both]);
    const before = readFileSync(desk.at('docsctl.production.yaml'), 'utf8');
    await desk.done(['export', '-d', '.', '--force']);
    expect(readFileSync(desk.at('docsctl.production.yaml'), 'utf8')).toBe(before);
    expect(await desk.run(['plan', '--detailed-exitcode'])).toMatchObject({ exit: 0 });
  });

  it('is named with its own lines in errors', async () => {
    const stderr = async (text: string) => {
      put('docsctl.production.yaml', `overlay: true\n${text}`);
      const { exit, stderr: said } = await desk.run(['validate', ...both]);
      expect(exit).toBe(8);
      return said;
    };
    expect(await stderr('spaces: { manual: { titel: X } }\n')).toContain(
      'docsctl.production.yaml:3:21: "titel" is not a known field; did you mean "title"?',
    );
    expect(await stderr('spaces: { manual: { emoji: 7 } }\n')).toContain(
      'docsctl.production.yaml:3:28: 7 must be text',
    );
    expect(await stderr('spaces: { manul: null }\n')).toContain(
      'docsctl.production.yaml:3:11: the manifest has no "spaces.manul" to remove; did you mean "manual"?',
    );
    expect(await stderr('spaces: { manual: { parent: !ref collection.x } }\n')).toContain(
      'docsctl.production.yaml:3:29: the manifest has no collection.x',
    );
    const { stderr: alone } = await desk.run(['plan', '-f', 'docsctl.production.yaml']);
    expect(alone).toContain('also name that manifest with -f');
  });
});
