import { readYamlTree, type YamlNode } from '../../richtext/yaml-tree.ts';
import { conflictIn, conflictMessage } from './conflict.ts';
import { Faults } from './faults.ts';
import { limits, textLimits } from './limits.ts';
import type { MEntry, MFile, MNode } from './node.ts';

/** Whether a file taken in with !file says by its name that it holds a value: JSON or YAML. */
export function isValueFile({ path }: MFile): boolean {
  return /\.(json|ya?ml)$/i.test(path);
}

/**
 * The value in a file that was taken in with `!file x.json`, with places in that file; other nodes are their own value.
 * Such files are plain data: no tags, no variables. Faults go to `faults`, or are thrown where none is given.
 */
export function asValue(node: MNode, faults?: Faults): MNode {
  if (node.kind !== 'file') return node;
  const found = new Faults();
  const value = readValue(node, found);
  if (faults === undefined) found.throwIfAny();
  else faults.addAll(found);
  return value;
}

function readValue(node: MFile, faults: Faults): MNode {
  const nothing: MNode = { kind: 'scalar', at: node.at, value: null };
  if (!isValueFile(node)) {
    faults.add(node.at, `a file of JSON or YAML is wanted here, and ${node.path} is called neither`);
    return nothing;
  }
  const conflict = conflictIn(node.text, node.path);
  if (conflict !== undefined) {
    faults.add(conflict, conflictMessage);
    return nothing;
  }
  const { documents } = readYamlTree(node.text, node.path, textLimits(limits.nodes), (at, message) =>
    faults.add(at, message),
  );
  const [document, ...more] = documents;
  if (more.length > 0) faults.add(more[0]!.at, 'a second document begins here; a value is one document');
  if (document !== undefined) return plainNode(document, faults);
  if (faults.count === 0) faults.add(node.at, `${node.path} is empty`);
  return nothing;
}

function plainNode(node: YamlNode, faults: Faults): MNode {
  const { at } = node;
  if (node.tag !== undefined)
    faults.add(at, `${node.tag.slice(0, 60)} is not read here: a file taken in with !file is plain data`);
  if (node.kind === 'scalar') return { kind: 'scalar', at, value: node.value };
  if (node.kind === 'list')
    return { kind: 'list', at, items: node.items.map((item) => plainNode(item, faults)) };
  const entries = new Map<string, MEntry>();
  for (const [name, { key, value }] of node.entries)
    entries.set(name, { key, value: plainNode(value, faults) });
  return { kind: 'map', at, entries };
}
