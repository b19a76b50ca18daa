import { appendFileSync, existsSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolders } from '../../files/make-folders.ts';
import type { Changes } from './changes.ts';
import type { Runtime } from '../runtime.ts';
import { settingsFolder } from '../settings/settings.ts';

/** A command that sent requests which may have changed something. */
interface HistoryEntry extends Changes {
  readonly at: string;
  /** The words of the command, without arguments and options. */
  readonly command: string;
}

type Host = Pick<Runtime, 'env' | 'home'>;

/** Maximum size of a file in bytes. Then a new one is started, and the previous one is kept. */
const maxBytes = 1024 * 1024;

/** Whether DOCSCTL_HISTORY turns the history off. */
export function keepsHistory({ env }: Host): boolean {
  return !['off', '0', 'false', 'no'].includes((env['DOCSCTL_HISTORY'] ?? '').toLowerCase());
}

/** Adds a command to the history file, which only its owner can read. Failures are ignored. */
export function appendHistory(
  runtime: Pick<Runtime, 'env' | 'home' | 'clock'>,
  command: string,
  changes: Changes,
): void {
  const entry: HistoryEntry = { at: new Date(runtime.clock()).toISOString(), command, ...changes };
  const [path, before] = historyFiles(runtime);
  try {
    makeFolders(settingsFolder(runtime), 0o700);
    if (existsSync(path) && statSync(path).size > maxBytes) renameSync(path, before);
    appendFileSync(path, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
  } catch {
    // The command has done its work, and the exit code is about that.
  }
}

/** Returns the history, the newest command first. Damaged lines are left out. */
export function readHistory(runtime: Host): HistoryEntry[] {
  return historyFiles(runtime)
    .flatMap((path) => (existsSync(path) ? readFileSync(path, 'utf8').split('\n').toReversed() : []))
    .flatMap((line) => {
      try {
        return line === '' ? [] : [JSON.parse(line) as HistoryEntry];
      } catch {
        return [];
      }
    });
}

function historyFiles(runtime: Host): [string, string] {
  const folder = settingsFolder(runtime);
  return [join(folder, 'history.ndjson'), join(folder, 'history.1.ndjson')];
}
