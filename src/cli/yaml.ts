import { LineCounter, Parser, parseDocument } from 'yaml';
import { Problem } from '../errors/problem.ts';

const maxDepth = 64;

/**
 * Parses one YAML document, without aliases and with its depth bounded before `yaml` composes it: a deeply nested
 * text ends the whole process there (RELIABILITY: measured facts), and its own check for equal keys is quadratic.
 */
export function parseYaml(text: string, name: string): unknown {
  checkNesting(text, name);
  const lines = new LineCounter();
  const document = parseDocument(text, { uniqueKeys: false, schema: 'core', lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0]);
    throw new Problem('invalid-input', `${name}, line ${line}, column ${col}: ${error.message}.`);
  }
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch {
    throw new Problem('invalid-input', `${name} uses YAML anchors and aliases, which are not taken here.`, { hint: 'Write the value out where it is used.' });
  }
}

/** The lexer and parser of `yaml` are not recursive; this walks their tokens with a stack of its own. */
function checkNesting(text: string, name: string): void {
  let deepest = 0;
  for (const token of new Parser().parse(text)) {
    const open: { node: unknown; depth: number }[] = [{ node: token, depth: 0 }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (typeof next.node !== 'object' || next.node === null) continue;
      const { type, items, value, key } = next.node as { type?: string; items?: unknown[]; value?: unknown; key?: unknown };
      const depth = type === 'block-map' || type === 'block-seq' || type === 'flow-collection' ? next.depth + 1 : next.depth;
      if (depth > deepest) deepest = depth;
      if (deepest > maxDepth) throw new Problem('invalid-input', `${name} is nested more than ${maxDepth} deep.`);
      for (const inner of [...(items ?? []), value, key]) open.push({ node: inner, depth });
    }
  }
}
