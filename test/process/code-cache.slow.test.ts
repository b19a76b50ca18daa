import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';

const node = process.env['DOCSCTL_NODE'] ?? process.execPath;
const root = fileURLToPath(new URL('../..', import.meta.url));

it('compiled code of another build is not used, even if it is in the cache', () => {
  const folder = mkdtempSync(join(tmpdir(), 'docsctl-test-'));
  try {
    for (const part of ['bin', 'dist', 'package.json'])
      // Other versions of Node may have left cache files, and other tests may be writing some.
      cpSync(join(root, part), join(folder, part), {
        recursive: true,
        filter: (path) => !/\.cache(?:\.[^/]*)?$/.test(path),
      });
    const dist = join(folder, 'dist');
    const help = (): string =>
      execFileSync(node, [join(folder, 'bin/docsctl.js'), '--help'], { encoding: 'utf8' });
    const cached = () => readdirSync(dist).filter((name) => /^start\..*\.cache$/.test(name));
    expect(help()).toContain('Administer a documentation platform');
    const [build = ''] = cached().map((name) => name.split('.')[1] ?? '');
    expect(build).toMatch(/^[\da-f]{12}$/);
    // Imitate another build with code of the same length.
    const edit = (name: string, from: string, to: string): void => {
      const text = readFileSync(join(dist, name), 'utf8');
      expect(text).toContain(from);
      writeFileSync(join(dist, name), text.replaceAll(from, to));
    };
    edit('start.js', 'Administer a documentation platform', 'ADMINISTER A DOCUMENTATION PLATFORM');
    for (const name of readdirSync(dist).filter((one) => one.endsWith('.js')))
      if (readFileSync(join(dist, name), 'utf8').includes(build)) edit(name, build, '0'.repeat(12));
    expect(help()).toContain('ADMINISTER A DOCUMENTATION PLATFORM');
    expect(cached()).toHaveLength(2);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/**
 * Copies the program to a folder that its user cannot write, with a writable home folder. With `isPacked`, the packs are
 * compressed like in the package.
 */
function installed(isPacked = false) {
  const folder = mkdtempSync(join(tmpdir(), 'docsctl-test-'));
  onTestFinished(() => {
    chmodSync(join(folder, 'dist'), 0o700);
    rmSync(folder, { recursive: true });
  });
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(join(root, part), join(folder, part), {
      recursive: true,
      filter: (path) => !/\.cache(?:\.[^/]*)?$|meta\.json$|dist\/(?:man|site)/.test(path),
    });
  const dist = join(folder, 'dist');
  const packs = readdirSync(dist).find((name) => /^packs\..*\.txt$/.test(name)) ?? '';
  if (isPacked) {
    const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
    writeFileSync(join(dist, 'packs.br'), brotliCompressSync(readFileSync(join(dist, packs)), options));
    rmSync(join(dist, packs));
  }
  const home = join(folder, 'home');
  mkdirSync(home);
  // Root can write everywhere, so its tests run the program as another user.
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;
  if (user !== undefined) chownSync(home, user.uid, user.gid);
  chmodSync(folder, 0o755);
  chmodSync(dist, 0o555);
  const run = (words: readonly string[], env: Record<string, string> = {}): string =>
    execFileSync(node, [join(folder, 'bin/docsctl.js'), ...words], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: home, ...env },
      stdio: 'pipe',
      ...user,
    });
  const help = (env?: Record<string, string>): string => run(['--help'], env);
  const caches = join(home, process.platform === 'darwin' ? 'Library/Caches' : '.cache');
  const own = join(caches, 'docsctl');
  const cached = () => (existsSync(own) ? readdirSync(own).filter((name) => name.endsWith('.cache')) : []);
  return { home, caches, own, run, help, cached, packs, dist };
}

it('packs are read from the package, and saved in the cache folder of the user', () => {
  const { own, run, packs, dist } = installed(true);
  const topic = (env?: Record<string, string>): string => run(['help', 'exit-codes'], env);
  expect(topic()).toContain('exit code');
  const kept = join(own, packs);
  const made = statSync(kept);
  expect(made.size).toBe(statSync(join(root, 'dist', packs)).size);
  expect(topic()).toContain('exit code');
  expect(statSync(kept).mtimeMs).toBe(made.mtimeMs);
  // An incomplete file, for example after a full disk, is written again.
  writeFileSync(kept, '');
  expect(topic()).toContain('exit code');
  expect(statSync(kept).size).toBe(made.size);
  expect(topic({ HOME: '', XDG_CACHE_HOME: '' })).toContain('exit code');
  // The cached file is sufficient.
  chmodSync(dist, 0o755);
  rmSync(join(dist, 'packs.br'));
  chmodSync(dist, 0o555);
  expect(topic()).toContain('exit code');
});

it('code of another build is neither run nor cached, for example after an upgrade', () => {
  const { own, run, packs, dist } = installed(true);
  const topic = (): string => run(['help', 'exit-codes']);
  const replace = (name: string, change: (code: Buffer) => Buffer): (() => void) => {
    const path = join(dist, name);
    const code = readFileSync(path);
    chmodSync(dist, 0o755);
    writeFileSync(path, change(code));
    chmodSync(dist, 0o555);
    return () => writeFileSync(path, code);
  };
  // The error is one line, also if the parts that print errors are missing.
  const refused =
    /^Command failed: .*\nerror: Files of docsctl .*belong to another version\. If docsctl was upgraded .*\n$/;
  const params = { [constants.BROTLI_PARAM_QUALITY]: 1 };
  const restorePacks = replace('packs.br', () => brotliCompressSync('0'.repeat(10_000_000), { params }));
  expect(topic).toThrow(refused);
  expect(existsSync(join(own, packs))).toBe(false);
  restorePacks();
  const restoreHelp = replace('help.js', (code) =>
    Buffer.from(`${code.toString().slice(0, -12)}${'0'.repeat(12)}`),
  );
  expect(topic).toThrow(refused);
  restoreHelp();
  expect(topic()).toContain('exit code');
});

it('compiled code is saved in the cache folder of the user if the program folder is not writable', () => {
  const { own, help, cached } = installed();
  expect(help()).toContain('Administer a documentation platform');
  const names = cached();
  expect(names).toContainEqual(expect.stringMatching(/^start\./));
  expect(statSync(own).mode & 0o777).toBe(0o700);
  // The next command uses it, and removes no files that are newer than a month or do not belong to it.
  const [first = ''] = names;
  const old = join(own, 'start.000000000000.v20.0.0-x64.cache');
  const recent = join(own, 'start.111111111111.v20.0.0-x64.cache');
  for (const path of [old, recent, join(own, 'notes')]) writeFileSync(path, 'x');
  for (const path of [old, join(own, 'notes')]) utimesSync(path, 1, 1);
  const made = statSync(join(own, first)).mtimeMs;
  expect(help()).toContain('Administer a documentation platform');
  expect(statSync(join(own, first)).mtimeMs).toBe(made);
  // A broken cache is written again. Then old caches of other versions are removed.
  writeFileSync(join(own, first), 'broken');
  expect(help()).toContain('Administer a documentation platform');
  expect(statSync(join(own, first)).size).toBeGreaterThan(1000);
  expect([old, recent, join(own, 'notes')].map((path) => existsSync(path))).toEqual([false, true, true]);
});

it('compiled code is neither read nor written if other users can write to the folder', () => {
  const { own, caches, help, cached, home } = installed();
  help();
  const names = cached();
  chmodSync(own, 0o770);
  for (const name of names) writeFileSync(join(own, name), 'x');
  help();
  expect(names.map((name) => statSync(join(own, name)).size)).toEqual(names.map(() => 1));
  chmodSync(own, 0o700);
  renameSync(own, join(home, 'elsewhere'));
  symlinkSync(join(home, 'elsewhere'), own);
  help();
  expect(names.map((name) => statSync(join(own, name)).size)).toEqual(names.map(() => 1));
  rmSync(own);
  // The home folder belongs to another user, like with sudo.
  chmodSync(caches, 0o777);
  if (process.getuid?.() === 0) {
    chownSync(caches, 0, 0);
    help();
    expect(existsSync(own)).toBe(false);
  }
  expect(help({ HOME: '', XDG_CACHE_HOME: '' })).toContain('Administer a documentation platform');
});
