import { readFileSync, writeFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { scripts } from '../src/cli/completion-scripts.ts';
import { docsctl, type CliOptions } from './support/cli.ts';

const folder = fileURLToPath(new URL('../completions', import.meta.url));
const files = { bash: 'docsctl.bash', zsh: '_docsctl', fish: 'docsctl.fish', powershell: 'docsctl.ps1' } as const;

describe('completions', () => {
  it.each(Object.entries(files))('of %s in completions/ are what `docsctl completion` prints', (shell, file) => {
    const path = join(folder, file);
    if (process.env['RECORD'] !== undefined) writeFileSync(path, scripts[shell as keyof typeof files]);
    expect(readFileSync(path, 'utf8')).toBe(scripts[shell as keyof typeof files]);
  });

  let options: CliOptions;
  const complete = async (...words: string[]) =>
    (await docsctl(['__complete', ...words], options)).stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t')[0]!);

  beforeAll(async () => {
    const home = mkdtempSync(join(tmpdir(), 'docsctl-complete-'));
    options = { home, env: { DOCSCTL_STORE: `sqlite:${join(home, 'store.db')}` } };
    await docsctl(['init', '--org-title', 'Acme', '--email', 'ana@acme.test'], options);
    await docsctl(['collections', 'create', '--title', 'Product'], options);
    await docsctl(['sites', 'create', '--title', 'Docs'], options);
    await docsctl(['spaces', 'create', '--title', 'Guide'], options);
    await docsctl(['sites', 'sections', 'add', 'Guide', '--site', 'Docs', '--title', 'Guides'], options);
  });

  it.each([
    ['nouns', ['col'], ['collections']],
    ['verbs', ['collections', 'mo'], ['move']],
    ['inner nouns', ['sites', 'sec'], ['section-groups', 'sections']],
    ['verbs of inner nouns', ['sites', 'sections', 'up'], ['update']],
    ['flags', ['collections', 'list', '--ne'], ['--nested']],
    ['formats', ['collections', 'list', '-o', 'js'], ['json']],
    ['enum values', ['collections', 'update', 'x', '--default-level', 're'], ['read', 'review']],
    ['titles by position', ['collections', 'get', 'Pro'], ['Product']],
    ['titles of a flag', ['sites', 'sections', 'list', '--site', 'Do'], ['Docs']],
    ['names below a parent that is given', ['sites', 'sections', 'update', '--site', 'Docs', 'gui'], ['guides']],
  ])('%s', async (_, words, expected) => {
    expect((await complete(...words)).sort()).toEqual(expected);
  });

  it('says nothing where the store cannot be read', async () => {
    expect(await docsctl(['__complete', 'collections', 'get', ''], { ...options, env: { DOCSCTL_STORE: 'nonsense' } })).toMatchObject({ stdout: '', stderr: '' });
  });
});
