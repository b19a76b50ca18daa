import type { Options, Handle } from 'mdast-util-to-markdown';
import { tagStart } from './tags.ts';
import type { MathBlock, MathText, Wrapped } from './tree.ts';

const wrapped: Handle = (node: Wrapped, _parent, state, info) => {
  const gap = node.isHtml ? '\n\n' : '\n';
  const content = state.containerFlow({ type: 'root', children: node.children }, info);
  return node.open + (content === '' ? '' : gap + content) + (node.close === '' ? '' : gap + node.close);
};

const mathText: Handle & { peek?: () => string } = (node: MathText) => `$$${node.value}$$`;
mathText.peek = () => '$';

const mathBlock: Handle = (node: MathBlock) => `$$\n${node.value}\n$$`;

/** How GitBook's blocks and formulas are written, and what must be escaped so that a text is not taken for them. */
export function gitbookToMarkdown(): Options {
  return {
    handlers: { wrapped, mathText, mathBlock } as NonNullable<Options['handlers']>,
    join: [
      (left, right) => {
        // A quote that interrupts a paragraph cannot begin with a list that starts at 0.
        const needsGap =
          right.type === 'blockquote' ||
          [left.type, right.type].some(
            (type) => type === 'wrapped' || type === 'html' || type === 'mathBlock',
          );
        return needsGap ? 1 : undefined;
      },
    ],
    unsafe: [
      { atBreak: true, character: '{', after: tagStart },
      { character: '$', after: '(?=\\$)', inConstruct: 'phrasing' },
    ],
  };
}
