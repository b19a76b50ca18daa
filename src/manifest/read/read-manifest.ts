import { realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isInside } from '../../files/confine.ts';
import { Faults } from './faults.ts';
import { FileTexts, type Folders } from './file-texts.ts';
import { Filler, type Environment } from './fill.ts';
import { findSources } from './find-sources.ts';
import { loadFiles } from './load-files.ts';
import { mergeDocuments } from './merge.ts';
import type { MapEntry, MapNode } from './node.ts';
import { wholeFile, type SourceLocation } from './source-location.ts';
import { Resolver } from './resolve.ts';
import type { FoundFile, ManifestFile } from './source-file.ts';
import { readVariables } from './variables.ts';

export interface ManifestRequest {
  /** Files, folders, patterns, or "-" for standard input. */
  readonly sources: readonly string[];
  readonly cwd: string;
  readonly env: Environment;
  /** Values given with `--var name=value`. */
  readonly vars: Readonly<Record<string, string>>;
  readonly readStdin: () => Promise<string>;
}

/** All files of a manifest as one tree. */
export interface Manifest {
  /** What the files say, without version, include and vars. */
  readonly root: MapNode;
  readonly files: readonly FoundFile[];
  /** Where paths written at a place start, and the folder they may not leave. */
  readonly foldersOf: (at: SourceLocation) => Folders;
}

/** Reads a manifest with all that it includes; throws one Problem with everything that is wrong and where. */
export async function readManifest({
  sources,
  cwd,
  env,
  vars,
  readStdin,
}: ManifestRequest): Promise<Manifest> {
  const faults = new Faults();
  const found = findSources(sources, cwd, faults);
  const { files, whole } = await loadFiles(found, cwd, readStdin, faults);
  // Half a manifest has unknown variables and missing refs that are none.
  if (!whole || found.length === 0) faults.throwIfAny();
  const foldersOf = foldersIn(files, realpathSync(cwd));
  const merged = mergeDocuments(
    files.flatMap(({ documents }) => documents),
    wholeFile(files[0]?.name ?? '-f'),
    faults,
  );
  const variables = readVariables(merged.entries.get('vars')?.value, vars, faults);
  merged.entries.delete('vars');
  const resolver = new Resolver(
    new Filler(variables, env, faults),
    new FileTexts(realpathSync(cwd)),
    foldersOf,
    faults,
  );
  const entries = new Map<string, MapEntry>();
  for (const [field, { key, value }] of merged.entries)
    entries.set(field, { key, value: resolver.resolve(value) });
  faults.throwIfAny();
  return {
    root: { kind: 'map', at: merged.at, entries },
    files: files.map(({ name, path, root, folder }) => ({ name, path, root, folder })),
    foldersOf,
  };
}

/** Places in files that were taken in with !file count as well: their paths start beside them. */
function foldersIn(files: readonly ManifestFile[], cwd: string): Manifest['foldersOf'] {
  const byName = new Map(files.map((file) => [file.name, file]));
  return ({ file }) => {
    const known = byName.get(file);
    if (known !== undefined) return { root: known.root, folder: known.folder };
    const folder = dirname(resolve(cwd, file));
    return { root: files.find(({ root }) => isInside(root, folder))?.root ?? folder, folder };
  };
}
