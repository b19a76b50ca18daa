import { readDesired } from '../../src/manifest/read-desired.ts';
import type { Desired } from '../../src/manifest/desired.ts';
import { faultsIn, read } from './read/folder.ts';

type Files = Readonly<Record<string, string>>;

/** Reads what a manifest wants; `text` follows the line of the version. */
export async function desiredOf(text: string, files: Files = {}): Promise<Desired> {
  return readDesired((await read({ 'org.yaml': `version: 1\n${text}`, ...files })).root);
}

/** Everything wrong with it, as `place: message`. */
export function desiredFaults(text: string, files?: Files): Promise<string[]> {
  return faultsIn(desiredOf(text, files));
}
