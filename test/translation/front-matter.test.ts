import { describe, expect, it } from 'vitest';
import { translateFrontMatter } from '../../src/translation/front-matter.ts';

const fields = { title: 'Début', description: 'Comment : commencer' };

describe('translateFrontMatter', () => {
  it.each([
    [
      'with its own words',
      '---\ntitle: Start # t\nicon: x\ndescription: How to start\n---\n',
      '---\ntitle: Début # t\nicon: x\ndescription: "Comment : commencer"\n---\n',
    ],
    [
      'with words on lines of their own',
      '---\ndescription: >-\n  How to\n  start\nicon: x\n---\n',
      '---\ndescription: "Comment : commencer"\nicon: x\n---\n',
    ],
    [
      'with its own line breaks',
      '\uFEFF---\r\ndescription: "How"\r\n---\r\n',
      '\uFEFF---\r\ndescription: "Comment : commencer"\r\n---\r\n',
    ],
    ['without words to translate', '---\nicon: x\n---\n', '---\nicon: x\n---\n'],
    ['with words that are not text', '---\ndescription: 7\n---\n', '---\ndescription: 7\n---\n'],
  ])('translates front matter %s', (_name, given, wanted) =>
    expect(translateFrontMatter(given, fields)).toBe(wanted),
  );

  it('keeps a description without a translation', () => {
    expect(translateFrontMatter('---\ndescription: How\n---\n', { title: 'T' })).toBe(
      '---\ndescription: How\n---\n',
    );
  });
});
