import { realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { didYouMean } from '../../contract/nearest.ts';
import { isInside } from '../../files/confine.ts';
import type { YamlEntry, YamlMap } from '../../richtext/yaml-tree.ts';
import { Faults, formatLocation, wholeFile, type SourceLocation } from './faults.ts';
import { FileTexts, type Folders } from './file-texts.ts';
import { createFiller, type Environment } from './fill.ts';
import { findSources, type FoundFile } from './find-files.ts';
import { loadFiles, type ManifestFile } from './load-files.ts';
import type { MapEntry, MapNode } from './node.ts';
import { createResolver } from './resolve.ts';
import { readVariables } from './variables.ts';

export interface ManifestRequest {
  /** Files, folders, patterns, or `-` for standard input. */
  readonly sources: readonly string[];
  readonly cwd: string;
  readonly env: Environment;
  /** Values given with `--var name=value`. */
  readonly vars: Readonly<Record<string, string>>;
  readonly readStdin: () => Promise<string>;
}

export interface Manifest {
  /** The contents of the files, without version, include and vars. */
  readonly root: MapNode;
  readonly files: readonly FoundFile[];
  /** Returns the folder where paths at a location start, and the folder that they may not leave. */
  readonly foldersOf: (at: SourceLocation) => Folders;
}

/** Reads a manifest with all its includes. @throws Problem(invalid-input) with all faults and their locations */
export async function readManifest(request: ManifestRequest): Promise<Manifest> {
  const { sources, cwd, env, vars, readStdin } = request;
  const faults = new Faults();
  const found = findSources(sources, cwd, faults);
  const { files, whole } = await loadFiles(found, cwd, readStdin, faults);
  if (found.length === 0)
    faults.throwIfAny(
      'With -f, name a file, a folder with *.yaml files, a pattern, or - for standard input.',
    );
  // Variables and refs may seem to be missing only because a file is missing.
  if (!whole) faults.throwIfAny();
  const base = realpathSync(cwd);
  const foldersOf = foldersIn(files, base);
  const merged = mergeDocuments(files, faults);
  const variables = readVariables(merged.entries.get('vars')?.value, vars, faults);
  merged.entries.delete('vars');
  const fill = createFiller(variables, env, faults);
  const resolveValue = createResolver({ fill, texts: new FileTexts(base), foldersOf, faults });
  const entries = new Map<string, MapEntry>();
  for (const [field, { key, value }] of merged.entries)
    entries.set(field, { key, value: resolveValue(value) });
  faults.throwIfAny();
  return {
    root: { kind: 'map', at: merged.at, entries },
    files: files.map(({ name, path, root, folder }) => ({ name, path, root, folder })),
    foldersOf,
  };
}

/** Paths in a file that was included with `!file` are relative to that file. */
function foldersIn(files: readonly ManifestFile[], cwd: string): Manifest['foldersOf'] {
  const byName = new Map(files.map(({ name, root, folder }) => [name, { root, folder }]));
  return ({ file }) => {
    const known = byName.get(file);
    if (known !== undefined) return known;
    const folder = dirname(resolve(cwd, file));
    return { root: files.find(({ root }) => isInside(root, folder))?.root ?? folder, folder };
  };
}

/** Fields that apply to one file, not to the organization. */
const fieldsOfFile: ReadonlySet<string> = new Set(['version', 'include', '$schema', 'overlay']);

/**
 * Merges all documents into one map. Two levels are merged: the fields of the manifest, and the keys in each of them (the refs of
 * `spaces`, the fields of `org`). Deeper values may be stated only once.
 */
function mergeDocuments(files: readonly ManifestFile[], faults: Faults): YamlMap {
  const overlays = files.filter(({ isOverlay }) => isOverlay);
  const documents = files.filter(({ isOverlay }) => !isOverlay).flatMap((file) => file.documents);
  if (overlays[0] !== undefined && overlays.length === files.length)
    faults.add(wholeFile(overlays[0].name), 'an overlay changes a manifest; also name that manifest with -f');
  const at = documents[0]?.at ?? wholeFile(files[0]?.name ?? '-f');
  const merged: YamlMap = { kind: 'map', at, entries: new Map() };
  for (const { entries } of documents)
    for (const [field, entry] of entries) {
      if (fieldsOfFile.has(field)) continue;
      const target = plainMap(merged.entries.get(field));
      const source = plainMap(entry);
      if (target !== undefined && source !== undefined)
        for (const [name, inner] of source.entries) addOnce(target, name, inner, `${field}.${name}`, faults);
      else {
        // A copy, because other documents are merged into it.
        const value = source === undefined ? entry.value : { ...source, entries: new Map(source.entries) };
        addOnce(merged, field, { key: entry.key, value }, field, faults);
      }
    }
  for (const { documents: changes } of overlays)
    for (const change of changes) {
      if (documents.length > 0) checkRemovals(merged, change, faults);
      overlay(merged, change);
    }
  return merged;
}

/** Reports blocks that an overlay removes but that do not exist. The value of a variable may be null. */
function checkRemovals(target: YamlMap, { entries }: YamlMap, faults: Faults): void {
  for (const [field, entry] of entries) {
    if (fieldsOfFile.has(field) || field === 'vars') continue;
    const known = [...(plainMap(target.entries.get(field))?.entries.keys() ?? [])];
    for (const [name, inner] of plainMap(entry)?.entries ?? [])
      if (isNull(inner) && !known.includes(name))
        faults.add(
          inner.key,
          `the manifest has no "${`${field}.${name}`.slice(0, 120)}" to remove${didYouMean(name, known)}`,
        );
  }
}

/** Applies an overlay to a map: maps are merged, a null removes a map, and any other value replaces the old one. */
function overlay(target: YamlMap, { entries }: YamlMap): void {
  for (const [name, entry] of entries) {
    if (fieldsOfFile.has(name)) continue;
    const known = plainMap(target.entries.get(name));
    const changes = plainMap(entry);
    if (known !== undefined && changes !== undefined) {
      const value = { ...known, entries: new Map(known.entries) };
      overlay(value, changes);
      target.entries.set(name, { key: entry.key, value });
    } else if (known !== undefined && isNull(entry)) target.entries.delete(name);
    else target.entries.set(name, entry);
  }
}

function isNull({ value }: YamlEntry): boolean {
  return value.kind === 'scalar' && value.value === null && value.tag === undefined;
}

function addOnce({ entries }: YamlMap, name: string, entry: YamlEntry, path: string, faults: Faults): void {
  const first = entries.get(name);
  if (first === undefined) entries.set(name, entry);
  else
    faults.add(
      entry.key,
      `"${path.slice(0, 120)}" is already set at ${formatLocation(first.key)}; remove one of the two`,
    );
}

function plainMap(entry: YamlEntry | undefined): YamlMap | undefined {
  return entry?.value.kind === 'map' && entry.value.tag === undefined ? entry.value : undefined;
}
