import { describe, expect, it } from 'vitest';
import { closed, Id, nullable, oneOf, Type, Url } from '../../../src/contract/schema.ts';
import { DefaultLevel, MergeRules, RichDocument } from '../../../src/contract/shapes.ts';
import { isOperation } from '../../../src/contract/operation.ts';
import { nouns } from '../../../src/resources/index.ts';
import { checkShape } from '../../../src/manifest/read/check-shape.ts';
import { Faults } from '../../../src/manifest/read/faults.ts';
import { fromSchema } from '../../../src/manifest/read/from-schema.ts';
import { toJson } from '../../../src/manifest/read/to-json.ts';
import type { Shape } from '../../../src/manifest/read/shape.ts';
import { faultsIn, problemIn, read } from './folder.ts';

async function checked(text: string, shape: Shape, files: Record<string, string> = {}) {
  const { root } = await read(
    { 'org.yaml': `version: 1\nx: ${text}\n`, ...files },
    { env: { T: 'hush-hush' } },
  );
  const faults = new Faults();
  return { node: checkShape(root.entries.get('x')!.value, shape, faults), faults };
}

async function wrong(text: string, shape: Shape, files: Record<string, string> = {}): Promise<string[]> {
  const { faults } = await checked(text, shape, files);
  return faults.count === 0 ? [] : faultsIn((async () => faults.throwIfAny())());
}

const string: Shape = { kind: 'scalar', types: ['string'], minLength: 2, maxLength: 5 };
const space: Shape = {
  kind: 'map',
  fields: {
    title: string,
    emoji: { kind: 'scalar', types: ['string'], nullable: true },
    parent: { kind: 'scalar', types: ['string'], id: true },
    level: { kind: 'scalar', types: ['string'], enum: ['read', 'edit', 'comment'] },
    hidden: { kind: 'scalar', types: ['boolean'] },
    order: { kind: 'scalar', types: ['integer'], minimum: 1, maximum: 9 },
    tags: { kind: 'list', item: string, minItems: 1, maxItems: 2 },
    names: { kind: 'mapOf', value: string, keyPattern: '^[a-z]+$', maxEntries: 2 },
    token: { kind: 'scalar', types: ['string'], secret: true },
    schema: { kind: 'any' },
    url: { kind: 'scalar', types: ['string'], format: 'uri' },
    slug: { kind: 'scalar', types: ['string'], pattern: '^[a-z]+$' },
    rules: {
      kind: 'oneOf',
      shapes: [
        {
          kind: 'map',
          fields: { type: { kind: 'scalar', types: ['string'], enum: ['none'] } },
          required: ['type'],
        },
        {
          kind: 'map',
          fields: {
            type: { kind: 'scalar', types: ['string'], enum: ['some'] },
            count: { kind: 'scalar', types: ['integer'] },
          },
          required: ['type'],
        },
        { kind: 'list', item: string },
      ],
    },
  },
  required: ['title'],
};

describe('checkShape', () => {
  it('takes what fits', async () => {
    const text =
      '{ title: Guide, emoji: null, parent: !ref a.b, level: edit, hidden: true, order: 3, tags: [ab], names: { a: bc }, token: !secret { env: T }, schema: { any: [1, null] }, url: "https://a.test/", slug: abc, rules: { type: some, count: 2 } }';
    expect(await wrong(text, space)).toEqual([]);
    expect(
      await wrong('{ title: Guide, parent: !lookup { title: A }, token: !file t.pem, rules: [ab] }', space, {
        't.pem': 'x',
      }),
    ).toEqual([]);
    expect(await wrong('{ title: !file t.txt, parent: spc_1 }', space, { 't.txt': 'four' })).toEqual([]);
  });

  const cases: [text: string, faults: string[]][] = [
    ['{ title: ab, emojy: x }', ['2:17: "emojy" is not a known field; did you mean "emoji"?']],
    [
      '{ title: ab, __proto__: x, constructor: y }',
      ['2:17: "__proto__" is not a known field', '2:31: "constructor" is not a known field'],
    ],
    ['{ emoji: x }', ['2:4: the field "title" is missing']],
    ['[title]', ['2:4: a list stands where a map of fields is wanted']],
    ['text', ['2:4: a text stands where a map of fields is wanted']],
    ['null', ['2:4: null is not taken here; write {} for none']],
    ['{ title: null }', ['2:13: null is not taken here; leave the field out to leave it as it is']],
    ['{ title: ab, tags: null }', ['2:23: null is not taken here; write [] for none']],
    ['{ title: 12 }', ['2:13: must be a text; put it in quotes']],
    ['{ title: [a] }', ['2:13: a list stands where a text is wanted']],
    ['{ title: a }', ['2:13: is shorter than 2 characters']],
    ['{ title: abcdef }', ['2:13: is 6 characters long; at most 5 are taken']],
    ['{ title: !ref a.b }', ['2:13: !ref is not taken here: a text is wanted']],
    ['{ title: !secret { env: T } }', ['2:13: a secret is not taken here: this field is shown to readers']],
    ['{ title: ab, level: raed }', ['2:24: must be one of: read, edit, comment; did you mean read?']],
    [
      '{ title: ab, hidden: yes }',
      ['2:25: must be true or false; in YAML 1.2 yes, no, on, off and all that stands in quotes are texts'],
    ],
    ['{ title: ab, order: "3" }', ['2:24: must be a whole number; take the quotes off']],
    ['{ title: ab, order: 1.5 }', ['2:24: must be a whole number']],
    ['{ title: ab, order: 0 }', ['2:24: must be at least 1']],
    ['{ title: ab, order: 10 }', ['2:24: must be at most 9']],
    ['{ title: ab, order: !file t.txt }', ['2:24: !file gives a text, and a whole number is wanted']],
    ['{ title: ab, tags: [] }', ['2:23: this list has 0 items; at least 1 are wanted']],
    [
      '{ title: ab, tags: [ab, 1, cd] }',
      ['2:23: this list has 3 items; at most 2 are taken', '2:28: must be a text; put it in quotes'],
    ],
    ['{ title: ab, tags: {} }', ['2:23: a map stands where a list is wanted']],
    ['{ title: ab, names: { A: bc } }', ['2:26: "A" is not taken as a name here; it must match ^[a-z]+$']],
    ['{ title: ab, names: { a: bc, b: bc, c: bc } }', ['2:24: this map has 3 entries; at most 2 are taken']],
    [
      '{ title: ab, token: hunter2 }',
      ['2:24: a secret is not written in a manifest; write !secret { env: NAME } or !secret { file: path }'],
    ],
    [
      '{ title: ab, token: !ref a.b }',
      ['2:24: a secret is not written in a manifest; write !secret { env: NAME } or !secret { file: path }'],
    ],
    [
      '{ title: ab, schema: !secret { env: T } }',
      ['2:25: a secret is not taken here: this field is shown to readers'],
    ],
    ['{ title: ab, url: nowhere }', ['2:22: is not a valid uri']],
    ['{ title: ab, slug: A1 }', ['2:23: must match ^[a-z]+$']],
    ['{ title: ab, rules: { type: some, count: x } }', ['2:45: must be a whole number']],
    ['{ title: ab, rules: { type: else } }', ['2:24: must have one of type: none, type: some']],
    ['{ title: ab, rules: text }', ['2:24: a text stands where a map of fields or a list is wanted']],
    ['{ title: ab, rules: [a] }', ['2:25: is shorter than 2 characters']],
    ['!ref a.b', ['2:4: !ref stands where a map of fields is wanted']],
    ['!file t.txt', ['2:4: a file of JSON or YAML is wanted here, and t.txt is called neither']],
  ];
  it.each(cases)('refuses %s', async (text, faults) => {
    expect(await wrong(text, space, { 't.txt': 'text' })).toEqual(faults.map((fault) => `org.yaml:${fault}`));
  });

  it('reads files where maps and lists are wanted, and says what is wrong in them', async () => {
    const { node, faults } = await checked('!file s.yaml', space, {
      's.yaml': 'title: Abc\ntags:\n  - ab\n',
    });
    expect(faults.count).toBe(0);
    expect(toJson(node)).toEqual({ title: 'Abc', tags: ['ab'] });
    expect(await wrong('{ title: ab, tags: !file s.json }', space, { 's.json': '[\n  1, "ab"]' })).toEqual([
      's.json:2:3: must be a text; put it in quotes',
    ]);
    expect(toJson((await checked('!file s.json', { kind: 'any' }, { 's.json': '{"a":[1]}' })).node)).toEqual({
      a: [1],
    });
    expect(toJson((await checked('!file s.md', { kind: 'any' }, { 's.md': '# A' })).node)).toBe('# A');
  });

  it('shows no value of a secret', async () => {
    const { faults } = await checked(
      '{ title: !secret { env: T }, token: hunter2-hunter2, level: !secret { env: T } }',
      space,
    );
    const problem = await problemIn((async () => faults.throwIfAny('Mend it.'))());
    expect(JSON.stringify(problem) + problem.stack).not.toMatch(/hush|hunter/);
    expect(problem.hint).toBe('Mend it.');
  });
});

describe('fromSchema', () => {
  it('follows what contract/schema.ts emits', () => {
    expect(
      fromSchema(
        closed({
          title: Type.Optional(Type.String({ maxLength: 5 })),
          parent: nullable(Id),
          role: oneOf(['a', 'b']),
          n: Type.Integer({ minimum: 0 }),
        }),
      ),
    ).toEqual({
      kind: 'map',
      fields: {
        title: { kind: 'scalar', types: ['string'], maxLength: 5 },
        parent: {
          kind: 'scalar',
          types: ['string'],
          minLength: 1,
          maxLength: 255,
          pattern: Id.pattern,
          id: true,
          nullable: true,
        },
        role: { kind: 'scalar', types: ['string'], enum: ['a', 'b'] },
        n: { kind: 'scalar', types: ['integer'], minimum: 0 },
      },
      required: ['parent', 'role', 'n'],
    });
    expect(fromSchema(Type.Array(Url, { maxItems: 3 }))).toEqual({
      kind: 'list',
      item: { kind: 'scalar', types: ['string'], format: 'uri', maxLength: 2048 },
      maxItems: 3,
    });
    expect(fromSchema(Type.Record(Id, Type.Boolean(), { maxProperties: 2 }))).toMatchObject({
      kind: 'mapOf',
      value: { types: ['boolean'] },
      keyPattern: '^[a-zA-Z0-9_-]+$',
      maxEntries: 2,
    });
    expect(fromSchema(Type.Record(Type.String(), Type.Number()))).toEqual({
      kind: 'mapOf',
      value: { kind: 'scalar', types: ['number'] },
    });
    expect(fromSchema(Type.Union([Type.Literal('a'), Type.Literal(2), Type.Null()]))).toEqual({
      kind: 'scalar',
      types: ['string', 'number'],
      enum: ['a', 2],
      nullable: true,
    });
    expect(fromSchema(Type.Object({ a: Type.String() }))).toMatchObject({ kind: 'map', open: true });
    expect(fromSchema(Type.Object({}))).toEqual({ kind: 'mapOf', value: { kind: 'any' } });
    expect(fromSchema(DefaultLevel)).toMatchObject({ kind: 'scalar', nullable: true });
    expect(fromSchema(RichDocument)).toEqual({ kind: 'any' });
    expect(fromSchema(MergeRules).kind).toBe('oneOf');
  });

  it('makes a shape that holds itself of a schema that does', async () => {
    const shape = fromSchema(
      Type.Recursive((Self) => closed({ title: Type.String(), pages: Type.Optional(Type.Array(Self)) })),
    );
    expect(await wrong('{ title: a, pages: [{ title: b, pages: [{ titel: c }] }] }', shape)).toEqual([
      'org.yaml:2:46: "titel" is not a known field; did you mean "title"?',
      'org.yaml:2:44: the field "title" is missing',
    ]);
  });

  it('finds the rules that a map means', async () => {
    const rules = fromSchema(MergeRules);
    expect(await wrong('{ type: inherit }', rules)).toEqual([]);
    expect(await wrong('{ type: rules, rules: [{ rule: allow_bypass }] }', rules)).toEqual([]);
    expect(await wrong('{ type: rules, rules: [{ rule: alow_bypass }] }', rules)).toEqual([
      expect.stringContaining('did you mean allow_bypass?'),
    ]);
  });

  it('has a shape for the body of every operation', async () => {
    let bodies = 0;
    for (const noun of nouns) {
      for (const operation of Object.values(await noun.contract()).filter(isOperation)) {
        if (operation.body === undefined) continue;
        bodies++;
        expect(fromSchema(operation.body).kind, operation.id).toMatch(/^(map|mapOf|oneOf|any|list)$/);
      }
    }
    expect(bodies).toBeGreaterThan(50);
  });
});
