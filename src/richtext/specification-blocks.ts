import type { RichNode } from '../contract/shapes.ts';
import { isRecord } from '../contract/values.ts';
import { LineScanner } from './line-scanner.ts';
import { readTagAlone } from './read-sections.ts';
import { splitTagLine, type Tag } from './tags.ts';

/** A block of a specification in a Markdown text. */
export interface TextBlock {
  readonly start: number;
  /** The end of its closing tag; of its tag if it has no closing one. */
  end: number;
  readonly tag: Tag;
  readonly node: RichNode;
  readonly spec: string;
  /** The text in front of its further lines: marks of quotes, and the indentation of a list item. */
  readonly margin: string;
}

/** Whether a text may have blocks of specifications. */
export function mayHaveSpecificationBlocks(markdown: string): boolean {
  return /\{% *(?:openapi|swagger)/.test(markdown);
}

/** Finds the blocks that show operations, schemas or webhooks of specifications, outside of code. */
export function findSpecificationBlocks(markdown: string): TextBlock[] {
  const found: TextBlock[] = [];
  let open: TextBlock | undefined;
  /** The tags of other blocks in the open one that are not closed yet. */
  let inside: string[] = [];
  for (const scanner = new LineScanner(markdown); scanner.next();) {
    if (scanner.kind !== 'text') continue;
    const line = markdown.slice(scanner.content, scanner.end);
    if (!line.startsWith('{%')) continue;
    const [tag, ...rest] = splitTagLine(line);
    if (typeof tag !== 'object') continue;
    if (tag.isClosing) {
      if (inside.at(-1) === tag.name) inside.pop();
      else {
        if (rest.length === 0 && tag.name === open?.tag.name) open.end = scanner.end;
        open = undefined;
      }
      continue;
    }
    const node = readTagAlone(tag);
    const ref = node?.data?.['ref'];
    const spec = isRecord(ref) ? ref['spec'] : undefined;
    if (node === undefined || typeof spec !== 'string') {
      if (rest.length === 0) inside.push(tag.name);
      continue;
    }
    const last = rest.at(-1);
    const isWhole = typeof last === 'object' && last.isClosing && last.name === tag.name;
    if (rest.length > 0 && !isWhole) continue;
    const margin = markdown.slice(scanner.start, scanner.content).replace(/[^\s>]/g, ' ');
    const block = { start: scanner.content, end: scanner.end, tag, node, spec, margin };
    found.push(block);
    open = isWhole ? undefined : block;
    inside = [];
  }
  return found;
}
