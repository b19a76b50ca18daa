import { realpathSync, statSync } from 'node:fs';
import { relative } from 'node:path';
import { confine, type Confined } from '../../files/confine.ts';
import type { Faults } from './faults.ts';
import type { Folders } from './file-texts.ts';
import type { MapEntry, MapNode, ManifestNode } from './node.ts';
import type { SourceLocation } from './source-location.ts';

/** Where a folder of content named in a manifest lies; refuses what is none, or lies outside or behind a symbolic link. */
export function confineFolder(root: string, folder: string, dir: string): Confined {
  const confined = confine(root, folder, dir);
  if ('refused' in confined) return confined;
  const shown = JSON.stringify(dir.slice(0, 200));
  if (statSync(confined.path, { throwIfNoEntry: false })?.isDirectory() !== true)
    return { refused: `there is no folder ${shown} beside this file` };
  return realpathSync(confined.path) === confined.path
    ? confined
    : { refused: `${shown} lies behind a symbolic link; links are not followed` };
}

/**
 * Writes the folder of each space's content as it is called from `root`: in a file it starts beside that file, as paths
 * of `!file` do. A folder that cannot be taken is a fault where it is named.
 */
export function withContentDirs(
  manifest: MapNode,
  root: string,
  foldersOf: (at: SourceLocation) => Folders,
  faults: Faults,
): MapNode {
  return within(manifest, 'spaces', (spaces) => {
    if (spaces.kind !== 'map') return spaces;
    const entries = [...spaces.entries].map(([name, { key, value }]): [string, MapEntry] => [
      name,
      { key, value: inSpace(value) },
    ]);
    return { ...spaces, entries: new Map(entries) };
  });

  function inSpace(space: ManifestNode): ManifestNode {
    return within(space, 'content', (content) => within(content, 'dir', dirFromRoot));
  }

  function dirFromRoot(node: ManifestNode): ManifestNode {
    // Anything else is told with the other faults of shape.
    if (node.kind !== 'scalar' || typeof node.value !== 'string' || node.value === '') return node;
    const folders = foldersOf(node.at);
    const confined = confineFolder(folders.root, folders.folder, node.value);
    if ('path' in confined)
      return { ...node, value: relative(root, confined.path).replaceAll('\\', '/') || '.' };
    faults.add(node.at, confined.refused);
    return node;
  }
}

function within<N extends ManifestNode>(
  node: N,
  field: string,
  change: (value: ManifestNode) => ManifestNode,
): N {
  const entry = node.kind === 'map' ? node.entries.get(field) : undefined;
  if (node.kind !== 'map' || entry === undefined) return node;
  return { ...node, entries: new Map(node.entries).set(field, { ...entry, value: change(entry.value) }) };
}
