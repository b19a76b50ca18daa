import { readYamlTree, type YamlNode, type YamlTree } from '../../richtext/yaml-tree.ts';
import type { Faults } from './faults.ts';
import { limits } from './limits.ts';
import type { FileNode, ManifestNode, MapEntry } from './node.ts';

/** Parses the YAML or JSON of one file with at most `maxNodes` values. A merge conflict of git is a fault. */
export function readYaml(text: string, file: string, maxNodes: number, faults: Faults): YamlTree {
  const conflict = /^(<{7}|>{7})( |\r?$)/m.exec(text);
  if (conflict !== null) {
    faults.add(
      { file, line: text.slice(0, conflict.index).split('\n').length, column: 1 },
      'a merge conflict begins here; resolve it and remove the lines with <<<<<<<, ======= and >>>>>>>',
    );
    return { documents: [], nodes: 0, whole: false };
  }
  const textLimits = {
    depth: limits.depth,
    pieces: 1_000_000,
    piece: 1024 * 1024,
    quoted: 4 * 1024 * 1024,
    documents: 1000,
    nodes: maxNodes,
  };
  return readYamlTree(text, file, textLimits, (at, message) => faults.add(at, message));
}

/** Whether a file included with `!file` contains a value (JSON or YAML), by its name. */
export function isValueFile({ path }: FileNode): boolean {
  return /\.(json|ya?ml)$/i.test(path);
}

/**
 * Reads the value in a file included with `!file x.json`, with locations in that file; null if there is none. Such files are
 * plain data without tags or variables.
 */
export function readValueFile(node: FileNode, faults: Faults): ManifestNode {
  if (isValueFile(node)) {
    const before = faults.count;
    const { documents } = readYaml(node.text, node.path, limits.nodes, faults);
    const [document, second] = documents;
    if (second !== undefined) faults.add(second.at, 'a second document begins here; only one is allowed');
    if (document !== undefined) return plainNode(document, faults);
    if (faults.count === before) faults.add(node.at, `${node.path} is empty`);
  } else faults.add(node.at, `${node.path} is not a .json, .yaml or .yml file`);
  return { kind: 'scalar', at: node.at, value: null };
}

function plainNode(node: YamlNode, faults: Faults): ManifestNode {
  const { at } = node;
  if (node.tag !== undefined)
    faults.add(
      at,
      `${node.tag.slice(0, 60)} is not allowed here; a file included with !file must contain plain data`,
    );
  if (node.kind === 'scalar') return { kind: 'scalar', at, value: node.value };
  if (node.kind === 'list')
    return { kind: 'list', at, items: node.items.map((item) => plainNode(item, faults)) };
  const entries = new Map<string, MapEntry>();
  for (const [name, { key, value }] of node.entries)
    entries.set(name, { key, value: plainNode(value, faults) });
  return { kind: 'map', at, entries };
}
