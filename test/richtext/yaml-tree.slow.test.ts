import { describe, expect, it } from 'vitest';
import { readYamlTree, type TreeLimits, type YamlNode } from '../../src/richtext/yaml-tree.ts';

const limits: TreeLimits = { depth: 5, pieces: 400, piece: 2000, quoted: 1000, documents: 2, nodes: 20 };

/** Returns the values without positions, and the errors with `line:column`. */
function read(
  text: string,
  more: Partial<TreeLimits> = {},
): { readonly values: unknown[]; readonly faults: string[] } {
  const faults: string[] = [];
  const { documents, whole } = readYamlTree(
    text,
    'a.yaml',
    { ...limits, ...more },
    ({ file, line, column }, message) => {
      expect(file).toBe('a.yaml');
      faults.push(`${line}:${column} ${message}`);
    },
  );
  if (faults.length === 0) expect(whole).toBe(true);
  return { values: documents.map(plain), faults };
}

function plain(node: YamlNode): unknown {
  const value =
    node.kind === 'scalar'
      ? node.value
      : node.kind === 'list'
        ? node.items.map(plain)
        : Object.fromEntries([...node.entries].map(([key, entry]) => [key, plain(entry.value)]));
  return node.tag === undefined ? value : { [node.tag]: value };
}

describe('readYamlTree', () => {
  it('reads values, tags and several documents', () => {
    expect(
      read('a: 1\nb: [x, null, true]\nc: !ref d\ne: !!int 7\nf: !!str 8\n---\n---\n', { documents: 3 }),
    ).toEqual({
      values: [{ a: 1, b: ['x', null, true], c: { '!ref': 'd' }, e: { '!!int': 7 }, f: '8' }],
      faults: [],
    });
  });

  it('returns the positions of values, of their text and of their tags', () => {
    const { documents, nodes } = readYamlTree('a: !ref "x"\nb:\n  - y\n', 'f', limits, (_at, message) => {
      throw new Error(message);
    });
    const [map] = documents;
    if (map?.kind !== 'map') throw new Error('no map');
    expect(nodes).toBe(4);
    expect(map.entries.get('a')).toEqual({
      key: { file: 'f', line: 1, column: 1 },
      value: {
        kind: 'scalar',
        at: { file: 'f', line: 1, column: 4 },
        tag: '!ref',
        value: 'x',
        textAt: { file: 'f', line: 1, column: 10 },
      },
    });
    expect(map.entries.get('b')?.value.at).toEqual({ file: 'f', line: 3, column: 3 });
  });

  it.each([
    ['a: 1\na: 2', '2:1 the key "a" is already used in line 1, column 1'],
    ['a: &x 1', '1:7 "&x" is a YAML anchor, which is not supported; remove it'],
    ['? [a]\n: b', '1:3 a key must be a plain word, not a list or a map'],
    ['1: b', '1:1 the key 1 is not a string; put it in quotes'],
    ['!x a: b', '1:4 a key cannot have a tag such as !x'],
    ['<<: {a: 1}', '1:1 "<<" is a YAML merge key, which is not supported; write the fields out'],
    ['a: .inf', '1:4 this is not a finite number; put it in quotes if it is a text'],
    [
      'a: 9007199254740992',
      '1:4 this number is larger than 9007199254740991 and would lose digits; put it in quotes',
    ],
    ['a: "\\ud800"', '1:4 this text contains half a surrogate pair, which is not a character'],
    ['a:\n\tb: 1', '2:1 this line is indented with a tab; YAML allows only spaces'],
    ['%YAML 1.2\n---\na: 1', '1:1 YAML directives ("%…") are not supported; remove the line'],
    [
      'a: \u0007',
      '1:4 the control character U+0007 is not allowed; remove it, or write it as \\x07 in double quotes',
    ],
  ])('refuses %j', (text, fault) => expect(read(text).faults).toContain(fault));

  it('reads exact numbers', () => {
    expect(read('[9007199254740991, -0, 1e30, 0x10]')).toEqual({
      values: [[9007199254740991, 0, 1e30, 16]],
      faults: [],
    });
  });

  it('allows anchors, aliases and number keys in lenient mode', () => {
    expect(read('a: &x {b: 1, c: 2}\nd: {<<: *x, c: 3}\n4: *x', { lenient: true })).toEqual({
      values: [{ 4: { b: 1, c: 2 }, a: { b: 1, c: 2 }, d: { b: 1, c: 3 } }],
      faults: [],
    });
    expect(read('a: *x', { lenient: true }).faults).toEqual([
      '1:4 there is no anchor "&x" before this alias',
    ]);
    expect(read('a: &x 1\n<<: *x', { lenient: true }).faults).toEqual(['1:7 "<<" takes maps']);
  });

  it('allows aliases nested up to 16 levels', () => {
    const text = (depth: number) =>
      `a0: &a0 1\n${Array.from({ length: depth }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}]\n`).join('')}`;
    const many: Partial<TreeLimits> = { lenient: true, nodes: 10_000, pieces: 10_000 };
    expect(read(text(16), many).faults).toEqual([]);
    expect(read(text(17), many).faults).toEqual(['2:10 aliases are nested too deeply']);
  });

  it.each<[string, Partial<TreeLimits>, (count: number) => string, number, RegExp]>([
    [
      'levels',
      { depth: 5 },
      (count) => '['.repeat(count) + ']'.repeat(count),
      5,
      /nested more than 5 levels deep/,
    ],
    ['values', { nodes: 20 }, (count) => `[${'a,'.repeat(count - 1)}]`, 20, /more than 20 values/],
    [
      'documents',
      { documents: 2 },
      (count) => Array.from({ length: count }, (_, at) => `a: ${at}\n`).join('---\n'),
      2,
      /^4:1 more than 2 documents in one file/,
    ],
    [
      'documents if one is expected',
      { documents: 1 },
      (count) => 'a: 1\n---\n'.repeat(count - 1),
      1,
      /more than 1 document in one file/,
    ],
    [
      'ends of documents',
      { documents: 2 },
      (count) => '...\n'.repeat(count),
      2,
      /more than 2 documents in one file/,
    ],
    [
      'characters of a text',
      { piece: 2000 },
      (count) => 'a'.repeat(count),
      2000,
      /a text of more than 0 MiB/,
    ],
    [
      'quoted characters',
      { quoted: 1000 },
      (count) => `"${'a'.repeat(count - 2)}"`,
      1000,
      /more than 0 MiB of quoted text/,
    ],
    [
      'lines',
      { pieces: 2_000_000 },
      (count) => '\n'.repeat(count - 1),
      500_000,
      /more than 500000 lines; split the file/,
    ],
  ])('limits the number of %s', (_name, more, text, max, fault) => {
    expect(read(text(max), more).faults).toEqual([]);
    expect(read(text(max + 1), more).faults).toEqual([expect.stringMatching(fault)]);
  });

  it('limits the number of quoted texts of more than 100 characters', () => {
    const quoted = (length: number) => `["${'a'.repeat(length - 2)}", "${'b'.repeat(length - 2)}"]`;
    expect(read(quoted(100), { quoted: 10 }).faults).toEqual([]);
    expect(read(quoted(101), { quoted: 10 }).faults).toHaveLength(1);
  });

  it('reports the first error of a line, and about 60 errors of a text', () => {
    const faults = read('a: [\n'.repeat(200), { depth: 1000, pieces: 10_000, nodes: 10_000 }).faults;
    expect(new Set(faults.map((fault) => fault.split(':')[0])).size).toBe(faults.length);
    expect(faults.length).toBeLessThanOrEqual(61);
  });

  it('never shows the invalid text', () => {
    const { faults } = read('a: b: secret');
    expect(faults).toHaveLength(1);
    expect(faults.join()).not.toContain('secret');
  });
});
