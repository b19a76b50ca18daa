import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../../src/cli/output/width.ts';
import { wrapMessage } from '../../../src/cli/output/wrap-message.ts';

describe('wrapMessage', () => {
  it('breaks between words, and indents continuation lines', () => {
    expect(wrapMessage('error: The page "start" does not exist in the space', 30)).toBe(
      'error: The page "start" does\n  not exist in the space',
    );
    expect(wrapMessage('short\n    one two three four', 16)).toBe('short\n    one two\n    three four');
  });

  it('does not break commands and URLs', () => {
    expect(wrapMessage('hint: Run `docsctl pages list --space Elsa`, or ask.', 36)).toBe(
      'hint: Run\n  `docsctl pages list --space Elsa`,\n  or ask.',
    );
    const url = `https://example.com/${'a'.repeat(40)}`;
    expect(wrapMessage(`See ${url} for more.`, 30)).toBe(`See\n  ${url}\n  for more.`);
    const command = `  docsctl pages list --space ${'Elsa '.repeat(8)}`;
    expect(wrapMessage(command, 30)).toBe(command);
  });

  it('loses no text, and exceeds the width only for long words', () => {
    const text = fc
      .array(fc.constantFrom('a', 'word', 'longer-word', '`a b`', '日本', ' '), { maxLength: 40 })
      .map((parts) => parts.join(' '));
    fc.assert(
      fc.property(text, fc.integer({ min: 16, max: 60 }), (given, width) => {
        const wrapped = wrapMessage(given, width);
        expect(wrapped.replace(/\s+/g, ' ').trim()).toBe(given.replace(/\s+/g, ' ').trim());
        for (const line of wrapped.trimEnd().split('\n'))
          expect(displayWidth(line.trim())).toBeLessThanOrEqual(width);
      }),
    );
  });
});
