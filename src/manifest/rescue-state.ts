import { constants, copyFileSync, lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { groupBy } from '../contract/values.ts';
import { isProblem, Problem } from '../errors/problem.ts';
import { maxStateBytes, parseStateFile, readStateFile, type StateOptions } from './state-file.ts';
import type { StateFile, StateSection, Owned } from './manifest-state.ts';
import { readRegularBytes } from '../files/read-regular.ts';

export interface RescuedState {
  readonly file: StateFile;
  /** The error of reading the file. Absent if it is not damaged. */
  readonly damage: Problem | undefined;
  /** Whether everything in it could be read, for example in both sides of a merge conflict. */
  readonly isWhole: boolean;
}

/** Reads a state file that may be damaged: both sides of a merge conflict, or else only its serial. */
export function rescueState(options: StateOptions): RescuedState {
  try {
    return { file: readStateFile(options.path), damage: undefined, isWhole: true };
  } catch (error) {
    if (!isProblem(error, 'invalid-input')) throw error;
    return rescueDamaged(options, error);
  }
}

function rescueDamaged(
  { path, place, organization, randomBytes }: StateOptions,
  damage: Problem,
): RescuedState {
  const read =
    lstatSync(path, { throwIfNoEntry: false })?.isFile() === true
      ? readRegularBytes(join(realpathSync(dirname(path)), basename(path)), maxStateBytes)
      : undefined;
  if (read === undefined || 'refused' in read)
    throw new Problem('invalid-input', damage.message, {
      hint: 'Nothing was changed. Move the file away, then run the command again.',
      cause: damage,
    });
  const text = read.bytes.toString('latin1');
  const sides = [sideOf(text, 'ours'), sideOf(text, 'theirs')].flatMap((side) => {
    const parsed = parseStateFile(Buffer.from(side, 'latin1').toString());
    return 'sections' in parsed ? [parsed] : [];
  });
  const isWhole = sides.length === 2;
  const sections = mergeSections(sides.flatMap((side) => side.sections));
  if (sections.some((section) => section.place === place && section.organization === organization))
    return { file: { version: 1, sections }, damage, isWhole };
  // The new serial must differ, so that plans saved with the damaged state count as stale.
  let serial = 0;
  for (const [, digits] of text.matchAll(/"serial":\s*(\d{1,15})\b/g))
    serial = Math.max(serial, Number(digits));
  const key = Buffer.from(randomBytes(32)).toString('hex');
  sections.push({ place, organization, key, serial, resources: {} });
  return { file: { version: 1, sections }, damage, isWhole };
}

/** Copies a file to a free name beside it, and returns that name. @throws Problem(store-failed) if it cannot be copied */
export function keepBackup(path: string): string {
  for (let number = 1; ; number++) {
    const backup = `${path}.bak${number === 1 ? '' : `.${number}`}`;
    try {
      copyFileSync(path, backup, constants.COPYFILE_EXCL);
      return backup;
    } catch (error) {
      const { code = String(error) } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST' && number < 1000) continue;
      throw new Problem('store-failed', `The damaged state file could not be copied to ${backup}: ${code}.`, {
        hint: 'Nothing was changed. Free disk space or fix the permissions of the folder.',
        cause: error,
      });
    }
  }
}

/** Keeps one side of all merge conflicts in a text. */
function sideOf(text: string, side: 'ours' | 'theirs'): string {
  let here: 'both' | 'ours' | 'base' | 'theirs' = 'both';
  let kept = '';
  let from = 0;
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf('\n', at);
    const next = newline === -1 ? text.length : newline + 1;
    const before = here;
    if (text.startsWith('<<<<<<< ', at)) here = 'ours';
    else if (before === 'ours' && text.startsWith('||||||| ', at)) here = 'base';
    else if (
      before !== 'both' &&
      text.startsWith('=======', at) &&
      /^={7}\r?\n?$/.test(text.slice(at, Math.min(next, at + 10)))
    )
      here = 'theirs';
    else if (before !== 'both' && text.startsWith('>>>>>>> ', at)) here = 'both';
    else {
      at = next;
      continue;
    }
    if (before === 'both' || before === side) kept += text.slice(from, at);
    from = at = next;
  }
  return here === 'both' || here === side ? kept + text.slice(from) : kept;
}

/** Merges the sections of each organization. The first one wins, but a resource is protected if any section protects it. */
function mergeSections(sections: readonly StateSection[]): StateSection[] {
  const groups = groupBy(sections, ({ place, organization }) => `${place} ${organization}`);
  return [...groups.values()].map((group) => group.reduce(mergeSection));
}

function mergeSection(first: StateSection, other: StateSection): StateSection {
  const resources = new Map<string, Owned>(Object.entries(other.resources));
  for (const [address, owned] of Object.entries(first.resources)) {
    const isProtected = owned.protect === true || resources.get(address)?.protect === true;
    resources.set(address, isProtected ? { ...owned, protect: true } : owned);
  }
  const remade = new Map(Object.entries(other.remade ?? {}));
  for (const [address, count] of Object.entries(first.remade ?? {}))
    remade.set(address, Math.max(count, remade.get(address) ?? 0));
  return {
    ...first,
    serial: Math.max(first.serial, other.serial),
    resources: Object.fromEntries(resources),
    remade: Object.fromEntries(remade),
    checkpoints: { ...other.checkpoints, ...first.checkpoints },
  };
}
