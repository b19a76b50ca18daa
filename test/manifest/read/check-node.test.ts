import { describe, expect, it } from 'vitest';
import { closed, Id, nullable, oneOf, Type, Url } from '../../../src/contract/schema.ts';
import { DefaultLevel, MergeRules, RichDocument } from '../../../src/contract/shapes.ts';
import { isOperation } from '../../../src/contract/operation.ts';
import { nouns } from '../../../src/resources/index.ts';
import { checkNode } from '../../../src/manifest/read/check-node.ts';
import { Faults } from '../../../src/manifest/read/faults.ts';
import { toJson } from '../../../src/manifest/read/json.ts';
import {
  acceptsNull,
  choicesOf,
  isIdSchema,
  recordOf,
  typeOf,
  type Schema,
} from '../../../src/manifest/read/schema.ts';
import { faultsIn, read } from './folder.ts';

async function checked(text: string, schema: Schema, files: Record<string, string> = {}) {
  const { root } = await read({ 'org.yaml': `version: 1\nx: ${text}\n`, ...files });
  const faults = new Faults();
  return { node: checkNode(root.entries.get('x')!.value, schema, faults), faults };
}

async function wrong(text: string, schema: Schema, files: Record<string, string> = {}): Promise<string[]> {
  const { faults } = await checked(text, schema, files);
  return faults.count === 0 ? [] : faultsIn((async () => faults.throwIfAny())());
}

const string = Type.String({ minLength: 2, maxLength: 5 });
const space = closed({
  title: string,
  emoji: Type.Optional(nullable(Type.String())),
  parent: Type.Optional(Type.String({ ref: true })),
  level: Type.Optional(oneOf(['read', 'edit', 'comment'])),
  hidden: Type.Optional(Type.Boolean()),
  order: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
  tags: Type.Optional(Type.Array(string, { minItems: 1, maxItems: 2 })),
  names: Type.Optional(Type.Record(Type.String({ pattern: '^[a-z]+$' }), string, { maxProperties: 2 })),
  token: Type.Optional(Type.String()),
  schema: Type.Optional(Type.Unsafe({})),
  url: Type.Optional(Type.String({ format: 'uri' })),
  slug: Type.Optional(Type.String({ pattern: '^[a-z]+$' })),
  rules: Type.Optional(
    Type.Union([
      closed({ type: oneOf(['none']) }),
      closed({ type: Type.Literal('some'), count: Type.Optional(Type.Integer()) }),
      Type.Array(string),
    ]),
  ),
});

describe('checkNode', () => {
  it('reports invalid names in a map, quoting at most 100 characters of them', async () => {
    const emails = Type.Record(Type.String({ pattern: '^[^@]+@[^@]+$' }), string);
    expect(await wrong('{ ana: abc }', emails)).toEqual([
      expect.stringMatching(/: "ana" is not a valid email address$/),
    ]);
    expect(await wrong('{ names: { A: abc } }', closed({ names: space.properties.names }))).toEqual([
      expect.stringMatching(/: "A" is not a valid name; it must match \^\[a-z\]\+\$$/),
    ]);
    const long = 'x'.repeat(101);
    expect(await wrong(`{ ${long}: abc }`, emails)).toEqual([
      expect.stringMatching(/: "x{100}" is not a valid email address$/),
    ]);
  });

  it('accepts valid values', async () => {
    const text =
      '{ title: Guide, emoji: null, parent: !ref a.b, level: edit, hidden: true, order: 3, tags: [ab], names: { a: bc }, schema: { any: [1, null] }, url: "https://a.test/", slug: abc, rules: { type: some, count: 2 } }';
    expect(await wrong(text, space)).toEqual([]);
    expect(await wrong('{ title: Guide, parent: !lookup { title: A }, rules: [ab] }', space)).toEqual([]);
    expect(await wrong('{ title: !file t.txt, parent: spc_1 }', space, { 't.txt': 'four' })).toEqual([]);
  });

  const cases: [text: string, faults: string[]][] = [
    ['{ title: ab, emojy: x }', ['2:17: "emojy" is not a known field; did you mean "emoji"?']],
    [
      '{ title: ab, __proto__: x, constructor: y }',
      ['2:17: "__proto__"', '2:31: "constructor"'].map(
        (at) =>
          `${at} is not a known field; expected one of title, emoji, parent, level, hidden, order, tags, names, token, schema, url, slug and 1 more`,
      ),
    ],
    ['{ emoji: x }', ['2:4: the field "title" is required']],
    [
      '[title]',
      [
        '2:4: a list is not allowed here; expected a map with fields such as title, emoji, parent, level, hidden, order, tags, names, token, schema, url, slug',
      ],
    ],
    [
      'text',
      [
        '2:4: a text is not allowed here; expected a map, such as { title: text }, with fields such as title, emoji, parent, level, hidden, order, tags, names, token, schema, url, slug',
      ],
    ],
    ['null', ['2:4: null is not allowed here; indent its fields on the lines below, or write {} for none']],
    ['{ title: null }', ['2:13: null is not allowed here; omit the field to keep its value']],
    ['{ title: ab, tags: null }', ['2:23: null is not allowed here; write [] for none']],
    ['{ title: 12 }', ['2:13: 12 must be text; put it in quotes']],
    ['{ title: [a] }', ['2:13: a list is not allowed here; expected text']],
    ['{ title: a }', ['2:13: "a" must have at least 2 characters']],
    ['{ title: abcdef }', ['2:13: this text is 6 characters long; at most 5 are allowed']],
    ['{ title: 📘📘📘📘📘 }', []],
    ['{ title: 📘📘📘📘📘📘 }', ['2:13: this text is 6 characters long; at most 5 are allowed']],
    ['{ title: !ref a.b }', ['2:13: !ref is not allowed here; expected text']],
    ['{ title: ab, level: raed }', ['2:24: "raed" is not one of: read, edit, comment; did you mean read?']],
    [
      '{ title: ab, hidden: yes }',
      [
        '2:25: "yes" must be true or false; write true or false without quotes (yes, no, on and off are plain text in YAML 1.2)',
      ],
    ],
    ['{ title: ab, order: "3" }', ['2:24: "3" must be a whole number; remove the quotes']],
    ['{ title: ab, order: 1.5 }', ['2:24: 1.5 must be a whole number']],
    ['{ title: ab, order: 0 }', ['2:24: 0 must be at least 1']],
    ['{ title: ab, order: 10 }', ['2:24: 10 must be at most 9']],
    ['{ title: ab, order: !file t.txt }', ['2:24: !file inserts text; expected a whole number']],
    ['{ title: ab, tags: [] }', ['2:23: this list has 0 items; at least 1 are required']],
    [
      '{ title: ab, tags: [ab, 1, cd] }',
      ['2:23: this list has 3 items; at most 2 are allowed', '2:28: 1 must be text; put it in quotes'],
    ],
    ['{ title: ab, tags: {} }', ['2:23: a map is not allowed here; expected a list']],
    ['{ title: ab, names: { A: bc } }', ['2:26: "A" is not a valid name; it must match ^[a-z]+$']],
    [
      '{ title: ab, names: { a: bc, b: bc, c: bc } }',
      ['2:24: this map has 3 entries; at most 2 are allowed'],
    ],
    ['{ title: ab, url: nowhere }', ['2:22: "nowhere" is not a valid URL']],
    ['{ title: ab, slug: A1 }', ['2:23: must match ^[a-z]+$']],
    ['{ title: ab, rules: { type: some, count: x } }', ['2:45: "x" must be a whole number']],
    ['{ title: ab, rules: { type: else } }', ['2:24: must contain one of type: none, type: some']],
    ['{ title: ab, rules: text }', ['2:24: a text is not allowed here; expected a map of fields or a list']],
    ['{ title: ab, rules: [a] }', ['2:25: "a" must have at least 2 characters']],
    [
      '!ref a.b',
      [
        '2:4: !ref is not allowed here; expected a map with fields such as title, emoji, parent, level, hidden, order, tags, names, token, schema, url, slug',
      ],
    ],
    ['!file t.txt', ['2:4: t.txt is not a .json, .yaml or .yml file']],
  ];
  it.each(cases)('refuses %s', async (text, faults) => {
    expect(await wrong(text, space, { 't.txt': 'text' })).toEqual(faults.map((fault) => `org.yaml:${fault}`));
  });

  it('reads files in place of maps and lists, and reports mistakes in them', async () => {
    const { node, faults } = await checked('!file s.yaml', space, {
      's.yaml': 'title: Abc\ntags:\n  - ab\n',
    });
    expect(faults.count).toBe(0);
    expect(toJson(node)).toEqual({ title: 'Abc', tags: ['ab'] });
    expect(await wrong('{ title: ab, tags: !file s.json }', space, { 's.json': '[\n  1, "ab"]' })).toEqual([
      's.json:2:3: 1 must be text; put it in quotes',
    ]);
    expect(toJson((await checked('!file s.json', Type.Unsafe({}), { 's.json': '{"a":[1]}' })).node)).toEqual({
      a: [1],
    });
    expect(toJson((await checked('!file s.md', Type.Unsafe({}), { 's.md': '# A' })).node)).toBe('# A');
  });
});

describe('schemas of the API', () => {
  const schemas: [name: string, schema: Schema, type: string, facts: object][] = [
    ['an object', closed({ a: Type.Integer() }), 'map', { null: false }],
    ['an id or null', nullable(Id), 'scalar', { null: true, id: true }],
    ['words', oneOf(['a', 'b']), 'scalar', { choices: ['a', 'b'] }],
    ['a list', Type.Array(Url, { maxItems: 3 }), 'list', {}],
    [
      'names that are ids',
      Type.Record(Id, Type.Boolean(), { maxProperties: 2 }),
      'record',
      { record: { pattern: '^[a-zA-Z0-9_-]+$', value: { type: 'boolean' } } },
    ],
    [
      'any names',
      Type.Record(Type.String(), Type.Number()),
      'record',
      { record: { value: { type: 'number' } } },
    ],
    [
      'literals',
      Type.Union([Type.Literal('a'), Type.Literal(2), Type.Null()]),
      'scalar',
      { null: true, choices: ['a', 2] },
    ],
    ['an open object', Type.Object({ a: Type.String() }), 'map', {}],
    ['any object', Type.Object({}), 'record', { record: { value: {} } }],
    ['a level', DefaultLevel, 'scalar', { null: true }],
    ['a document', RichDocument, 'any', {}],
    ['rules', MergeRules, 'union', {}],
  ];
  it.each(schemas)('describe %s', (_, schema, type, facts) => {
    expect(typeOf(schema)).toBe(type);
    expect({
      null: acceptsNull(schema),
      id: isIdSchema(schema),
      choices: choicesOf(schema),
      record: recordOf(schema),
    }).toMatchObject(facts);
  });

  it('are checked', async () => {
    const schema = closed({
      title: Type.Optional(Type.String({ maxLength: 5 })),
      parent: nullable(Id),
      role: oneOf(['a', 'b']),
      n: Type.Integer({ minimum: 0 }),
      open: Type.Optional(Type.Object({ a: Type.String() })),
    });
    expect(await wrong('{ parent: null, role: a, n: 0, open: { a: x, b: [y] } }', schema)).toEqual([]);
    expect(await wrong('{ title: abcdef, role: c, n: -1, open: {} }', schema)).toEqual([
      'org.yaml:2:4: the field "parent" is required',
      'org.yaml:2:13: this text is 6 characters long; at most 5 are allowed',
      'org.yaml:2:27: "c" is not one of: a, b',
      'org.yaml:2:33: -1 must be at least 0',
      'org.yaml:2:43: the field "a" is required',
    ]);
  });

  it('can be recursive', async () => {
    const schema = Type.Recursive((Self) =>
      closed({ title: Type.String(), pages: Type.Optional(Type.Array(Self)) }),
    );
    expect(await wrong('{ title: a, pages: [{ title: b, pages: [{ titel: c }] }] }', schema)).toEqual([
      'org.yaml:2:44: the field "title" is required',
      'org.yaml:2:46: "titel" is not a known field; did you mean "title"?',
    ]);
  });

  it('can be unions, of which the type of a map selects one', async () => {
    const rules = MergeRules;
    expect(await wrong('{ type: inherit }', rules)).toEqual([]);
    expect(await wrong('{ type: rules, rules: [{ rule: allow_bypass }] }', rules)).toEqual([]);
    expect(await wrong('{ type: rules, rules: [{ rule: alow_bypass }] }', rules)).toEqual([
      expect.stringContaining('did you mean allow_bypass?'),
    ]);
  });

  it('have a known type for the body of every operation', async () => {
    let bodies = 0;
    for (const noun of nouns) {
      for (const operation of Object.values(await noun.contract()).filter(isOperation)) {
        if (operation.body === undefined) continue;
        bodies++;
        expect(typeOf(operation.body), operation.id).toMatch(/^(map|record|union|any|list)$/);
      }
    }
    expect(bodies).toBeGreaterThan(50);
  });
});
