import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { docsctl, splitWords, type Ran } from '../support/cli.ts';

let home: string;
const env = () => ({ DOCSCTL_STORE: `sqlite:${join(home, 'store.db')}`, DOCSCTL_CONFIG_DIR: join(home, 'config') });
const run = (line: string, more: Record<string, string> = {}): Promise<Ran> => docsctl(splitWords(line), { home, env: { ...env(), ...more } });

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'docsctl-translations-'));
  mkdirSync(join(home, 'guide'));
  writeFileSync(join(home, 'guide/README.md'), '---\ndescription: How to start\n---\n\n# Start\n\nRun `npm i`, then see [more](more.md).\n');
  writeFileSync(join(home, 'guide/more.md'), '# More\n\nWords of Acme.\n');
  writeFileSync(join(home, 'glossary.md'), 'Do not translate: Acme\n');
  expect((await run('init --org-title Acme --email ana@acme.test -o none')).exit).toBe(0);
  expect((await run('spaces create --title Guide -o none')).exit).toBe(0);
  expect((await run('spaces import Guide guide -o none')).exit).toBe(0);
});
afterAll(() => rmSync(home, { recursive: true }));

describe('translations', () => {
  let id: string;

  it('create --wait gives a space that is translated, which exports as it was imported', async () => {
    const { exit, stdout, stderr } = await run(`translations create --space Guide --from en --language fr --instructions @${join(home, 'glossary.md')} --wait -o json`);
    expect([exit, stderr]).toEqual([0, '']);
    const translation = JSON.parse(stdout) as { id: string; result: { space: string } };
    expect(translation).toMatchObject({ status: 'completed', stats: { runs: 1, latestPages: 2 } });
    ({ id } = translation);
    expect((await run(`spaces export ${translation.result.space} out`)).exit).toBe(0);
    expect(readFileSync(join(home, 'out/README.md'), 'utf8')).toBe('---\ndescription: ⟦Ĥóŵ ţó šţáŕţ ···⟧\n---\n\n# ⟦Šţáŕţ ·⟧\n\n⟦Ŕúñ `npm i`, ţĥéñ šéé [ɱóŕé](more.md). ·····⟧\n');
    expect(readFileSync(join(home, 'out/more.md'), 'utf8')).toBe('# ⟦Ṁóŕé ·⟧\n\n⟦Ŵóŕðš óƒ Acme. ··⟧\n');
  });

  it('run --wait brings it up to date, and does nothing twice', async () => {
    writeFileSync(join(home, 'guide/more.md'), '# More\n\nOther words.\n');
    expect((await run('spaces import Guide guide -o none')).exit).toBe(0);
    const { exit, stdout } = await run(`translations run ${id} --wait -o json`);
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'completed', stats: { runs: 2, latestPages: 1, latestWords: 2 } });
    expect(JSON.parse((await run(`translations run ${id} --wait -o json`)).stdout)).toMatchObject({ stats: { runs: 3, latestPages: 0, latestWords: 0 } });
  });

  it('says what keeps it from being made, and goes on later', async () => {
    const failed = await run('translations create --space Guide --from en --language de --wait', { DOCSCTL_TRANSLATION: 'deepl' });
    expect(failed.exit).toBe(6);
    expect(failed.stderr).toContain('DeepL needs a key.');
    expect(failed.stderr).toMatch(/hint: Set DOCSCTL_DEEPL_KEY\./);
    expect(failed.stderr).toMatch(/hint: .*translations run tra_\w+ --wait/);
    const later = await run(`translations run ${/translations run (tra_\w+)/.exec(failed.stderr)![1]!} --wait -o json`);
    expect(JSON.parse(later.stdout)).toMatchObject({ status: 'completed', language: 'de' });
  });

  it('shows what it would send, and asks which space', async () => {
    expect(JSON.parse((await run('translations create --space Guide --from en --language es --dry-run -o json')).stdout)).toMatchObject({
      method: 'POST',
      body: { source: { space: expect.stringMatching(/^spc_/), language: 'en' }, language: 'es' },
    });
    expect((await run('translations create --from en --language es')).exit).toBe(64);
  });
});
