import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { docsctl, splitWords, type Ran } from '../../../support/cli.ts';

let home: string;
const env = () => ({
  DOCSCTL_STORE: `sqlite:${join(home, 'store.db')}`,
  DOCSCTL_CONFIG_DIR: join(home, 'config'),
  DOCSCTL_TRANSLATION: 'pseudo',
});
const run = (line: string, more: Record<string, string> = {}): Promise<Ran> =>
  docsctl(splitWords(line), { home, env: { ...env(), ...more } });

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'docsctl-translations-'));
  mkdirSync(join(home, 'guide'));
  writeFileSync(
    join(home, 'guide/README.md'),
    '---\ndescription: How to start\n---\n\n# Start\n\nRun `npm i`, then see [more](more.md).\n',
  );
  writeFileSync(join(home, 'guide/more.md'), '# More\n\nWords of Acme.\n');
  writeFileSync(join(home, 'glossary.md'), 'Do not translate: Acme\n');
  expect((await run('init --org-title Acme --email ana@acme.test -o none')).exit).toBe(0);
  expect((await run('spaces create --title Guide -o none')).exit).toBe(0);
  expect((await run('spaces import Guide guide -o none')).exit).toBe(0);
});
afterAll(() => rmSync(home, { recursive: true }));

describe('docsctl translations', () => {
  let id: string;

  it('create --wait creates a translated space, which can be exported', async () => {
    const { exit, stdout, stderr } = await run(
      `translations create --space Guide --from en --language fr --instructions @${join(home, 'glossary.md')} --wait -o json`,
    );
    expect([exit, stderr]).toEqual([0, '']);
    const translation = JSON.parse(stdout) as { id: string; result: { space: string } };
    expect(translation).toMatchObject({ status: 'completed', stats: { runs: 1, latestPages: 2 } });
    ({ id } = translation);
    expect((await run(`spaces export ${translation.result.space} out`)).exit).toBe(0);
    expect(readFileSync(join(home, 'out/README.md'), 'utf8')).toBe(
      '---\ndescription: ⟦Ĥóŵ ţó šţáŕţ ···⟧\n---\n\n# ⟦Šţáŕţ ·⟧\n\n⟦Ŕúñ `npm i`, ţĥéñ šéé [ɱóŕé](more.md). ·····⟧\n',
    );
    expect(readFileSync(join(home, 'out/more.md'), 'utf8')).toBe('# ⟦Ṁóŕé ·⟧\n\n⟦Ŵóŕðš óƒ Acme. ··⟧\n');
  });

  it('create --wait creates nothing if no translation service is configured', async () => {
    const create = 'translations create --space Guide --from en --language it --wait';
    for (const [settings, exit, message] of [
      [{ DOCSCTL_TRANSLATION: '' }, 6, 'DOCSCTL_TRANSLATION is not set. Nothing was created.'],
      [{ DOCSCTL_TRANSLATION: 'none' }, 8, 'names an unknown service: "none". Nothing was created.'],
      [{ DOCSCTL_TRANSLATION: 'deepl' }, 8, 'DOCSCTL_DEEPL_KEY is not set. Nothing was created.'],
    ] as const)
      expect(await run(create, settings)).toMatchObject({
        exit,
        stdout: '',
        stderr: expect.stringContaining(message),
      });
    const { items } = JSON.parse((await run('translations list -o json')).stdout);
    expect(items.map((item: { id: string }) => item.id)).toEqual([id]);
  });

  it('create says that --source takes an object, and names --space instead', async () => {
    expect(await run('translations create --source Guide --language fr')).toMatchObject({
      exit: 8,
      stderr: expect.stringMatching(
        /^error: --source must be an object, not "Guide"\.\nhint: Instead, you can give --space SPACE\./,
      ),
    });
  });

  it('run --wait updates the translation, and translates nothing the second time', async () => {
    writeFileSync(join(home, 'guide/more.md'), '# More\n\nOther words.\n');
    expect((await run('spaces import Guide guide -o none')).exit).toBe(0);
    const { exit, stdout } = await run(`translations run ${id} --wait -o json`);
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'completed',
      stats: { runs: 2, latestPages: 1, latestWords: 2 },
    });
    expect(JSON.parse((await run(`translations run ${id} --wait -o json`)).stdout)).toMatchObject({
      stats: { runs: 3, latestPages: 0, latestWords: 0 },
    });
  });

  it('create --wait reports why it failed and what was kept, and run continues later', async () => {
    const failed = await run('translations create --space Guide --from en --language de --wait', {
      DOCSCTL_TRANSLATION: 'deepl',
      DOCSCTL_DEEPL_KEY: 'x',
      DOCSCTL_DEEPL_URL: 'http://user:password@localhost',
    });
    expect(failed.exit).toBe(11);
    expect(failed.stderr).toMatch(
      /^error: The translation failed: .*\nhint: .*The translation stays, .*translations run tra_\w+ --wait.*translations delete tra_/,
    );
    const later = await run(
      `translations run ${/translations run (tra_\w+)/.exec(failed.stderr)![1]!} --wait -o json`,
    );
    expect(JSON.parse(later.stdout)).toMatchObject({ status: 'completed', language: 'de' });
  });

  const pending =
    'A job is queued. If a server uses this store, the server runs it. Otherwise, run `docsctl jobs run`.\n';

  it('accepts the title of the space or the language as the name of a translation, and completes it', async () => {
    for (const name of ['fr', 'French', '"guide (french)"'])
      expect((await run(`translations get ${name} -o id`)).stdout).toBe(`${id}\n`);
    expect(await run('translations get Guide')).toMatchObject({
      exit: 5,
      stderr: expect.stringContaining('Did you mean "Guide (French)" or "Guide (German)"?'),
    });
    expect((await run("__complete translations run ''")).stdout).toContain(`Guide (French)\t${id}\n`);
    expect((await run(`__complete translations run ${id.slice(0, 6)}`)).stdout).toContain(
      `${id}\tGuide (French)\n`,
    );
    expect((await run('spaces update "Guide (German)" --title "Guide (French)" -o none')).exit).toBe(0);
    expect(await run('translations delete "Guide (French)" -y')).toMatchObject({
      exit: 5,
      stderr: expect.stringMatching(
        /matches 2 translations: tra_\w+ \(Guide \(French\), fr, French, created [^)]+\), tra_/,
      ),
    });
  });

  it('list shows titles of spaces in tables, and IDs in JSON', async () => {
    const drawn = (
      await docsctl(splitWords('translations list'), { home, env: env(), tty: true })
    ).stdout.split('\n');
    expect(drawn[0]!.split(/ {2,}/).map((title) => title.trim())).toEqual([
      'title',
      'status',
      'language',
      'from',
      'untranslated',
      'updated',
    ]);
    expect(drawn[2]).toMatch(/^Guide \(French\) +completed +fr +Guide +0 /);
    const { items } = JSON.parse((await run('translations list -o json')).stdout) as { items: object[] };
    expect(items[0]).not.toHaveProperty('title');
    expect((await run('translations list')).stdout).toMatch(/^language\tsource\.language\tstatus\t/);
    expect((await run('translations list --columns title,from')).stdout).toContain('Guide (French)\tGuide\n');
    expect((await run('translations get fr')).stdout).toContain('stats.untranslated\t0\n');
  });

  it('notes a queued job, and update waits for it with --wait', async () => {
    expect((await run('translations run fr')).stderr).toBe(pending);
    expect((await run("translations update fr --instructions '- other: autre'")).stderr).toBe(pending);
    expect((await run('translations create --space Guide --from en --language it')).stderr).toBe(pending);
    expect((await run('translations run fr it')).stderr).toBe(
      'The jobs are queued. If a server uses this store, the server runs them. Otherwise, run `docsctl jobs run`.\n',
    );
    const { stdout, stderr } = await run(
      "translations update fr --instructions '- other: autre' --wait -o json",
    );
    expect([stderr, JSON.parse(stdout)]).toEqual(['', expect.objectContaining({ status: 'completed' })]);
    // The instructions are the same, so no job is queued.
    expect((await run("translations update fr --instructions '- other: autre'")).stderr).toBe('');
    expect((await run("translations update --translation fr --instructions '- other: autre'")).exit).toBe(0);
    expect((await run("translations update --instructions '- other: autre'")).exit).toBe(64);
    expect(await run('translations update fr')).toMatchObject({
      exit: 64,
      stderr: expect.stringContaining('--instructions is missing.'),
    });
  });

  it('keeps manual edits when instructions change, and reports how many were kept or replaced', async () => {
    const { result } = JSON.parse((await run('translations get fr -o json')).stdout) as {
      result: { space: string };
    };
    writeFileSync(join(home, 'more.md'), '# ⟦Ṁóŕé ·⟧\n\nMES MOTS.\n');
    expect((await run(`pages edit ${result.space} more --file more.md --merge -o none`)).exit).toBe(0);
    const { stderr } = await run("translations update fr --instructions '- words: mots' --wait -o none");
    expect(stderr).toBe('1 manual edit kept, although the text there was translated again.\n');
    expect((await run(`pages show more --space ${result.space}`)).stdout).toContain('MES MOTS.');
    writeFileSync(join(home, 'guide/more.md'), '# More\n\nOther words again.\n');
    expect((await run('spaces import Guide guide -o none')).exit).toBe(0);
    expect((await run('translations run fr --wait -o none')).stderr).toBe(
      '1 manual edit replaced because the source changed there. The earlier text is in the history of the space.\n',
    );
  });

  it('create prints the request with --dry-run, and requires a space and a language', async () => {
    expect(
      JSON.parse(
        (await run('translations create --space Guide --from en --language es --dry-run -o json')).stdout,
      ),
    ).toMatchObject({
      method: 'POST',
      body: { source: { space: expect.stringMatching(/^spc_/), language: 'en' }, language: 'es' },
    });
    expect((await run('translations create --from en --language es')).exit).toBe(64);
    const unset = await run('translations create --space Guide --language es --dry-run');
    expect([unset.exit, unset.stderr]).toEqual([
      64,
      expect.stringContaining('Give it with --from, or set it'),
    ]);
    await run('spaces update Guide --language nl');
    const { stdout } = await run('translations create --space Guide --language es --dry-run -o json');
    expect(JSON.parse(stdout).body.source).toMatchObject({ language: 'nl' });
    await run('spaces update Guide --language en');
  });

  it('create exits with 3 if the service returns no usable translation', async () => {
    const server = createServer((_, response) => void response.end('{"translatedText":[]}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const failed = await run('translations create --space Guide --from en --language sv --wait', {
        DOCSCTL_TRANSLATION: 'libretranslate',
        DOCSCTL_LIBRETRANSLATE_URL: url,
      });
      expect(failed).toMatchObject({
        exit: 3,
        stderr: expect.stringContaining(
          'Nothing was translated: the service returned no usable translation for',
        ),
      });
    } finally {
      server.close();
    }
  });
});
