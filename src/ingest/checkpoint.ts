import { createHash, type Hash } from 'node:crypto';
import { readSync } from 'node:fs';
import { closed, Type, type Static } from '../contract/schema.ts';

/** How far a file got: all before `bytes` is done. `print` tells whether its begin is still the one that was read. */
export const CheckpointSchema = closed({
  bytes: Type.Integer({ minimum: 0 }),
  /** Lines before that place. */
  line: Type.Integer({ minimum: 0 }),
  /** Bytes that the fingerprint is of. */
  printed: Type.Integer({ minimum: 0 }),
  print: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});
export type Checkpoint = Static<typeof CheckpointSchema>;

/** Where marks are kept: for the next run of a command, or in the lock of a manifest. */
export interface Checkpoints {
  get(name: string): Checkpoint | undefined;
  set(name: string, mark: Checkpoint): void;
}

/** The fingerprint of the begin of an open file when it is still the marked one, to go on with; undefined when the file is another. */
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
