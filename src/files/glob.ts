import { readdirSync, type Dirent } from 'node:fs';
import { join } from 'node:path';

/** Whether a path is a pattern: `*` and `?` inside a name, `**` for any number of folders. */
export function isGlob(path: string): boolean {
  return /[*?]/.test(path);
}

/** Splits a path into the folder before the first name with a pattern, and the pattern. */
export function splitGlob(path: string): { readonly folder: string; readonly pattern: string } {
  const names = path.split('/');
  const first = names.findIndex(isGlob);
  const folder = names.slice(0, first).join('/');
  return {
    folder: folder === '' ? (path.startsWith('/') ? '/' : '.') : folder,
    pattern: names.slice(first).join('/'),
  };
}

/**
 * Returns the regular files below a folder that match a pattern, in the order of their paths; undefined if more than
 * `maxEntries` entries would have to be compared. Symbolic links are not followed. A name that begins with a dot matches
 * only if the pattern has the dot.
 */
export function expandGlob(folder: string, pattern: string, maxEntries: number): string[] | undefined {
  const names = pattern.split('/').filter((name) => name !== '' && name !== '.');
  const matches: string[] = [];
  const open = [{ folder, at: skipStars(names, new Set([0])), depth: 0 }];
  let entries = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const entry of entriesOf(next.folder)) {
      if (++entries > maxEntries) return undefined;
      const at = step(names, next.at, entry.name);
      if (at.size === 0) continue;
      const path = join(next.folder, entry.name);
      if (entry.isFile() && at.has(names.length)) matches.push(path);
      if (entry.isDirectory() && next.depth < 64) open.push({ folder: path, at, depth: next.depth + 1 });
    }
  }
  return matches.sort();
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // A folder that cannot be read has no matches.
    return [];
  }
}

/** Returns the pattern positions that are reachable from others with the name of a file or folder. */
function step(names: readonly string[], at: ReadonlySet<number>, name: string): Set<number> {
  const next = new Set<number>();
  for (const position of at) {
    const pattern = names[position];
    if (pattern === undefined || (name.startsWith('.') && !pattern.startsWith('.'))) continue;
    if (pattern === '**') next.add(position);
    else if (matchName(pattern, name)) next.add(position + 1);
  }
  return skipStars(names, next);
}

/** Adds the positions after `**`, which also matches no folder at all. */
function skipStars(names: readonly string[], at: Set<number>): Set<number> {
  // Iterating over a set includes elements that are added during the iteration, so a run of `**` is skipped as a whole.
  for (const position of at) if (names[position] === '**') at.add(position + 1);
  return at;
}

/**
 * Whether a name matches a pattern with `*` and `?`. It only goes back to the last star, so the time is at most the product
 * of both lengths.
 */
export function matchName(pattern: string, name: string): boolean {
  let inPattern = 0;
  let inName = 0;
  /** The indexes behind the last star, and behind what it matches. */
  let last: { readonly inPattern: number; inName: number } | undefined;
  while (inName < name.length) {
    if (pattern[inPattern] === '*') last = { inPattern: ++inPattern, inName };
    else if (pattern[inPattern] === '?' || pattern[inPattern] === name[inName]) {
      inPattern++;
      inName++;
    } else if (last !== undefined) {
      inPattern = last.inPattern;
      inName = ++last.inName;
    } else return false;
  }
  while (pattern[inPattern] === '*') inPattern++;
  return inPattern === pattern.length;
}
