import { readFileSync } from 'node:fs';
import { Compile } from 'typebox/schema';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editorSchema } from '../../../src/cli/manifest/editor-schema.ts';
import { jobFields } from '../../../src/cli/manifest/read-jobs.ts';
import { closed, nullable, Type } from '../../../src/contract/schema.ts';
import { manifestSchema } from '../../../src/manifest/block-schema.ts';
import { withContent } from '../../../src/manifest/content.ts';
import { kinds } from '../../../src/manifest/kinds/index.ts';
import { parseYaml } from '../../../src/richtext/yaml.ts';
import { manifestOf, organizations } from '../../manifest/organizations.ts';

const engine = {
  refusal: () => undefined,
  plan: async () => undefined,
  describe: async () => ({ summary: '' }),
  fingerprint: async () => '',
  apply: async () => {},
};
const schema = editorSchema(manifestSchema(withContent(kinds, engine), jobFields));
const manifests = Compile(schema as never) as { Check: (value: unknown) => boolean };
/** Parses a manifest like an editor: tags become texts and maps. */
const seen = (text: string) =>
  parseYaml(text.replaceAll(/!(ref|file) ([\w./-]+)/g, '"$2"').replaceAll('!lookup ', ''), 'test');

describe('the JSON Schema of manifests', () => {
  it.each(['docsctl.yaml', 'people.yaml', 'spaces.yaml', 'site.yaml'])(
    'accepts examples/organization/%s',
    (name) => {
      expect(
        manifests.Check(
          seen(readFileSync(new URL(`../../../examples/organization/${name}`, import.meta.url), 'utf8')),
        ),
      ).toBe(true);
    },
  );

  it('accepts every valid manifest', () => {
    fc.assert(
      fc.property(organizations, (organization) => {
        expect(manifests.Check(seen(manifestOf(organization)))).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ['version: 1\nspaces: { a: { parent: !lookup { title: Old } } }', true],
    ['version: 1\nspaces: { a: { emoji: null, editMode: "${var.mode}" } }', true],
    ['version: 1\nvars: { a: x, b: { required: true, type: number } }\ninclude: [a.yaml]', true],
    ['spaces: {}', false],
    ['version: 2', false],
    ['version: 1\nspaces: { a: { titel: A } }', false],
    ['version: 1\nspaces: { a: { title: 7 } }', false],
    ['version: 1\noverlay: true\nspaces: { a: null, b: { visibility: public } }', true],
    ['version: 1\noverlay: false\nspaces: { a: null }', false],
    ['$schema: ./docsctl.schema.json\nversion: 1', true],
    ['version: 1\nvars: { "a b": x }', false],
    ['version: 1\nspaces: { a: { parent: "" } }', false],
    ['version: 1\nspaces: a.yaml', true],
    ['version: 1\nspaces: A.YAML', true],
    ['version: 1\nspaces: a.txt', false],
    ['version: 1\nspaces: null', false],
    ['version: 1\nspaces: { a: { protect: "${var.keep}" } }', true],
    ['version: 1\nspaces: { a: { protect: "yes" } }', false],
    ['version: 1\nspaces: { a: { parent: {} } }', false],
    ['version: 1\nspaces: { a: { editMode: sideways } }', false],
    ['version: 1\nspaces: { "a b": {} }', false],
    ['version: 1\nsites: { a: { sections: [{ title: No path }] } }', false],
  ])('%j: %s', (text, fits) => expect(manifests.Check(seen(text))).toBe(fits));

  it('keeps the description of each field if fields share a schema', () => {
    const plain = { minLength: 1, maxLength: 2048, pattern: '^https://' };
    const { $defs } = editorSchema(
      closed({
        icon: Type.Optional(Type.String({ ...plain, description: 'address of the icon' })),
        logo: Type.Optional(Type.String({ ...plain, description: 'address of the logo' })),
      }),
    ) as { $defs: Record<string, { properties?: object }> };
    expect($defs['manifest']?.properties).toMatchObject({
      icon: { description: 'address of the icon', allOf: [{ $ref: '#/$defs/text2048' }] },
      logo: { description: 'address of the logo', allOf: [{ $ref: '#/$defs/text2048' }] },
    });
    expect(Object.keys($defs)).toEqual(['variable', 'manifest', 'text', 'text2048']);
  });

  it('supports recursive schemas and limits', () => {
    const tree = Type.Recursive((Self) =>
      closed({
        name: Type.String({ maxLength: 5 }),
        inside: Type.Optional(nullable(Type.Array(Self, { maxItems: 2 }))),
      }),
    );
    const written = editorSchema(closed({ tree: Type.Optional(tree) }));
    const trees = Compile(written as never) as typeof manifests;
    expect(
      trees.Check({
        version: 1,
        tree: { name: 'a', inside: [{ name: 'b', inside: null }] },
      }),
    ).toBe(true);
    expect(trees.Check({ version: 1, tree: { name: 'a', inside: [{ inside: null }] } })).toBe(false);
    expect(trees.Check({ version: 1, tree: { name: 'abcdef' } })).toBe(false);
  });
});

it('the JSON Schema of manifests is small enough for editors, and contains no unused definition', () => {
  const text = JSON.stringify(schema, null, 1);
  expect(Buffer.byteLength(text)).toBeLessThan(120_000);
  const { $defs } = schema as { $defs: Record<string, unknown> };
  const used = new Set([...text.matchAll(/"#\/\$defs\/(\w+)"/g)].map(([, name]) => name));
  expect([...used].sort()).toEqual(Object.keys($defs).sort());
});
