import { createHash } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolders } from '../files/make-folders.ts';
import { violationsOf } from '../contract/check.ts';
import { CheckpointSchema, type Checkpoint, type Checkpoints } from './checkpoint.ts';

interface SavedCheckpoints extends Checkpoints {
  /** Deletes the checkpoints after a complete run. */
  forget(): void;
}

/** Milliseconds between two writes. A resumed run may send some records again, which changes nothing. */
const writeInterval = 200;

/**
 * Opens the checkpoints of a command in the settings folder. `job` identifies the command. Without `resume`, earlier
 * checkpoints are ignored.
 */
export function openSavedCheckpoints(
  { settingsFolder, clock }: { settingsFolder: string; clock: () => number },
  job: readonly unknown[],
  resume: boolean,
): SavedCheckpoints {
  const folder = join(settingsFolder, 'jobs');
  const path = join(
    folder,
    `${createHash('sha256').update(JSON.stringify(job)).digest('hex').slice(0, 32)}.json`,
  );
  const checkpoints = resume ? readCheckpoints(path) : new Map<string, Checkpoint>();
  let writtenAt = clock() - writeInterval;
  return {
    get: (name) => checkpoints.get(name),
    set: (name, checkpoint) => {
      checkpoints.set(name, checkpoint);
      if (clock() - writtenAt < writeInterval) return;
      writtenAt = clock();
      try {
        makeFolders(folder, 0o700);
        writeFileSync(`${path}.new`, JSON.stringify([...checkpoints]), { mode: 0o600 });
        renameSync(`${path}.new`, path);
      } catch {
        // Without the checkpoint, an interrupted ingest starts again. Conversations that it has already sent are not duplicated.
      }
    },
    forget: () => rmSync(path, { force: true }),
  };
}

function readCheckpoints(path: string): Map<string, Checkpoint> {
  try {
    const saved = JSON.parse(readFileSync(path, 'utf8')) as [string, Checkpoint][];
    return new Map(
      saved.filter(([, checkpoint]) => violationsOf(CheckpointSchema, checkpoint, '').length === 0),
    );
  } catch {
    return new Map();
  }
}
