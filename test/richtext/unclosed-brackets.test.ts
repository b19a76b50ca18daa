import { expect, it } from 'vitest';
import { parseYaml } from '../../src/richtext/yaml.ts';
import { readYamlTree } from '../../src/richtext/yaml-tree.ts';

const limits = {
  depth: 60,
  pieces: 100_000,
  piece: 1e6,
  quoted: 1e6,
  documents: 10,
  nodes: 1000,
};

function faultsOf(text: string): string[] {
  const faults: string[] = [];
  readYamlTree(text, 'a.yaml', limits, ({ line, column }, message) =>
    faults.push(`${line}:${column} ${message}`),
  );
  return faults;
}

it.each([
  [
    'at the end of the file',
    'a:\n  b: { c: 1, d: x\n',
    /^3:1 .*map that begins with \{ in line 2, column 6 /,
  ],
  [
    'before a line that is indented less',
    'a: { b: 1\nc: 2\n',
    /^2:1 .*map that begins with \{ in line 1, column 4 /,
  ],
  ['inside another bracket', 'a: { b: [{ c: 1 }, { d: 2 ]\n', /in line 1, column 20 /],
  [
    'after a closed bracket',
    'a: [x, { y: 1 }]\nb: [1,\n  2\n',
    /list that begins with \[ in line 2, column 4 /,
  ],
  [
    'before a closed bracket',
    'a: [1, { b: 2 }, [3]\nc: 4\n',
    /list that begins with \[ in line 1, column 4 /,
  ],
  ['with brackets in quotes and comments', 'a: "{"\n# [\nb: { c: "}"\n', /in line 3, column 4 /],
  ['with brackets in plain text', 'a: x { y\nb: [ c\n', /in line 2, column 4 /],
])('reports the position of an unclosed bracket %s', (_, text, place) => {
  const [first, ...others] = faultsOf(text);
  expect(first).toMatch(place);
  expect(first).toMatch(/is not closed; add [}\]]/);
  expect(others.length).toBeLessThan(2);
  expect(() => parseYaml(text, 'a.yaml')).toThrow(/is not closed/);
});

it('leaves out errors that follow from a missing closing quotation mark', () => {
  expect(faultsOf('a:\n  g: { title: "G }\n')).toEqual([expect.stringContaining('this text begins with "')]);
});

it('does not change the messages of other errors', () => {
  expect(faultsOf('a: }\n')[0]).not.toContain('is not closed');
});
