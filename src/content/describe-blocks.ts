import { yieldToEvents } from '../contract/event-loop.ts';
import { findSpecificationBlocks, mayHaveSpecificationBlocks } from '../richtext/specification-blocks.ts';
import type { ContentSource } from './content-source.ts';
import { openSpecification } from './generated/open-specification.ts';

interface DescribeOptions {
  /** Maximum characters of descriptions in a text (default: a million). A short text may have thousands of blocks. */
  readonly maxLength?: number;
  /** Called with the slug of each block's specification, even if it does not exist. */
  readonly onSpecification?: (slug: string) => void;
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
  if (!mayHaveSpecificationBlocks(markdown)) return markdown;
  const { describeBlock } = await import('../specification/describe-block.ts');
  let described = '';
  let at = 0;
  let length = 0;
  for (const { start, end, tag, node, spec, margin } of findSpecificationBlocks(markdown)) {
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
