import { describe, expect, it } from 'vitest';
import { Problem } from '../../src/errors/problem.ts';
import { parseYaml } from '../../src/richtext/yaml.ts';

const problemOf = (text: string): Pick<Problem, 'reason' | 'message'> | undefined => {
  try {
    parseYaml(text, 'It');
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { reason: error.reason, message: error.message };
  }
};

describe('parseYaml', () => {
  it('reads values with the types of the core schema', () => {
    expect(parseYaml('a: 1\nb: [true, null, "x"]\nc: {d: 2026-01-01}\ne: yes', 'It')).toEqual({
      a: 1,
      b: [true, null, 'x'],
      c: { d: '2026-01-01' },
      e: 'yes',
    });
  });

  it.each([
    ['flow lists', (depth: number) => '['.repeat(depth) + ']'.repeat(depth)],
    ['flow maps', (depth: number) => '{a: '.repeat(depth) + '}'.repeat(depth)],
    ['lists', (depth: number) => `${'- '.repeat(depth)}a`],
    ['maps', (depth: number) => Array.from({ length: depth }, (_, at) => `${' '.repeat(at)}a:\n`).join('')],
  ])('allows at most 64 levels of %s', (_name, nested) => {
    expect(problemOf(nested(64))).toBeUndefined();
    expect(problemOf(nested(65))).toEqual({
      reason: 'invalid-input',
      message: 'It is nested more than 64 levels deep.',
    });
  });

  it('counts nested levels, not adjacent ones', () => {
    expect(problemOf(`[${'[], '.repeat(200)}]`)).toBeUndefined();
  });

  it('allows at most 500,000 tokens', () => {
    expect(problemOf(`[${'1,'.repeat(260_000)}]`)).toEqual({
      reason: 'too-large',
      message: 'It has too many values for YAML.',
    });
  });

  it('reports the line and column of an error', () => {
    expect(problemOf('a: 1\nb: [')?.message).toMatch(/^It, line 2, column \d+: not valid YAML: .*\.$/);
    expect(problemOf('a: 1\nb: "x\n')?.message).toBe(
      'It, line 2, column 4: not valid YAML: this text begins with " and does not end; add " at its end.',
    );
    expect(problemOf('title: A: B')?.message).toBe(
      'It, line 1, column 8: not valid YAML: this value contains a colon and a space; put it in quotes, or check the indentation of the next line.',
    );
    expect(problemOf('a:\n\tb: 1')?.message).toBe(
      'It, line 2, column 1: this line is indented with a tab; YAML allows only spaces.',
    );
    for (const [text, message] of [
      ['a:\n  b: 1\n  - c', '3, column 1: not valid YAML: this line has an item of a list ("- "), and'],
      ['a: 1\nb\n', '2, column 1: not valid YAML: this line does not have the form "name: value"; check'],
      ['a:\n    b: 1\n  c: 2', '3, column 1: not valid YAML: this line is not indented like the lines'],
      ['a: { b: Guide: one }', '1, column 9: not valid YAML: this value contains a colon and a space, or a'],
      ['a: @home', '1, column 4: not valid YAML: a text cannot begin with this character; put it in'],
      ['a: *', '1, column 4: not valid YAML: a text cannot begin with this character; put it in'],
      ['a: "b" c', '1, column 8: not valid YAML: this does not belong to the value before it; check the'],
    ] as const)
      expect(problemOf(text)?.message).toContain(`It, line ${message}`);
    expect(problemOf('a: 1\n  a: 2')?.message).toMatch(/^It, line \d+, column \d+: not valid YAML: /);
  });
});
