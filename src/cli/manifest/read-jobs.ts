import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { didYouMean } from '../../contract/nearest.ts';
import { confine } from '../../manifest/read/confine.ts';
import type { Faults } from '../../manifest/read/faults.ts';
import type { Folders } from '../../manifest/read/file-texts.ts';
import { expandGlob, isGlob, splitGlob } from '../../manifest/read/glob.ts';
import { limits } from '../../manifest/read/limits.ts';
import type { MEntry, MMap, MNode } from '../../manifest/read/node.ts';
import { formatLocation, type SourceLocation } from '../../manifest/read/source-location.ts';
import { toJson } from '../../manifest/read/to-json.ts';
import type { InputFormat } from '../../ingest/entry.ts';
import { mappingOf, type Mapping } from '../../ingest/mapping.ts';
import type { RedactKind } from '../../ingest/redact/kinds.ts';
import type { OnDuplicate } from '../../ingest/send.ts';

/** Files that a job names: one, or those that match a pattern below a folder. */
export type JobFiles = { readonly path: string } | { readonly folder: string; readonly pattern: string };

/** An append job of a manifest: what is new in files goes into the organization. */
export interface Job {
  /** `jobs.conversations[0]` */
  readonly name: string;
  /** Where the manifest states it. */
  readonly at: string;
  readonly files: readonly JobFiles[];
  readonly format: InputFormat | undefined;
  readonly mapping: Mapping | undefined;
  readonly redact: readonly RedactKind[];
  readonly onDuplicate: OnDuplicate;
  readonly idFromContent: boolean;
  /** Where what is not taken goes; real and absolute. */
  readonly rejects: string | undefined;
  /** Stands for all that decides what becomes of a record: when it changes, files are read again from their begin. */
  readonly how: string;
}

interface ReadOptions {
  readonly foldersOf: (at: SourceLocation) => Folders;
  readonly faults: Faults;
  /** What may be as it is meant to be: a pattern that matches nothing yet. */
  readonly warn: (at: SourceLocation, message: string) => void;
}

interface Stated {
  readonly files: string | string[];
  readonly format?: InputFormat;
  readonly source?: string;
  readonly map?: Record<string, unknown> & { readonly attributes?: Record<string, string> };
  readonly roles?: Record<string, string>;
  readonly redact?: RedactKind[];
  readonly onDuplicate?: OnDuplicate;
  readonly idFrom?: 'content';
  readonly rejects?: string;
}

/** The jobs under the checked field `jobs`; what is wrong goes to `faults`. */
export function readJobs(node: MNode | undefined, options: ReadOptions): Job[] {
  const list = node?.kind === 'map' ? node.entries.get('conversations')?.value : undefined;
  if (list?.kind !== 'list') return [];
  return list.items.map((item, index) => readJob(item as MMap, `jobs.conversations[${index}]`, options));
}

function readJob(block: MMap, name: string, { foldersOf, faults, warn }: ReadOptions): Job {
  const stated = toJson(block) as Stated;
  const {
    files,
    format,
    source,
    map = {},
    roles = {},
    redact = [],
    onDuplicate = 'replace',
    idFrom,
    rejects,
  } = stated;
  const placeOf = (...path: string[]): SourceLocation => {
    let [at, within]: [SourceLocation, MNode] = [block.at, block];
    for (const field of path) {
      const entry: MEntry | undefined = within.kind === 'map' ? within.entries.get(field) : undefined;
      if (entry === undefined) break;
      [at, within] = [entry.value.at, entry.value];
    }
    return at;
  };
  const { attributes = {}, ...fields } = map;
  const pairs = [
    ...Object.entries(fields as Record<string, string>),
    ...Object.entries(attributes).map(([attribute, path]) => [`attributes.${attribute}`, path] as const),
  ];
  const isMapped = pairs.length > 0 || Object.keys(roles).length > 0 || source !== undefined;
  const mapping = mappingOf(pairs, Object.entries(roles), source, (message, _, about) => {
    const [, attribute] = /^attributes\.(.+)$/s.exec(about) ?? [];
    faults.add(
      attribute === undefined ? placeOf('map', about) : placeOf('map', 'attributes', attribute),
      message.replace(/\.$/, ''),
    );
  });
  const named = block.entries.get('files')!.value;
  const places = named.kind === 'list' ? named.items.map(({ at }) => at) : [named.at];
  const inside = (place: SourceLocation, path: string): string | undefined => {
    const { root, folder } = foldersOf(place);
    const target = confine(root, folder, path);
    if ('path' in target) return target.path;
    faults.add(place, target.refused);
    return undefined;
  };
  const found = [files].flat().flatMap((path, index): JobFiles[] => {
    const at = places[index]!;
    const { folder, pattern } = isGlob(path) ? splitGlob(path) : { folder: path, pattern: undefined };
    if (pattern?.split('/').includes('..') === true)
      faults.add(at, `${JSON.stringify(path)} goes up behind a pattern; write the folders out`);
    const target = inside(at, folder);
    if (target !== undefined && pattern !== undefined)
      checkPattern(target, pattern, path, {
        wrong: (message) => faults.add(at, message),
        warn: (message) => warn(at, message),
      });
    return target === undefined
      ? []
      : [pattern === undefined ? { path: target } : { folder: target, pattern }];
  });
  const aside = rejects === undefined ? undefined : inside(placeOf('rejects'), rejects);
  return {
    name,
    at: formatLocation(block.at),
    files: found,
    format,
    mapping: isMapped ? mapping : undefined,
    redact,
    onDuplicate,
    idFromContent: idFrom === 'content',
    rejects: aside,
    how: createHash('sha256')
      .update(JSON.stringify([format, pairs, Object.entries(roles), source, redact, onDuplicate, idFrom]))
      .digest('hex')
      .slice(0, 16),
  };
}

/** A folder that is not there is a slip; files may come later. */
function checkPattern(
  folder: string,
  pattern: string,
  path: string,
  { wrong, warn }: Record<'wrong' | 'warn', (message: string) => void>,
): void {
  const shown = JSON.stringify(path.slice(0, 200));
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    wrong(
      `${shown} matches no file: there is no such folder${didYouMean(basename(folder), foldersBeside(folder))}`,
    );
  else if (expandGlob(folder, pattern, limits.walked)?.length === 0) warn(`${shown} matches no file`);
}

function foldersBeside(folder: string): string[] {
  if (statSync(dirname(folder), { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(dirname(folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .slice(0, 5000)
    .map(({ name }) => name);
}
