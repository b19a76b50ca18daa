import { readYamlTree, type YamlTree } from '../../richtext/yaml-tree.ts';
import type { Faults } from './faults.ts';
import { limits } from './limits.ts';

/** Reads the YAML or JSON of one file, of at most `maxNodes` values; a merge conflict left by git is a fault. */
export function readYaml(text: string, file: string, maxNodes: number, faults: Faults): YamlTree {
  const conflict = /^(<{7}|>{7})( |\r?$)/m.exec(text);
  if (conflict !== null) {
    faults.add(
      { file, line: text.slice(0, conflict.index).split('\n').length, column: 1 },
      'a merge conflict begins here; keep what is right of its sides, and take the lines of <<<<<<<, ======= and >>>>>>> out',
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
