import type { Warning } from './folder.ts';

/** The first line of a pointer file (https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md). */
const firstLine = Buffer.from('version https://git-lfs.github.com/spec/v1\n');
/** The largest pointer file, in bytes. */
const maxPointer = 1024;

/** Yields a warning about a file that Git LFS has not downloaded. */
export function* warnOfPointer(file: string, bytes: Buffer): Generator<Warning> {
  if (bytes.length > maxPointer || !bytes.subarray(0, firstLine.length).equals(firstLine)) return;
  yield {
    file,
    line: 1,
    rule: 'lfs-pointer',
    message:
      'is a pointer of Git LFS instead of its content; run `git lfs pull` in a clone and import its folder',
  };
}
