import { execFile, spawn } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The environment variable with the folder that all tests of a run share. */
export const folderVariable = 'DOCSCTL_TEST_POSTGRES';
/** The environment variable with the URL of a server to use instead of a private one, without a database. */
const urlVariable = 'DOCSCTL_TEST_POSTGRES_URL';

/** Returns whether tests can use PostgreSQL. It is required in CI, where tests must not be skipped. */
export function hasPostgres(): boolean {
  return (
    process.env[urlVariable] !== undefined || findPostgres() !== undefined || process.env['CI'] === 'true'
  );
}

/** Returns the URL of the server of this run. The first test that needs the server starts it. */
export async function serverUrl(): Promise<string> {
  const given = process.env[urlVariable];
  if (given !== undefined) return given;
  const folder = process.env[folderVariable];
  if (folder === undefined) throw new Error(`${folderVariable} is not set; run the tests with vitest.`);
  const ready = join(folder, 'url');
  try {
    mkdirSync(join(folder, 'starting'));
  } catch {
    // Another test is starting the server.
    while (!existsSync(ready)) {
      if (existsSync(join(folder, 'failed'))) throw new Error(readFileSync(join(folder, 'failed'), 'utf8'));
      await delay(20);
    }
    return readFileSync(ready, 'utf8');
  }
  try {
    const url = await startServer(join(folder, 'data'));
    writeFileSync(`${ready}.new`, url);
    renameSync(`${ready}.new`, ready);
    return url;
  } catch (error) {
    writeFileSync(join(folder, 'failed'), `PostgreSQL did not start: ${(error as Error).message}`);
    throw error;
  }
}

/** PostgreSQL refuses to run as root. */
function serverUser(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const [, , uid, gid] = (/^postgres:.*$/m.exec(readFileSync('/etc/passwd', 'utf8'))?.[0] ?? '').split(':');
  return { uid: Number(uid ?? 65534), gid: Number(gid ?? 65534) };
}

/** Returns the folder with the programs of the newest PostgreSQL; undefined if there is none. */
export function findPostgres(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(':'),
  ];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'pg_ctl')));
}

function serverOptions() {
  return { ...serverUser(), cwd: '/', env: { ...process.env, LC_ALL: 'C' } };
}

/** Runs `pg_ctl` and waits until the server is ready. @throws Error with the end of its log */
function control(data: string, words: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    // The server must not keep the pipes of the tests open.
    const child = spawn(
      join(findPostgres() ?? '', 'pg_ctl'),
      ['-D', data, '-w', '-l', join(data, 'log'), ...words],
      { ...serverOptions(), stdio: 'ignore' },
    );
    child.on('error', reject);
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(readFileSync(join(data, 'log'), 'utf8').slice(-2000))),
    );
  });
}

/** Creates and starts a server in a folder, and returns its URL. Nothing is synced to the disk. */
export async function startServer(data: string, settings: readonly string[] = []): Promise<string> {
  const bin = findPostgres();
  if (bin === undefined) throw new Error('initdb was found neither on PATH nor in /usr/lib/postgresql');
  const user = serverUser();
  mkdirSync(data, { recursive: true });
  if (user.uid !== undefined) chownSync(data, user.uid, user.gid as number);
  await run(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'docsctl', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
    serverOptions(),
  );
  const port = await freePort();
  const flags = [
    'fsync=off',
    'full_page_writes=off',
    'synchronous_commit=off',
    'max_connections=200',
    // PostgreSQL waits for a second by default before it looks for deadlocks.
    'deadlock_timeout=20ms',
    ...settings,
  ];
  const command = [
    '-p',
    String(port),
    '-c',
    'listen_addresses=127.0.0.1',
    '-k',
    data,
    ...flags.flatMap((flag) => ['-c', flag]),
  ];
  await control(data, ['-o', command.join(' '), 'start']);
  return `postgres://docsctl@127.0.0.1:${port}/postgres`;
}

/** Ends a server like a crash, and starts it again at the same address. */
export function restartServer(data: string): Promise<void> {
  return control(data, ['-m', 'immediate', 'restart']);
}

/** Stops the server of a folder if it runs. `immediate` ends it like a crash. */
export async function stopServer(data: string, mode: 'fast' | 'immediate' = 'immediate'): Promise<void> {
  const bin = findPostgres();
  if (bin === undefined || !existsSync(join(data, 'postmaster.pid'))) return;
  await run(join(bin, 'pg_ctl'), ['-D', data, '-m', mode, '-w', 'stop'], { ...serverUser(), cwd: '/' });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
