import type { YamlNode } from '../../richtext/yaml-tree.ts';
import type { Faults } from './faults.ts';
import { limits } from './limits.ts';
import type { MapEntry, FileNode, ManifestNode } from './node.ts';
import { readYaml } from './read-yaml.ts';

/** Whether the name of a file taken in with `!file` says that it holds a value: JSON or YAML. */
export function isValueFile({ path }: FileNode): boolean {
  return /\.(json|ya?ml)$/i.test(path);
}

/**
 * Reads the value in a file taken in with `!file x.json`, with locations in that file; null if there is none. Such files
 * are plain data without tags or variables.
 */
export function readValueFile(node: FileNode, faults: Faults): ManifestNode {
  if (isValueFile(node)) {
    const before = faults.count;
    const { documents } = readYaml(node.text, node.path, limits.nodes, faults);
    const [document, second] = documents;
    if (second !== undefined) faults.add(second.at, 'a second document begins here; a value is one document');
    if (document !== undefined) return plainNode(document, faults);
    if (faults.count === before) faults.add(node.at, `${node.path} is empty`);
  } else faults.add(node.at, `a file of JSON or YAML is wanted here, and ${node.path} is called neither`);
  return { kind: 'scalar', at: node.at, value: null };
}

function plainNode(node: YamlNode, faults: Faults): ManifestNode {
  const { at } = node;
  if (node.tag !== undefined)
    faults.add(at, `${node.tag.slice(0, 60)} is not read here: a file taken in with !file is plain data`);
  if (node.kind === 'scalar') return { kind: 'scalar', at, value: node.value };
  if (node.kind === 'list')
    return { kind: 'list', at, items: node.items.map((item) => plainNode(item, faults)) };
  const entries = new Map<string, MapEntry>();
  for (const [name, { key, value }] of node.entries)
    entries.set(name, { key, value: plainNode(value, faults) });
  return { kind: 'map', at, entries };
}
