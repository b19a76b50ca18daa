import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { violationsOf } from '../contract/check.ts';
import { CheckpointSchema, type Checkpoint, type Checkpoints } from './checkpoint.ts';

export interface SavedCheckpoints extends Checkpoints {
  /** All is done: the next run begins anew. */
  forget(): void;
}

/** Milliseconds between two writes: what a resumed run sends again is unchanged there. */
const often = 200;

/** Remembers in the settings folder how far each file of a command got; `job` tells one command from another. */
export function openSavedCheckpoints(
  { settingsFolder, clock }: { readonly settingsFolder: string; readonly clock: () => number },
  job: readonly unknown[],
  resume: boolean,
): SavedCheckpoints {
  const folder = join(settingsFolder, 'jobs');
  const path = join(
    folder,
    `${createHash('sha256').update(JSON.stringify(job)).digest('hex').slice(0, 32)}.json`,
  );
  const marks = resume ? readMarks(path) : new Map<string, Checkpoint>();
  let writtenAt = clock() - often;
  return {
    get: (name) => marks.get(name),
    set: (name, mark) => {
      marks.set(name, mark);
      if (clock() - writtenAt < often) return;
      writtenAt = clock();
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(`${path}.new`, JSON.stringify([...marks]), { mode: 0o600 });
      renameSync(`${path}.new`, path);
    },
    forget: () => rmSync(path, { force: true }),
  };
}

function readMarks(path: string): Map<string, Checkpoint> {
  try {
    const saved = JSON.parse(readFileSync(path, 'utf8')) as [string, Checkpoint][];
    return new Map(saved.filter(([, mark]) => violationsOf(CheckpointSchema, mark, '').length === 0));
  } catch {
    return new Map();
  }
}
