import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeMap, toYaml, type YamlMap } from '../../../src/manifest/export/yaml.ts';
import { Faults } from '../../../src/manifest/read/faults.ts';
import { createFiller } from '../../../src/manifest/read/fill.ts';
import { limits } from '../../../src/manifest/read/limits.ts';
import { readYaml } from '../../../src/manifest/read/read-yaml.ts';
import type { YamlNode } from '../../../src/richtext/yaml-tree.ts';

/** Reads a text as manifests are read, with variables replaced. */
function read(text: string): unknown {
  const faults = new Faults();
  const { documents } = readYaml(text, 'a.yaml', limits.nodes, faults);
  const fill = createFiller(new Map(), {}, faults);
  const plain = (node: YamlNode): unknown => {
    expect(node.tag).toBeUndefined();
    if (node.kind === 'list') return node.items.map(plain);
    if (node.kind === 'map')
      return Object.fromEntries([...node.entries].map(([key, { value }]) => [key, plain(value)]));
    return typeof node.value === 'string' ? fill(node.value, node.at, node.textAt).value : node.value;
  };
  const value = plain(documents[0]!);
  faults.throwIfAny();
  return value;
}

const write = (value: object, more: Partial<YamlMap> = {}) =>
  writeMap({ ...(toYaml(value) as YamlMap), ...more });

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: fc.constantFrom(...'ab1 .:#-?,[]{}&*!|>\'"%@`~$\\\n\t\r=/<+_é☂'), maxLength: 30 }),
  fc.string({ unit: fc.constantFrom('a', 'b c', '\n', '\n\n', '  ', '# x', '${', '- '), maxLength: 12 }),
  fc.constantFrom(
    'null',
    'True',
    'no',
    '1',
    '1.0',
    '-1',
    '0x1',
    '1e3',
    '.5',
    '.inf',
    '12:30',
    '2026-01-01',
    '<<',
    '',
    ' ',
  ),
);
const text = anyText.filter((one) => one.isWellFormed());
const value = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 4 }, text, fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number || 0), fc.boolean(), fc.constant(null), fc.array(tie('any'), { maxLength: 4 }), tie('map')), // prettier-ignore
  map: fc.dictionary(text, tie('any'), { maxKeys: 4, noNullPrototype: true }),
}));

describe('YAML of an export', () => {
  it('is read back as the same values, whatever the texts and the depth', () => {
    fc.assert(
      fc.property(
        value['map'].filter(
          (map) => Object.keys(map as object).length > 0 && !Object.hasOwn(map as object, '__proto__'),
        ),
        (map) => {
          expect(read(write(map as object))).toEqual(map);
          expect(read(write({ outer: [map] }))).toEqual({ outer: [map] });
        },
      ),
      { numRuns: 500 },
    );
  });

  it('looks like YAML that a person would write', () => {
    expect(
      write({
        plain: 'Guide to the API (v2), part 1',
        condition: 'visitor.claims.unsigned.plan == "pro"',
        email: 'ana@acme.test',
        url: 'https://idp.test/x?a=1',
        quoted: ['a: b', 'yes', '007', ' padded', 'a #b', '${x}', 'rtl\u202e'],
        emoji: '📘',
        lines: 'one\n\n  two\nthree\n',
        open: 'one\ntwo',
        odd: 'one \ntwo',
        list: ['a', 'b, c', 1, true, null],
        maps: [{ path: 'guide', default: true }, { text: 'one\ntwo' }, {}],
        long: [
          'a very long text of many words',
          'another very long text of many words',
          'and a third one, so that it does not fit',
        ],
        empty: {},
        none: [],
        'odd key': { '1': 1, true: 2 },
      }),
    ).toMatchInlineSnapshot(`
      "plain: Guide to the API (v2), part 1
      condition: visitor.claims.unsigned.plan == "pro"
      email: ana@acme.test
      url: https://idp.test/x?a=1
      quoted: ["a: b", "yes", "007", " padded", "a #b", "$\${x}", "rtl\\u202e"]
      emoji: "📘"
      lines: |
        one

          two
        three
      open: |-
        one
        two
      odd: "one \\ntwo"
      list: [a, "b, c", 1, true, null]
      maps:
        - { path: guide, default: true }
        - text: |-
            one
            two
        - {}
      long:
        - a very long text of many words
        - another very long text of many words
        - and a third one, so that it does not fit
      empty: {}
      none: []
      "odd key": { "1": 1, "true": 2 }
      "
    `);
  });
});
