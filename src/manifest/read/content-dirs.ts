import { relative } from 'node:path';
import { confineFolder } from '../../files/confine-folder.ts';
import { hasFiles } from '../../files/has-files.ts';
import type { Faults, SourceLocation } from './faults.ts';
import type { Folders } from './file-texts.ts';
import type { ManifestNode, MapNode } from './node.ts';

/**
 * Makes the folders of content relative to `root`. In a file they are relative to the file, like paths of `!file`. A folder that
 * cannot be used is reported at its location.
 */
export function withContentDirs(
  manifest: MapNode,
  root: string,
  foldersOf: (at: SourceLocation) => Folders,
  faults: Faults,
): MapNode {
  return changeAt(manifest, ['spaces', '*', 'content', 'dir'], (node) => {
    // The check against the schema reports other values.
    if (node.kind !== 'scalar' || typeof node.value !== 'string' || node.value === '') return node;
    const folders = foldersOf(node.at);
    const confined = confineFolder(folders.root, folders.folder, node.value);
    if ('refused' in confined) {
      faults.add(node.at, confined.refused);
      return node;
    }
    if (!hasFiles(confined.path))
      faults.add(
        node.at,
        `the folder ${JSON.stringify(node.value.slice(0, 200))} has no files; add a Markdown file, or remove "content"`,
      );
    return { ...node, value: relative(root, confined.path).replaceAll('\\', '/') || '.' };
  });
}

/** Changes the node at a path of fields. `*` stands for any field. */
function changeAt<N extends ManifestNode>(
  node: N,
  [field, ...rest]: readonly string[],
  change: (node: ManifestNode) => ManifestNode,
): N {
  if (node.kind !== 'map') return node;
  const entries = new Map(node.entries);
  for (const [name, { key, value }] of entries)
    if (field === '*' || field === name)
      entries.set(name, { key, value: rest.length === 0 ? change(value) : changeAt(value, rest, change) });
  return { ...node, entries };
}
