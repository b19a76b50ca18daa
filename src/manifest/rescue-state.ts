import { copyFileSync, constants, lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Problem } from '../errors/problem.ts';
import { maxStateBytes, parseStateFile, readStateFile, type StateOptions } from './state-file.ts';
import type { StateFile, StateSection, Owned } from './manifest-state.ts';
import { readRegularBytes } from '../files/read-regular.ts';

/** A lock that may have been damaged, and what was wrong with it. */
export interface RescuedState {
  readonly file: StateFile;
  /** What reading it said; absent: it was whole. */
  readonly damage: Problem | undefined;
  /** Whether what the damaged file said could be read after all, as both sides of a merge conflict can. */
  readonly isWhole: boolean;
}

/** Reads a lock also where it is damaged: of a merge conflict both sides, of anything else how often it was written. */
export function rescueState({ path, place, organization, randomBytes }: StateOptions): RescuedState {
  try {
    return { file: readStateFile(path), damage: undefined, isWhole: true };
  } catch (error) {
    if (!(error instanceof Problem) || error.reason !== 'invalid-input') throw error;
    const read =
      lstatSync(path, { throwIfNoEntry: false })?.isFile() === true
        ? readRegularBytes(join(realpathSync(dirname(path)), basename(path)), maxStateBytes)
        : undefined;
    if (read === undefined || 'refused' in read)
      throw new Problem('invalid-input', error.message, {
        hint: 'Put it out of the way, then run this again; nothing was changed.',
        cause: error,
      });
    const text = read.bytes.toString('latin1');
    const sides = [sideOf(text, 'ours'), sideOf(text, 'theirs')].flatMap((side) => {
      const parsed = parseStateFile(Buffer.from(side, 'latin1').toString());
      return 'wrong' in parsed ? [] : [parsed];
    });
    const sections = sides.length === 0 ? [] : merged(sides.flatMap((side) => side.sections));
    if (sections.some((section) => section.place === place && section.organization === organization))
      return { file: { version: 1, sections }, damage: error, isWhole: sides.length === 2 };
    // Plans that were saved with it must not look as if they were made with the new one.
    let serial = 0;
    for (const [, digits] of text.matchAll(/"serial":\s*(\d{1,15})\b/g))
      serial = Math.max(serial, Number(digits));
    const fresh: StateSection = {
      place,
      organization,
      key: Buffer.from(randomBytes(32)).toString('hex'),
      serial,
      resources: {},
    };
    return {
      file: { version: 1, sections: [...sections, fresh] },
      damage: error,
      isWhole: sides.length === 2,
    };
  }
}

/** Keeps a file beside itself under a name that is free, and gives that name. */
export function keepBackup(path: string): string {
  for (let number = 1; ; number++) {
    const aside = `${path}.bak${number === 1 ? '' : `.${number}`}`;
    try {
      copyFileSync(path, aside, constants.COPYFILE_EXCL);
      return aside;
    } catch (error) {
      const { code = String(error) } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST' && number < 1000) continue;
      throw new Problem('store-failed', `The damaged lock could not be kept as ${aside}: ${code}.`, {
        hint: 'Nothing was changed. Make room or give yourself the right to write there.',
        cause: error,
      });
    }
  }
}

/** One side of all merge conflicts in a text; what lies between two marks is copied as a whole. */
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

/** What several say of one organization, the first before the others; protected is what any of them protects. */
function merged(sections: readonly StateSection[]): StateSection[] {
  const found = new Map<string, StateSection>();
  for (const section of sections) {
    const key = `${section.place} ${section.organization}`;
    const first = found.get(key);
    found.set(key, first === undefined ? section : mergedTwo(first, section));
  }
  return [...found.values()];
}

function mergedTwo(first: StateSection, other: StateSection): StateSection {
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
