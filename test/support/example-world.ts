import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CliOptions } from './cli.ts';
import { runShell, type ShellResult } from './shell.ts';

const samples = fileURLToPath(new URL('../samples/acme', import.meta.url));

/** The organization of the examples, stored as files. Each example runs in a copy. */
export interface ExampleWorld {
  /** Runs a command line in a copy that equals a new one. IDs such as spc_1 are replaced by those of the organization. */
  readonly run: (line: string, more?: Partial<CliOptions>) => Promise<ShellResult>;
  /** Creates a new copy that several commands share. */
  readonly copy: () => CliOptions;
  /** Runs a command line that changes nothing in the organization itself. */
  readonly read: (line: string, more?: Partial<CliOptions>) => Promise<ShellResult>;
  readonly discard: () => void;
}

/** The organization after its setup, once per process. The setup takes longer than most tests that need it. */
let made: Promise<{ readonly home: string; readonly whole: string; readonly copy: string }> | undefined;
/** The world that currently uses the path `copy`. */
let inCopy: object | undefined;

/** Creates the organization with the commands of test/samples/acme/setup.txt, or reuses the existing one. */
export async function createExampleWorld(): Promise<ExampleWorld> {
  const { home, whole, copy } = await (made ??= makeOrganization());
  const own = mkdtempSync(join(home, 'world-'));
  const original = join(own, 'original');
  cpSync(whole, original, { recursive: true });
  let restore: (() => void) | undefined;
  let count = 0;
  const copyTo = (): string => {
    const another = join(own, `copy-${++count}`);
    cpSync(original, another, { recursive: true });
    return another;
  };
  const world: ExampleWorld = {
    copy: () => optionsIn(copyTo()),
    run: async (line, more = {}) => {
      if (inCopy !== undefined && inCopy !== world) throw new Error('Discard the other example world first.');
      inCopy = world;
      // Most commands change at most one file, and copying all files takes longer than running a command.
      if (restore === undefined) restore = openCopy(original, copy);
      else restore();
      return runShell(withIds(line, original), { ...optionsIn(copy), ...more });
    },
    read: (line, more = {}) => runShell(withIds(line, original), { ...optionsIn(original), ...more }),
    discard: () => {
      rmSync(own, { recursive: true, force: true });
      if (inCopy !== world) return;
      rmSync(copy, { recursive: true, force: true });
      inCopy = undefined;
    },
  };
  return world;
}

async function makeOrganization(): Promise<Awaited<NonNullable<typeof made>>> {
  const home = mkdtempSync(join(tmpdir(), 'docsctl-examples-'));
  process.once('exit', () => rmSync(home, { recursive: true, force: true }));
  // The path is always the same, because journals of runs contain the path of their store.
  const copy = join(home, 'copy');
  const whole = join(home, 'whole');
  cpSync(samples, join(copy, 'work'), { recursive: true });
  for (const line of readFileSync(join(samples, 'setup.txt'), 'utf8').split('\n')) {
    if (line === '' || line.startsWith('# ')) continue;
    const { exit, stderr } = await runShell(withIds(line, copy), optionsIn(copy));
    if (exit !== 0) throw new Error(`${line}: exit ${exit}\n${stderr}`);
  }
  renameSync(copy, whole);
  return { home, whole, copy };
}

/** Copies a folder. The returned function restores the copy, replacing only files that have changed. */
function openCopy(from: string, to: string): () => void {
  cpSync(from, to, { recursive: true });
  const copied = statesIn(to);
  return () => {
    const now = statesIn(to);
    for (const path of now.keys())
      if (!copied.has(path)) rmSync(join(to, path), { recursive: true, force: true });
    for (const [path, state] of copied) {
      if (now.get(path) === state) continue;
      rmSync(join(to, path), { recursive: true, force: true });
      cpSync(join(from, path), join(to, path), { recursive: true });
    }
    if ([...copied].some(([path, state]) => now.get(path) !== state))
      for (const [path, state] of statesIn(to)) copied.set(path, state);
  };
}

/** Returns the state of each file, by which changes are detected: size and times of a file, mode of a folder. */
function statesIn(folder: string): Map<string, string> {
  const states = new Map<string, string>();
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const { ino, size, mode, mtimeMs, ctimeMs } =
      statSync(join(folder, path), { throwIfNoEntry: false }) ?? {};
    const isFolder = mode !== undefined && (mode & 0o170_000) === 0o040_000;
    states.set(path, isFolder ? `folder ${mode}` : [ino, size, mode, mtimeMs, ctimeMs].join(' '));
  }
  return states;
}

function optionsIn(folder: string): CliOptions {
  return {
    home: folder,
    cwd: join(folder, 'work'),
    env: {
      DOCSCTL_CONFIG_DIR: join(folder, 'config'),
      DOCSCTL_STORE: `json:${join(folder, 'store.json')}`,
      DOCSCTL_ORG: 'Acme',
      DOCSCTL_TRANSLATION: 'pseudo',
      EDITOR: 'true',
    },
  };
}

/** Replaces `spc_1` by the first ID of a space in the store. IDs sort by their time of creation. */
export function withIds(line: string, folder: string): string {
  return line.replace(/\b([a-z]{2,8})_(\d)\b/g, (written, prefix: string, number: string) => {
    const ids = idsIn(join(folder, 'store.json')).filter((id) => id.startsWith(`${prefix}_`));
    return ids[Number(number) - 1] ?? written;
  });
}

/** The IDs of the store that was read last, because most lines use the same store. */
let lastRead = { state: '', ids: [] as readonly string[] };

/** Returns all IDs in a store, sorted. */
function idsIn(path: string): readonly string[] {
  const { mtimeMs, size, ino } = statSync(path);
  const state = [path, mtimeMs, size, ino].join(' ');
  if (lastRead.state !== state) {
    const text = readFileSync(path, 'utf8');
    lastRead = {
      state,
      ids: [...new Set(text.match(/\b[a-z]{2,8}_[0-9A-HJKMNP-TV-Z]{26}(?:_\d+)?\b/g))].sort(),
    };
  }
  return lastRead.ids;
}
