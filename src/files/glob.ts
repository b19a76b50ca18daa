import { readdirSync, type Dirent } from 'node:fs';
import { join } from 'node:path';

/** Whether a path is a pattern: `*` and `?` inside a name, `**` for any number of folders. */
export function isGlob(path: string): boolean {
  return /[*?]/.test(path);
}

/** The folder in front of the first name that is a pattern, and the pattern behind it. */
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
 * The regular files below a folder that match, in order of their paths. Symbolic links are passed by, and names that
 * begin with a dot where the pattern does not say it. Undefined when it would look at more than `most` entries.
 */
export function expandGlob(folder: string, pattern: string, most: number): string[] | undefined {
  const names = pattern.split('/').filter((name) => name !== '' && name !== '.');
  const found: string[] = [];
  const open = [{ folder, at: skipStars(names, new Set([0])), depth: 0 }];
  let seen = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const entry of entriesOf(next.folder)) {
      if (++seen > most) return undefined;
      const at = step(names, next.at, entry.name);
      if (at.size === 0) continue;
      const path = join(next.folder, entry.name);
      if (entry.isFile() && at.has(names.length)) found.push(path);
      if (entry.isDirectory() && next.depth < 64) open.push({ folder: path, at, depth: next.depth + 1 });
    }
  }
  return found.sort();
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // A folder that may not be read holds nothing for a pattern.
    return [];
  }
}

/** The places in the pattern one can be at behind a name. */
function step(names: readonly string[], at: ReadonlySet<number>, name: string): Set<number> {
  const next = new Set<number>();
  for (const place of at) {
    const wanted = names[place];
    if (wanted === undefined || (name.startsWith('.') && !wanted.startsWith('.'))) continue;
    if (wanted === '**') next.add(place);
    else if (matchName(wanted, name)) next.add(place + 1);
  }
  return skipStars(names, next);
}

function skipStars(names: readonly string[], at: Set<number>): Set<number> {
  // A set yields what is added while it is walked, so runs of `**` are skipped too.
  for (const place of at) if (names[place] === '**') at.add(place + 1);
  return at;
}

/**
 * Whether a name matches a pattern of `*` and `?`; goes back to the last star only, so it takes no more than length
 * times length.
 */
export function matchName(pattern: string, name: string): boolean {
  let inPattern = 0;
  let inName = 0;
  let star = -1;
  let mark = 0;
  while (inName < name.length) {
    if (pattern[inPattern] === '*') {
      star = inPattern++;
      mark = inName;
    } else if (
      inPattern < pattern.length &&
      (pattern[inPattern] === '?' || pattern[inPattern] === name[inName])
    ) {
      inPattern++;
      inName++;
    } else if (star >= 0) {
      inPattern = star + 1;
      inName = ++mark;
    } else return false;
  }
  while (pattern[inPattern] === '*') inPattern++;
  return inPattern === pattern.length;
}
