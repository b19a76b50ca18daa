import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CliOptions } from './cli.ts';
import { runShell, type ShellResult } from './shell.ts';

const samples = fileURLToPath(new URL('../samples/acme', import.meta.url));

/** The organization of the examples, kept as files, so that each example runs in a copy of it. */
export interface ExampleWorld {
  /** Runs a command line in a fresh copy; IDs such as spc_1 are those of the organization. */
  readonly run: (line: string, more?: Partial<CliOptions>) => Promise<ShellResult>;
  /** Makes a fresh copy that several commands share. */
  readonly copy: () => CliOptions;
  /** Runs a command line that changes nothing, in the organization itself. */
  readonly read: (line: string, more?: Partial<CliOptions>) => Promise<ShellResult>;
  readonly discard: () => void;
}

/** Makes the organization by the commands of test/samples/acme/setup.txt. */
export async function createExampleWorld(): Promise<ExampleWorld> {
  const home = mkdtempSync(join(tmpdir(), 'docsctl-examples-'));
  const original = join(home, 'original');
  // Always the same path, because journals of runs say which store they are for.
  const copy = join(home, 'copy');
  cpSync(samples, join(copy, 'work'), { recursive: true });
  for (const line of readFileSync(join(samples, 'setup.txt'), 'utf8').split('\n')) {
    if (line === '' || line.startsWith('# ')) continue;
    const { exit, stderr } = await runShell(withIds(line, copy), optionsIn(copy));
    if (exit !== 0) throw new Error(`${line}: exit ${exit}\n${stderr}`);
  }
  renameSync(copy, original);
  let count = 0;
  const copyTo = (): string => {
    const another = join(home, `copy-${++count}`);
    cpSync(original, another, { recursive: true });
    return another;
  };
  return {
    copy: () => optionsIn(copyTo()),
    run: async (line, more = {}) => {
      cpSync(original, copy, { recursive: true });
      try {
        return await runShell(withIds(line, copy), { ...optionsIn(copy), ...more });
      } finally {
        rmSync(copy, { recursive: true, force: true });
      }
    },
    read: (line, more = {}) => runShell(withIds(line, original), { ...optionsIn(original), ...more }),
    discard: () => rmSync(home, { recursive: true, force: true }),
  };
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

/** Replaces `spc_1` by the first ID of a space in the store. IDs sort by the time of their creation. */
export function withIds(line: string, folder: string): string {
  return line.replace(/\b([a-z]{2,8})_(\d)\b/g, (written, prefix: string, number: string) => {
    const text = readFileSync(join(folder, 'store.json'), 'utf8');
    const ids = new Set(text.match(new RegExp(`\\b${prefix}_[0-9A-HJKMNP-TV-Z]{26}(?:_\\d+)?\\b`, 'g')));
    return [...ids].sort()[Number(number) - 1] ?? written;
  });
}
