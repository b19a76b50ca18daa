import { EventEmitter } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { homeFolder, start } from '../src/main.ts';
import { temporaryFolder } from './stores/fixtures.ts';

/** A process that docsctl runs for: what it was given, and what became of it. */
class FakeProcess extends EventEmitter {
  readonly argv: string[];
  readonly env: Record<string, string>;
  readonly written: Record<'stdout' | 'stderr', string> = { stdout: '', stderr: '' };
  readonly stdin = { isTTY: false };
  readonly stdout = this.#stream('stdout');
  readonly stderr = this.#stream('stderr');
  exitCode: number | undefined;
  exited: number | undefined;

  constructor(argv: readonly string[], env: Record<string, string> = {}) {
    super();
    this.argv = ['node', 'docsctl', ...argv];
    this.env = env;
  }

  cwd(): string {
    throw new Error('The folder is gone.');
  }

  exit(code: number): void {
    this.exited = code;
  }

  #stream(name: 'stdout' | 'stderr') {
    return Object.assign(new EventEmitter(), {
      isTTY: true,
      columns: 0,
      write: (text: string | Uint8Array, done?: () => void): boolean => {
        this.written[name] += String(text);
        done?.();
        return true;
      },
    });
  }
}

/** Runs a command line to its end. `during` is called when its run has begun. */
async function run(
  argv: readonly string[],
  { env, during }: { env?: Record<string, string>; during?: (process: FakeProcess) => void } = {},
): Promise<FakeProcess> {
  const process = new FakeProcess(argv, env);
  const running = start(process as unknown as NodeJS.Process);
  during?.(process);
  await running;
  return process;
}

const globals = globalThis as { DOCSCTL_VERSION?: string };
beforeAll(() => {
  globals.DOCSCTL_VERSION = '1.2.3';
});
afterAll(() => {
  delete globals.DOCSCTL_VERSION;
});

describe('the version', () => {
  it.each(['--version', '-V'])('is printed by %s alone', async (flag) => {
    const { written, exitCode } = await run([flag]);
    expect([written.stdout, written.stderr, exitCode]).toEqual(['1.2.3\n', '', 0]);
  });

  it('is not what another command line asks for', async () => {
    const { written, exitCode } = await run(['--no-such-option']);
    expect([written.stdout, exitCode]).toEqual(['', 64]);
    expect(written.stderr).toContain('--no-such-option');
  });
});

it('help is 80 columns wide on a terminal whose width is unknown', async () => {
  const { written } = await run(['help', 'exit-codes']);
  expect(Math.max(...written.stdout.split('\n').map(({ length }) => length))).toBe(80);
});

describe('a process that is told to end', () => {
  /** A store, and a command line that reads it. */
  async function given() {
    const folder = temporaryFolder();
    const env = { DOCSCTL_CONFIG_DIR: folder, DOCSCTL_STORE: `sqlite:${folder}/store.db` };
    await run(['init', '--org-title', 'Acme', '--email', 'ana@example.com'], { env });
    return { argv: ['spaces', 'list'], env };
  }

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])('by %s ends with %i', async (signal, code) => {
    const { argv, env } = await given();
    const { exitCode, exited } = await run(argv, { env, during: (process) => process.emit(signal) });
    expect([exitCode, exited]).toEqual([code, undefined]);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])('twice by %s ends at once with %i, and says what that means', async (signal, code) => {
    const { argv, env } = await given();
    const { exited, written } = await run(argv, {
      env,
      during: (process) => {
        process.emit(signal);
        expect([process.exited, process.written.stderr]).toEqual([undefined, '']);
        process.emit(signal);
      },
    });
    expect(exited).toBe(code);
    expect(written.stderr).toContain('error: Interrupted twice.');
  });
});

describe('a process that runs a plugin', () => {
  /** Runs a plugin that sends a request, waits for the answer, and exits with 7. The request emits a signal first. */
  async function signalDuringPlugin(signal: string, answers: boolean): Promise<FakeProcess> {
    const folder = temporaryFolder();
    const server = createServer((_request, response) => {
      process.emit(signal);
      if (answers) response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const plugin = `#!${globalThis.process.execPath}\nfetch('${url}').then(() => process.exit(7));\n`;
    writeFileSync(join(folder, 'docsctl-wait'), plugin, { mode: 0o755 });
    const process = new FakeProcess(['wait'], { DOCSCTL_CONFIG_DIR: folder, PATH: folder });
    await start(process as unknown as NodeJS.Process);
    server.closeAllConnections();
    server.close();
    return process;
  }

  it('leaves it to the plugin to handle an interrupt', async () => {
    expect(await signalDuringPlugin('SIGINT', true)).toMatchObject({ exitCode: 7, exited: undefined });
  });

  it('ends the plugin if it has to end itself', async () => {
    expect(await signalDuringPlugin('SIGTERM', false)).toMatchObject({ exitCode: 143, exited: undefined });
  });
});

it('a full disk is an error, which standard error names', async () => {
  const { exitCode, written } = await run(['help', 'names'], {
    during: ({ stdout }) => {
      stdout.isTTY = false;
      stdout.write = (_, done?: (error?: Error) => void) => {
        done?.(Object.assign(new Error('no space'), { code: 'ENOSPC' }));
        return true;
      };
    },
  });
  expect(exitCode).toBe(1);
  expect(written.stderr).toBe('error: Writing to standard output failed: the disk is full.\n');
});

describe('colors', () => {
  const escape = '\u001b[';
  it.each<[string, Record<string, string>, boolean]>([
    ['a terminal', {}, true],
    ['a terminal that cannot show colors', { TERM: 'dumb' }, false],
    ['a terminal with FORCE_COLOR=1', { TERM: 'dumb', FORCE_COLOR: '1' }, true],
    ['a terminal with FORCE_COLOR=0', { TERM: 'dumb', FORCE_COLOR: '0' }, false],
    ['NO_COLOR', { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
    ['an empty NO_COLOR', { NO_COLOR: '' }, true],
  ])('are for %s: %s', async (_name, env, expected) => {
    const { written } = await run(['--no-such-option'], { env });
    expect(written.stderr.includes(escape)).toBe(expected);
  });

  it.each([
    ['never', {}, false],
    ['always', { NO_COLOR: '1' }, true],
  ])('of errors are what --color %s says', async (when, env, expected) => {
    const { written } = await run(['--no-such-option', '--color', when], { env });
    expect(written.stderr.includes(escape)).toBe(expected);
  });
});

it('starts for a user without a home folder, as in a container', () => {
  const unset = { env: {}, platform: 'linux' } as const;
  expect(homeFolder(unset, () => '/home/ana')).toBe('/home/ana');
  const none = () => {
    throw new Error('uv_os_homedir returned ENOENT');
  };
  expect(homeFolder(unset, none)).toBe('/');
  // node:os returns an empty HOME as it is. A relative folder would be one of the working folder.
  expect(homeFolder({ env: { HOME: '' }, platform: 'linux' }, () => '')).toBe('/');
  expect(homeFolder({ env: { HOME: '/home/ben' }, platform: 'linux' }, none)).toBe('/home/ben');
  // Windows has its own variable, whatever a shell sets.
  const windows = { env: { HOME: '/home/ben' }, platform: 'win32' } as const;
  expect(homeFolder(windows, () => 'C:\\Users\\Ana')).toBe('C:\\Users\\Ana');
});
