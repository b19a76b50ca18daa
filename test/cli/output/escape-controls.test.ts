import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeControls, escapeControlsByLine } from '../../../src/cli/output/escape-controls.ts';

const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      ...'a9 \\\n\r\t\u001b\u009b\u202e\u200b\u200c\u200d\ufe0f\u17b4\u0915\u094d\u0645葛👩❤🏽🏴',
      '\ud83d',
      '\u{E0067}',
      '\u{E007F}',
      '\u{E0100}',
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
  maxLength: 30,
});

describe('escapeControls', () => {
  it.each([
    ['\u001b[31mred\u001b[0m', '\\u001b[31mred\\u001b[0m'],
    ['two\nlines\r\tand a tab', 'two\\nlines\\r\\tand a tab'],
    ['\u009b2J', '\\u009b2J'],
    ['invoice\u202egpj.exe', 'invoice\\u202egpj.exe'],
    ['ad\u200bmin', 'ad\\u200bmin'],
    ['soft\u00adhyphen\ufeff', 'soft\\u00adhyphen\\ufeff'],
    ['\ud800', '\\ud800'],
    ['a\u2028b', 'a\\u2028b'],
    ['hidden\u{E0041}', 'hidden\\udb40\\udc41'],
    ['blank\u2800\u3164', 'blank\\u2800\\u3164'],
    ['a\ufe0f\ufe0f', 'a\ufe0f\\ufe0f'],
    ['x\u200dy', 'x\\u200dy'],
  ])('shows %j as %s', (text, shown) => expect(escapeControls(text)).toBe(shown));

  it.each([
    'plain text',
    '日本語のドキュメント',
    '👨‍👩‍👧 👍🏽 🧑🏽‍💻 ❤️‍🔥 1️⃣',
    '🇩🇪 🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    'e\u0301 Ångström',
    'می‌خواهم',
    'क्‍ष',
    'עברית العربية',
    '葛󠄀',
    'ไทย',
  ])('does not change %s', (text) => expect(escapeControls(text)).toBe(text));

  it('leaves no control character, bidi override or lone surrogate in any text', () => {
    fc.assert(
      fc.property(
        anyText,
        (text) =>
          void expect(escapeControls(text)).not.toMatch(
            /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\u200b\u2060-\u2064\ufeff\u00ad]/u,
          ),
      ),
    );
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(
        anyText,
        (text) => void expect(escapeControls(escapeControls(text))).toBe(escapeControls(text)),
      ),
      { numRuns: 1000 },
    );
  });

  it('keeps line breaks only in escapeControlsByLine', () => {
    fc.assert(
      fc.property(
        anyText,
        (text) =>
          void expect(escapeControlsByLine(text)).toBe(text.split('\n').map(escapeControls).join('\n')),
      ),
    );
  });

  it('escapes JSON to JSON with the same value', () => {
    fc.assert(
      fc.property(
        anyText,
        (text) =>
          void expect(JSON.parse(escapeControlsByLine(JSON.stringify({ [text]: text }, null, 2)))).toEqual({
            [text]: text,
          }),
      ),
    );
  });
});
