import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry } from './records.ts';
import type { Runtime } from './runtime.ts';
import { settingsFolder } from './settings.ts';

export interface Checkpoint {
  /** Whether an earlier run got this done. */
  isDone(entry: Entry): boolean;
  /** Notes that a batch of one file is under way; call what it gives when the batch is acknowledged. */
  begin(batch: readonly Entry[]): () => void;
  forget(): void;
}

/** Remembers how far each file of a bulk job got: up to a line before which everything is acknowledged. */
export function createCheckpoint(runtime: Runtime, job: readonly string[], resume: boolean): Checkpoint {
  const folder = join(settingsFolder(runtime), 'jobs');
  const path = join(folder, `${createHash('sha256').update(JSON.stringify(job)).digest('hex').slice(0, 32)}.json`);
  const before = resume ? readState(path) : {};
  const skip = Object.fromEntries(Object.entries(before).filter(([file, { stamp }]) => stamp === stampOf(file)));
  const state = { ...skip };
  let writtenAt = runtime.clock() - 200;
  const underWay: { file: string; last: number; done: boolean }[] = [];
  return {
    isDone: ({ file, line }) => line <= (skip[file]?.line ?? 0),
    begin: (batch) => {
      const entry = { file: batch[0]!.file, last: batch.at(-1)!.line, done: false };
      underWay.push(entry);
      return () => {
        entry.done = true;
        if (entry !== underWay[0]) return;
        for (let first = underWay[0]; first?.done === true; first = underWay[0]) {
          if (first.file !== '-') state[first.file] = { line: first.last, stamp: stampOf(first.file) };
          underWay.shift();
        }
        // Often enough to go on nearby: what a resumed run sends again is unchanged there.
        if (runtime.clock() - writtenAt < 200) return;
        writtenAt = runtime.clock();
        writeState(folder, path, state);
      };
    },
    forget: () => rmSync(path, { force: true }),
  };
}

type State = Record<string, { line: number; stamp: string }>;

function readState(path: string): State {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as State;
  } catch {
    return {};
  }
}

function writeState(folder: string, path: string, state: State): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(`${path}.new`, JSON.stringify(state), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** Tells a file from what it was: size and time of change. */
function stampOf(file: string): string {
  if (file === '-' || !existsSync(file)) return '';
  const { size, mtimeMs } = statSync(file);
  return `${size}:${mtimeMs}`;
}
