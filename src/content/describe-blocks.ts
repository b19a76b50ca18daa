import { yieldToEvents } from '../contract/event-loop.ts';
import type { RichNode } from '../contract/shapes.ts';
import { isRecord } from '../contract/values.ts';
import { LineScanner } from '../richtext/line-scanner.ts';
import { readTagAlone } from '../richtext/read-sections.ts';
import { splitTagLine, type Tag } from '../richtext/tags.ts';
import type { ContentSource } from './content-source.ts';
import { openSpecification } from './generated/open-specification.ts';

/** A block of a specification in a Markdown text. */
interface TextBlock {
  readonly start: number;
  /** The end of its closing tag; of its tag if it has no closing one. */
  end: number;
  readonly tag: Tag;
  readonly node: RichNode;
  readonly spec: string;
  /** The text in front of its further lines: marks of quotes, and the indentation of a list item. */
  readonly margin: string;
}

interface DescribeOptions {
  /** Maximum characters of descriptions in a text (default: a million). A short text may have thousands of blocks. */
  readonly maxLength?: number;
  /** Called with the slug of each block's specification, even if it does not exist. */
  readonly onSpecification?: (slug: string) => void;
}

/** Whether a text may have blocks that `describeBlocks` describes. */
export function mayHaveBlocks(markdown: string): boolean {
  return /\{% *(?:openapi|swagger)/.test(markdown);
}

/**
 * Describes what the OpenAPI blocks of a Markdown text show, as their content. Code, blocks whose specification does not exist,
 * and blocks after too many descriptions do not change.
 */
export async function describeBlocks(
  { tx, space }: ContentSource,
  markdown: string,
  { maxLength = 1_000_000, onSpecification }: DescribeOptions = {},
): Promise<string> {
  if (!mayHaveBlocks(markdown)) return markdown;
  const { describeBlock } = await import('../specification/describe-block.ts');
  let described = '';
  let at = 0;
  let length = 0;
  for (const { start, end, tag, node, spec, margin } of findBlocks(markdown)) {
    onSpecification?.(spec);
    await yieldToEvents();
    const opened = await openSpecification(tx, space.organization, spec);
    const lines = opened && describeBlock(opened.root, node);
    if (lines === undefined) continue;
    const whole = [tag.raw, ...lines, `{% end${tag.name} %}`]
      .map((line) => (margin + line).trimEnd())
      .join('\n')
      .slice(margin.length);
    length += whole.length;
    if (length > maxLength) break;
    described += markdown.slice(at, start) + whole;
    at = end;
  }
  return described + markdown.slice(at);
}

function findBlocks(markdown: string): TextBlock[] {
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
