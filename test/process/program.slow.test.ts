import { execa } from 'execa';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const bin = fileURLToPath(new URL('../../bin/docsctl.js', import.meta.url));
const node = process.env['DOCSCTL_NODE'] ?? process.execPath;
let home: string;

interface More {
  readonly env?: Record<string, string>;
  readonly input?: string;
}

/** Runs the built program without a terminal. */
async function docsctl(words: readonly string[], { env, input = '' }: More = {}) {
  const done = await execa(node, [bin, ...words], {
    cwd: home,
    env: {
      DOCSCTL_CONFIG_DIR: join(home, 'config'),
      DOCSCTL_STORE: `sqlite:${join(home, 'store.db')}`,
      NODE_OPTIONS: '',
      ...env,
    },
    extendEnv: true,
    input,
    reject: false,
    timeout: 60_000,
  });
  return { exit: done.exitCode, stdout: done.stdout, stderr: done.stderr };
}

beforeAll(async () => {
  if (!existsSync(fileURLToPath(new URL('../../dist/main.js', import.meta.url))))
    throw new Error('run `npm run build` first: these tests run the built program');
  home = mkdtempSync(join(tmpdir(), 'docsctl-process-'));
  const made = await docsctl(['init', '--org-title', 'Acme', '--email', 'ana@acme.test', '-o', 'json']);
  expect({ exit: made.exit, user: JSON.parse(made.stdout).user.email }).toEqual({
    exit: 0,
    user: 'ana@acme.test',
  });
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('the built program', () => {
  it('prints its version and its help, and nothing on stderr', async () => {
    const version = (
      JSON.parse(readFileSync(fileURLToPath(new URL('../../package.json', import.meta.url)), 'utf8')) as {
        version: string;
      }
    ).version;
    expect(await docsctl(['--version'])).toEqual({ exit: 0, stdout: version, stderr: '' });
    const help = await docsctl(['--help']);
    expect(help).toMatchObject({ exit: 0, stderr: '' });
    for (const noun of ['spaces', 'sites', 'conversations', 'translations', 'integrations'])
      expect(help.stdout).toContain(noun);
    expect((await docsctl(['help', 'sites', 'sections', 'add'])).stdout).toContain('--title');
  });

  it('writes results to stdout and everything else to stderr', async () => {
    const made = await docsctl(['collections', 'create', '--title', 'One', '-o', 'json']);
    expect(JSON.parse(made.stdout)).toMatchObject({ title: 'One' });
    const listed = await docsctl(['collections', 'list', '--limit', '1', '-o', 'id']);
    expect(listed.stdout).toMatch(/^col_\w+$/);
    await docsctl(['collections', 'create', '--title', 'Two']);
    expect((await docsctl(['collections', 'list', '--limit', '1'])).stderr).toContain('--all');
  });

  it.each([
    [['spaces', 'get', 'Nowhere'], 5],
    [['collections', 'create', '--title', 'x'.repeat(51)], 8],
    [['collections', 'delete', 'One'], 9],
    [['collections', 'list', '--wrong'], 64],
    [['nonsense'], 64],
    [['spaces', 'list', '-o', 'wrong'], 8],
    [['collections', 'list', '--query', '[[['], 8],
    [['collections', 'create', '--body', 'absent.json'], 8],
    [['collections', 'list', '--server', 'http://127.0.0.1:9'], 69],
    [['collections', 'list', '--store', 'mysql:x'], 8],
  ])('exits %j with %i, one clear error and no stack trace', async (words, exit) => {
    const done = await docsctl(words, {
      env: words.includes('--server') ? { DOCSCTL_STORE: '', DOCSCTL_TOKEN: 'x' } : {},
    });
    expect([words, done.exit, done.stdout]).toEqual([words, exit, '']);
    expect(done.stderr).toMatch(/^error: /);
    expect(done.stderr).not.toMatch(/\n\s+at /);
  });

  it('prints an error as one JSON object with -o json', async () => {
    const { exit, stdout, stderr } = await docsctl(['spaces', 'get', 'Nowhere', '-o', 'json']);
    expect({ exit, stdout }).toEqual({ exit: 5, stdout: '' });
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 404, reason: 'not-found' } });
  });

  it('exits with 0 when the reader of its output exits', async () => {
    const done = await execa(
      'bash',
      ['-c', `"${node}" "${bin}" commands -o ndjson | head -1; echo "\${PIPESTATUS[0]}"`],
      {
        env: { DOCSCTL_CONFIG_DIR: join(home, 'config') },
        reject: false,
      },
    );
    expect(done.stderr).toBe('');
    expect(done.stdout.split('\n').at(-1)).toBe('0');
  });

  it.skipIf(!existsSync('/dev/full')).each(['--version', 'spaces list', 'help exit-codes'])(
    'reports once that the output of `%s` cannot be written, without a stack trace',
    async (words) => {
      const script = `"${node}" "${bin}" ${words} > /dev/full`;
      const env = {
        DOCSCTL_STORE: `sqlite:${join(home, 'store.db')}`,
        DOCSCTL_CONFIG_DIR: join(home, 'config'),
      };
      const { exitCode, stderr } = await execa('bash', ['-c', script], { env, reject: false });
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(
        /^error: Writing to standard output failed: the disk is full\.(\nhint: [^\n]+)?$/,
      );
    },
  );

  it('keeps the old token of tokens rotate if nobody reads the new one', async () => {
    const { stdout: id } = await docsctl(['tokens', 'create', '--role', 'read', '--name', 'ci', '-o', 'id']);
    const script = `"${node}" "${bin}" tokens rotate ${id} --yes | true; exit "\${PIPESTATUS[0]}"`;
    const env = {
      DOCSCTL_STORE: `sqlite:${join(home, 'store.db')}`,
      DOCSCTL_CONFIG_DIR: join(home, 'config'),
    };
    const { exitCode, stderr } = await execa('bash', ['-c', script], { env, reject: false });
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining(`was not read. The existing token ${id} is not deleted.`),
    ]);
    const { stdout: ids } = await docsctl(['tokens', 'list', '-o', 'id']);
    expect(ids.split('\n')).toContain(id);
  });

  it('uses no color in a pipe, or with NO_COLOR', async () => {
    for (const env of [{}, { NO_COLOR: '1', FORCE_COLOR: '1' }])
      expect((await docsctl(['collections', 'list'], { env })).stdout).not.toContain('\u001b');
  });

  it('makes store and settings readable only for their owner', async () => {
    await docsctl(['login', '--store', `sqlite:${join(home, 'store.db')}`, '--name', 'local']);
    for (const path of ['store.db', 'config/config.json'])
      expect([path, (statSync(join(home, path)).mode & 0o777).toString(8)]).toEqual([path, '600']);
  });

  it('reads IDs from standard input', async () => {
    const ids = (await docsctl(['collections', 'list', '-o', 'id', '--all'])).stdout;
    const done = await docsctl(['collections', 'get', '-', '-o', 'json'], { input: `${ids}\n` });
    expect(JSON.parse(done.stdout).items).toHaveLength(ids.split('\n').length);
  });

  it('refuses a deeply nested YAML body without crashing', async () => {
    writeFileSync(join(home, 'deep.yaml'), '['.repeat(20_000));
    expect((await docsctl(['collections', 'create', '--body', 'deep.yaml'])).exit).toBe(8);
  });
});

describe.each(['sqlite:many.db', 'json:many.json'])(
  'several processes on %s',
  { timeout: 60_000 },
  (store) => {
    it('lose no changes and apply none twice', async () => {
      const env = { DOCSCTL_STORE: store };
      await docsctl(['init', '--org-title', 'Acme', '--email', 'ana@acme.test'], { env });
      const worker = async (name: number) => {
        const exits: (number | undefined)[] = [];
        for (let turn = 0; turn < 3; turn++)
          exits.push((await docsctl(['collections', 'create', '--title', `${name}-${turn}`], { env })).exit);
        return exits;
      };
      const exits = (await Promise.all(Array.from({ length: 4 }, (_, name) => worker(name)))).flat();
      expect(exits).toEqual(exits.map(() => 0));
      const titles = (
        await docsctl(['collections', 'list', '--all', '-o', 'tsv', '--columns', 'title', '--no-headers'], {
          env,
        })
      ).stdout.split('\n');
      expect(titles.sort()).toEqual(
        Array.from({ length: 12 }, (_, index) => `${Math.floor(index / 3)}-${index % 3}`),
      );
    });
  },
);

describe('conversations ingest', () => {
  const conversation = (id: number, body = 'Where is my card?') =>
    JSON.stringify({ id: `c-${id}`, subject: 'Card', parts: [{ type: 'message', role: 'user', body }] });

  it('imports a file once, and reports unchanged conversations the second time', async () => {
    writeFileSync(
      join(home, 'in.ndjson'),
      Array.from({ length: 1200 }, (_, id) => conversation(id)).join('\n'),
    );
    expect((await docsctl(['conversations', 'ingest', '-f', 'in.ndjson'])).stderr).toMatch(
      /^The conversations are not analyzed yet\. .*\n1200 new, 0 changed, 0 unchanged, 0 failed\.$/,
    );
    expect((await docsctl(['conversations', 'ingest', '-f', 'in.ndjson'])).stderr).toBe(
      '0 new, 0 changed, 1200 unchanged, 0 failed.',
    );
  });

  it('imports the valid lines, reports the invalid ones, and exits with 3', async () => {
    const input = [conversation(5000), '{broken', '{"id":""}', conversation(5001)].join('\n');
    const done = await docsctl(['conversations', 'ingest', '-f', '-', '--rejects', 'rejects.ndjson'], {
      input,
    });
    expect(done.exit).toBe(3);
    expect(done.stderr).toContain('2 new, 0 changed, 0 unchanged, 2 failed.');
    expect(
      readFileSync(join(home, 'rejects.ndjson'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { line: number }).line),
    ).toEqual([2, 3]);
  });
});

describe('signals and pipes', () => {
  it('SIGINT stops an ingest that waits for input, keeps stored conversations and exits with 130', async () => {
    const env = { DOCSCTL_STORE: 'sqlite:stopped.db', DOCSCTL_CONFIG_DIR: join(home, 'config') };
    await docsctl(['init', '--org-title', 'Acme', '--email', 'ana@acme.test'], { env });
    const running = execa(node, [bin, 'conversations', 'ingest', '-f', '-'], {
      cwd: home,
      env,
      stdin: 'pipe',
      reject: false,
    });
    const lines = Array.from({ length: 600 }, (_, id) =>
      JSON.stringify({ id: `s-${id}`, parts: [{ type: 'message', role: 'user', body: 'Hello' }] }),
    );
    running.stdin.write(`${lines.join('\n')}\n`);
    const count = async () =>
      (
        JSON.parse(
          (await docsctl(['conversations', 'list', '--limit', '1', '-o', 'json'], { env })).stdout,
        ) as { count: number }
      ).count;
    while ((await count()) < 500);
    running.kill('SIGINT');
    const done = await running;
    expect(done.exitCode).toBe(130);
    expect(done.stderr).toContain('Stopped before the end: 500 new');
    expect(await count()).toBe(500);
  });

  it('a token can be read from a pipe of the shell, but a named pipe is refused', async () => {
    const pipe = join(home, 'token-pipe');
    await execa('mkfifo', [pipe]);
    const line = `printf secret | "${node}" "${bin}" config explain -o json --token-file`;
    const options = { cwd: home, env: { DOCSCTL_CONFIG_DIR: join(home, 'config') }, reject: false } as const;
    const piped = await execa('sh', ['-c', `${line} /dev/fd/0`], options);
    expect([piped.exitCode, piped.stdout]).toEqual([0, expect.stringContaining('"from": "/dev/fd/0"')]);
    const named = await execa('sh', ['-c', `${line} ${pipe}`], options);
    expect([named.exitCode, named.stderr]).toEqual([8, expect.stringContaining('is not a regular file')]);
  });

  it.each([
    ['spaces create --body', '{"title": "Piped"}', 'error: Interrupted. Nothing was changed.'],
    ['conversations ingest -f', '[{"id": "c1", "parts": []}]', 'Stopped before the end: 0 new'],
  ])(
    'a named pipe can be read with %s, and SIGTERM stops a command that waits for it',
    async (line, text, told) => {
      const pipe = join(home, `pipe-${line.length}`);
      await execa('mkfifo', [pipe]);
      const words = [...line.split(' '), pipe];
      const env = {
        DOCSCTL_STORE: `sqlite:${join(home, 'store.db')}`,
        DOCSCTL_CONFIG_DIR: join(home, 'config'),
      };
      const options = { cwd: home, env, reject: false, timeout: 20_000, forceKillAfterDelay: 1000 } as const;
      const waiting = execa(node, [bin, ...words], options);
      await setTimeout(3000);
      waiting.kill('SIGTERM');
      const stopped = await waiting;
      expect([stopped.exitCode, stopped.stderr]).toEqual([143, expect.stringContaining(told)]);
      const [written, made] = await Promise.all([
        execa('sh', ['-c', `echo '${text}' > ${pipe}`], options),
        execa(node, [bin, ...words], options),
      ]);
      expect([written.exitCode, made.exitCode]).toEqual([0, 0]);
    },
  );
});

describe('protection from harmful input', () => {
  it('refuses a file of rejects that exists, whether it is the input or the store', async () => {
    const line = JSON.stringify({ id: 'x', parts: [{ type: 'message', role: 'user', body: 'Hello' }] });
    writeFileSync(join(home, 'input.ndjson'), `${line}\n{bad\n`);
    for (const path of ['input.ndjson', 'store.db']) {
      const size = statSync(join(home, path)).size;
      expect((await docsctl(['conversations', 'ingest', '-f', 'input.ndjson', '--rejects', path])).exit).toBe(
        8,
      );
      expect(
        (await docsctl(['conversations', 'ingest', '-f', 'input.ndjson', '--rejects', path, '--resume']))
          .exit,
      ).toBe(8);
      expect(statSync(join(home, path)).size).toBe(size);
    }
  });

  it('reports rejected lines again with --resume, and keeps their file', async () => {
    writeFileSync(join(home, 'half.ndjson'), '{"id":"h1","parts":[]}\n{bad\n');
    for (const turn of [1, 2]) {
      const done = await docsctl([
        'conversations',
        'ingest',
        '-f',
        'half.ndjson',
        '--rejects',
        'half.bad',
        '--resume',
      ]);
      expect([turn, done.exit]).toEqual([turn, 3]);
      expect(readFileSync(join(home, 'half.bad'), 'utf8').trim().split('\n')).toHaveLength(turn);
    }
  });

  it.each([
    [
      'a store in a folder that cannot be created',
      ['init', '--org-title', 'Acme', '--email', 'a@acme.test', '--store', 'sqlite:/proc/x/y.db'],
      69,
    ],
    ['a store that does not exist', ['spaces', 'list', '--store', 'sqlite:typo/y.db'], 69],
    ['serving a store that does not exist', ['serve', '--store', 'json:typo.json'], 69],
    ['an endless token file', ['spaces', 'list', '--token-file', '/dev/zero'], 8],
    ['half a surrogate pair', ['collections', 'create', '--body', 'half.json'], 8],
    ['bytes that are not text', ['collections', 'create', '--body', 'bytes.json'], 8],
    ['an unknown YAML tag', ['collections', 'create', '--body', 'tag.yaml'], 8],
    ['equal YAML keys', ['collections', 'create', '--body', 'twice.yaml'], 8],
  ])('refuses %s', async (_, words, exit) => {
    writeFileSync(join(home, 'half.json'), '{"title":"a\\ud800b"}');
    writeFileSync(join(home, 'bytes.json'), Buffer.from('{"title":"a\xff\xfeb"}', 'latin1'));
    writeFileSync(join(home, 'tag.yaml'), 'title: !foo x\n');
    writeFileSync(join(home, 'twice.yaml'), 'title: x\ntitle: y\n');
    const done = await docsctl(words);
    expect([done.exit, done.stdout]).toEqual([exit, '']);
    expect(done.stderr).toMatch(/^error: /);
  });

  it('escapes unknown words in errors', async () => {
    const { exit, stderr } = await docsctl(['spaces', '\u001b]0;x\u0007']);
    expect(exit).toBe(64);
    expect(stderr).not.toMatch(/[\u0007\u001b]/);
  });
});

describe('spaces import', () => {
  const handbook = fileURLToPath(new URL('../samples/handbook', import.meta.url));

  it('imports a folder, and nothing the second time', async () => {
    await docsctl(['spaces', 'create', '--title', 'Handbook']);
    const first = await docsctl(['spaces', 'import', 'Handbook', handbook, '-o', 'json']);
    expect({ exit: first.exit, ...(JSON.parse(first.stdout) as object) }).toMatchObject({
      exit: 0,
      merged: true,
    });
    expect(
      (await docsctl(['spaces', 'pages', 'list', 'Handbook', '-o', 'csv', '--columns', 'path'])).stdout,
    ).toContain('guides/deploy');
    expect(await docsctl(['spaces', 'import', 'Handbook', handbook])).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining('Nothing to import') as string,
    });
  });

  it('refuses a folder that does not exist', async () => {
    expect((await docsctl(['spaces', 'import', 'Handbook', 'nowhere'])).exit).toBe(8);
  });
});

describe('serve', () => {
  it('prints its address, answers requests, and stops at SIGTERM', async () => {
    const server = execa(node, [bin, 'serve', '--port', '0', '-o', 'json'], {
      env: { DOCSCTL_CONFIG_DIR: join(home, 'config'), DOCSCTL_STORE: `sqlite:${join(home, 'store.db')}` },
      reject: false,
    });
    const [line] = (
      await new Promise<string>((resolve) =>
        server.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString())),
      )
    ).split('\n');
    const { url } = JSON.parse(line!) as { url: string };
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(
      (
        await docsctl(['collections', 'list', '--server', url], {
          env: { DOCSCTL_STORE: '', DOCSCTL_TOKEN: 'wrong' },
        })
      ).exit,
    ).toBe(4);
    server.kill('SIGTERM');
    expect((await server).exitCode).toBe(0);
  });
});
