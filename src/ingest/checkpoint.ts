import { createHash, type Hash } from 'node:crypto';
import { readSync } from 'node:fs';
import { closed, Type, type Static } from '../contract/schema.ts';

/**
 * The progress of ingesting a file: everything before the offset `bytes`. `print` is the SHA-256 of the first `printed` bytes. It
 * shows later whether the file is unchanged.
 */
export const CheckpointSchema = closed({
  bytes: Type.Integer({ minimum: 0 }),
  /** The number of lines before `bytes`. */
  line: Type.Integer({ minimum: 0 }),
  printed: Type.Integer({ minimum: 0 }),
  print: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});
export type Checkpoint = Static<typeof CheckpointSchema>;

/** The checkpoints of files by name. They let the next run of a command or a manifest continue where the last one ended. */
export interface Checkpoints {
  get(name: string): Checkpoint | undefined;
  set(name: string, checkpoint: Checkpoint): void;
}

/**
 * Compares an open file with a checkpoint. Returns the hash of its first `printed` bytes, to which later bytes can be added;
 * undefined if it is not the file of the checkpoint.
 */
export function matchCheckpoint(descriptor: number, { bytes, printed, print }: Checkpoint): Hash | undefined {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(1024 * 1024);
  for (let done = 0; done < printed;) {
    const read = readSync(descriptor, buffer, 0, Math.min(buffer.length, printed - done), done);
    if (read === 0) return undefined;
    hash.update(buffer.subarray(0, read));
    done += read;
  }
  return bytes <= printed && hash.copy().digest('hex') === print ? hash : undefined;
}
