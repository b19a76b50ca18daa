import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readSpecification } from '../../src/specification/read-specification.ts';
import { renderPages } from '../../src/specification/specification-pages.ts';
import { formatError } from '../../src/specification/specification.ts';

const petshop = readFileSync(
  fileURLToPath(new URL('../samples/openapi/petshop.yaml', import.meta.url)),
  'utf8',
);
const of = (fields: string) => `openapi: 3.0.3\ninfo: { title: A, version: "1" }\n${fields}`;
const each = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(', ');
const errorsOf = async (text: string) =>
  (await readSpecification(text)).errors.map((error) => `${error.code} ${formatError(error)}`);

describe('a specification', () => {
  it('is read with anchors, merge keys and number keys, and its facts are returned', async () => {
    const { facts, errors, value } = await readSpecification(petshop);
    expect(errors).toEqual([]);
    expect(facts).toEqual({
      format: '3.1.0',
      title: 'Pet shop',
      version: '1.2.0',
      operations: 3,
      webhooks: 0,
      schemas: 2,
    });
    expect(value).toMatchObject({
      components: { schemas: { OldPet: { type: 'object', deprecated: true } } },
    });
  });

  it.each([
    ['empty', '', ['PARSE_ERROR line 1, column 1: the text is empty']],
    [
      'a web page',
      '<!doctype html><html></html>',
      ['PARSE_ERROR line 1, column 1: this is a web page, not a specification'],
    ],
    [
      'XML',
      '<?xml version="1.0"?><openapi/>',
      ['PARSE_ERROR line 1, column 1: this is XML; a specification is JSON or YAML'],
    ],
    ['blanks', ' \n\ufeff', ['PARSE_ERROR line 1, column 1: the text is empty']],
    ['a list', '[]', ['PARSE_ERROR line 1, column 1: a specification must be a map of fields']],
    [
      'cut JSON',
      '{"openapi": "3.0.0",\n "info": {"title',
      [
        'PARSE_ERROR line 2, column 11: not valid JSON: this text begins with " and does not end; add " at its end',
      ],
    ],
    [
      'missing its version',
      'info: {}',
      ['NOT_OPENAPI line 1, column 1: "openapi" or "swagger" with a version is missing'],
    ],
    [
      'a version without its last number',
      'openapi: 3.1',
      ['SCHEMA_INVALID line 1, column 1: openapi 3.1 lacks its last number: write "3.1.0" (/openapi)'],
    ],
    [
      'a later version',
      'openapi: 4.0.0',
      [
        'UNSUPPORTED_VERSION line 1, column 1: openapi 4.0.0 is not supported; use swagger 2.0, openapi 3.0 or openapi 3.1 (/openapi)',
      ],
    ],
    [
      'a reference to nothing',
      of('paths: { /a: { get: { responses: { 200: { $ref: "#/components/responses/Nope" } } } } }'),
      [
        'UNRESOLVED_REF line 3, column 43: "#/components/responses/Nope" leads to nothing (/paths/~1a/get/responses/200/$ref)',
      ],
    ],
    [
      'a reference to another host',
      of('paths: { /a: { $ref: "https://evil.example/x" } }'),
      [
        'UNRESOLVED_REF line 3, column 16: "https://evil.example/x" leads to another file; a specification is one text (/paths/~1a/$ref)',
      ],
    ],
    [
      'missing its paths',
      of(''),
      ['SCHEMA_INVALID line 1, column 1: the specification needs "paths": add it'],
    ],
    [
      'a field of a wrong type',
      of('paths: []'),
      ['SCHEMA_INVALID line 3, column 1: this must be an object with fields, and is a list (/paths)'],
    ],
    [
      'a version without quotes',
      'openapi: 3.0.3\ninfo: { title: T, version: 1.0 }\npaths: {}',
      ['SCHEMA_INVALID line 2, column 19: must be a string: write it in quotes, as "1.0" (/info/version)'],
    ],
    [
      'a title without quotes',
      'openapi: 3.0.3\ninfo: { title: 404, version: "1" }\npaths: {}',
      ['SCHEMA_INVALID line 2, column 9: must be a string: write it in quotes, as "404" (/info/title)'],
    ],
    [
      'a wrong status, below a reference',
      of(
        'components: { schemas: { A: { type: nonsense } } }\npaths:\n  /a:\n    get:\n      responses:\n        200: { description: x, content: { a/b: { schema: { $ref: "#/components/schemas/A" } } } }',
      ),
      [expect.stringMatching(/^SCHEMA_INVALID line 3, column 31: /)],
    ],
    [
      'a duplicate operation ID',
      of(
        'paths:\n  /a:\n    get: { operationId: x, responses: { 200: { description: a } } }\n  /b:\n    get: { operationId: x, responses: { 200: { description: a } } }',
      ),
      [
        expect.stringMatching(
          /^SPEC_INVALID line 7, column 12: another operation has the operationId "x" too/,
        ),
      ],
    ],
  ])('gets an error with its position if it is %s', async (_name, text, errors) => {
    expect((await errorsOf(text)).slice(0, 1)).toEqual(errors);
  });

  it('with many YAML errors lists the first 20', async () => {
    expect(await errorsOf('a: 1\n'.repeat(30))).toEqual(
      Array.from(
        { length: 20 },
        (_, at) => `PARSE_ERROR line ${at + 2}, column 1: the key "a" is already used in line 1, column 1`,
      ),
    );
  });

  it.each([
    ['deep', '{"a":'.repeat(100_000)],
    ['deep YAML', `openapi: 3.1.0\na: ${'['.repeat(1000)}`],
    ['many values', `openapi: 3.1.0\nx-a: [${'1,'.repeat(500_000)}]`],
    [
      'an alias bomb',
      `openapi: 3.1.0\na: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghij'.replaceAll(/./g, (key) => `${key}: &${key} [${`*${String.fromCharCode(key.charCodeAt(0) - 1)},`.repeat(9)}]\n`)}`,
    ],
    ['an alias that contains itself', 'openapi: 3.1.0\na: &a [*a]'],
    [
      'responses that multiply',
      of(
        `paths: { /a: { get: { responses: { 200: { $ref: "#/components/responses/R0" } } } } }\ncomponents: { responses: { ${each(30, (index) => `R${index}: { description: x, links: { a: { server: { url: x, x-a: 1, variables: { v: { default: a } } } } }, headers: { a: { $ref: "#/components/headers/H${index}" } } }`)} }, headers: { ${each(30, (index) => `H${index}: { content: { a/b: { schema: {}, encoding: { a: { headers: { a: { $ref: "#/components/headers/H${index + 1}" }, b: { $ref: "#/components/headers/H${index + 1}" } } } } } } }`)}, H30: { schema: {} } } }`,
      ),
    ],
    ['fields named like members of objects', of('paths: { __proto__: { get: 1 }, constructor: 1 }')],
    [
      'an endless list of parameters',
      of(
        `paths: { /a: { get: { parameters: [${each(700, (index) => `{ name: p${index}, in: query }`)}] } } }`,
      ),
    ],
    ['many operations', of(`paths: { ${each(6000, (index) => `/a${index}: { get: { responses: {} } }`)} }`)],
    ['a long path', of(`paths: { "/${'{a}'.repeat(1000)}": { get: { responses: {} } } }`)],
    [
      'lists that are expensive to compare',
      JSON.stringify({
        openapi: '3.0.3',
        info: { title: 'A', version: '1' },
        paths: {},
        tags: Array.from({ length: 6000 }, (_, index) => ({ name: `t${index}` })),
      }),
    ],
    [
      'more errors than a code frame can show',
      of(
        `paths: {}\ncomponents: { schemas: { Z: { type: nonsense }, ${each(14, (index) => `S${index}: { properties: { a: { $ref: "#/components/schemas/S${index + 1}" }, b: { $ref: "#/components/schemas/S${index + 1}" } } }`)}, S14: { type: string } } }`,
      ),
    ],
    [
      'invalid, with endless values',
      JSON.stringify({
        openapi: '3.0.3',
        info: {},
        paths: {},
        'x-a': Array.from({ length: 300_000 }, (_, index) => index),
      }),
    ],
    ['a huge word', `openapi: 3.1.0\n${'a'.repeat(2_000_000)}: 1`],
  ])('that is hostile (%s) is refused with errors, twice in one process', async (_name, text) => {
    for (let round = 0; round < 2; round++)
      expect((await readSpecification(text)).errors.length).toBeGreaterThan(0);
  });

  it('with schemas that expand to too many values is accepted, and its errors are still found', async () => {
    const schemas = `${Array.from({ length: 30 }, (_, index) => `    S${index}: { type: object, properties: { a: { $ref: "#/components/schemas/S${index + 1}" }, b: { $ref: "#/components/schemas/S${index + 1}" } } }`).join('\n')}\n    S30: { type: string }`;
    const parameters =
      '  parameters: { id: { name: id, in: path, required: true, schema: { $ref: "#/components/schemas/S0" } } }';
    const paths =
      'paths: { "/a/{id}": { get: { parameters: [{ $ref: "#/components/parameters/id" }], responses: { 200: { description: x } } } } }';
    expect(await errorsOf(of(`${paths}\ncomponents:\n${parameters}\n  schemas:\n${schemas}`))).toEqual([]);
    expect(
      await errorsOf(
        of(`${paths.replace('200:', 'oops:')}\ncomponents:\n${parameters}\n  schemas:\n${schemas}`),
      ),
    ).toEqual([expect.stringMatching(/^SCHEMA_INVALID line 3, column 97: .*oops/)]);
  });

  it('can have recursive schemas', async () => {
    expect(
      await errorsOf(
        of(
          'paths: {}\ncomponents: { schemas: { A: { properties: { b: { $ref: "#/components/schemas/A" } } } } }',
        ),
      ),
    ).toEqual([]);
  });
});

describe('pages computed from a specification', () => {
  it('consist of an overview and a page for each tag with operations', async () => {
    const { value } = await readSpecification(petshop);
    const pages = renderPages(value!, 'pets');
    expect([...pages.keys()]).toEqual(['SUMMARY.md', 'README.md', 'pets.md', 'operations.md']);
    expect(pages.get('SUMMARY.md')).toBe(
      '# Table of contents\n\n* [Pet shop](README.md)\n* [Pets](pets.md)\n* [Operations](operations.md)\n',
    );
    expect(pages.get('README.md')).toContain('### Limits');
    expect(pages.get('pets.md')).toContain(
      '## List pets\n\n{% openapi-operation spec="pets" path="/pets" method="get" %}\n`GET /pets`\n\n**',
    );
    expect(pages.get('pets.md')).toContain('| `name` | string | no |  |');
    expect(pages.get('pets.md')).toContain('\n`201` The new one\n{% endopenapi-operation %}');
    expect(pages.get('pets.md')).toContain('{% hint style="warning" %}\nDeprecated.');
    expect(pages.get('operations.md')).toContain('## Tell how it goes');
  });

  it('contain webhooks on their own page, and their number', async () => {
    const text = `openapi: 3.1.0\ninfo: { title: Museum, version: "1" }\nwebhooks:\n  'new "event"': { post: { tags: [Events], summary: An event, responses: { 200: { description: d } } } }\n  closed: { $ref: "#/components/pathItems/closed" }\ncomponents: { pathItems: { closed: { post: { responses: { 200: { description: d } } } } } }\n`;
    const { value, facts, errors } = await readSpecification(text);
    expect(errors).toEqual([]);
    expect(facts).toMatchObject({ operations: 0, webhooks: 2 });
    const pages = renderPages(value!, 'museum');
    expect([...pages.keys()]).toEqual(['SUMMARY.md', 'README.md', 'webhooks.md']);
    expect(pages.get('README.md')).toContain('* [Webhooks](webhooks.md): 2 webhooks\n');
    expect(pages.get('webhooks.md')).toContain(
      '## An event\n\n{% openapi-webhook spec="museum" name="new %22event%22" method="post" %}\n`POST new "event"`\n\n**Responses**\n\n`200` d\n{% endopenapi-webhook %}\n\n## closed\n',
    );
  });

  it('contain no template tags or HTML from the specification', () => {
    const evil = '{% embed url="javascript:alert(1)" %}';
    const value = {
      info: { title: evil, version: evil },
      paths: { '/a" %}\n# Injected {% include "x" %}': { get: { summary: evil, tags: ['con', evil] } } },
    };
    const pages = renderPages(value, 'evil');
    expect([...pages.keys()]).toEqual(['SUMMARY.md', 'README.md', 'con-tag.md']);
    const tags = [...pages.values()].flatMap((text) => [...text.matchAll(/\{%.*?%\}/g)].map(([tag]) => tag));
    expect(tags).toEqual([
      '{% openapi-operation spec="evil" path="/a%22 %25} # Injected { % include %22x%22 %25}" method="get" %}',
      '{% endopenapi-operation %}',
    ]);
    expect([...pages.values()].join('\n')).not.toMatch(/^# Injected/m);
  });
});

const samples = fileURLToPath(new URL('../samples/openapi', import.meta.url));

describe('the sample specifications', () => {
  it.each(readdirSync(`${samples}/valid`))('are valid: %s', async (name) => {
    const { errors, facts } = await readSpecification(readFileSync(`${samples}/valid/${name}`, 'utf8'));
    expect(errors).toEqual([]);
    expect(facts!.title).not.toBe('');
  });

  const expected = readFileSync(`${samples}/broken/expected.tsv`, 'utf8').trim().split('\n').map((row) => row.split('\t')); // prettier-ignore
  it.each(expected)('have the expected errors: %s is %s', async (name, code) => {
    const { errors } = await readSpecification(readFileSync(`${samples}/broken/${name}`, 'utf8'));
    expect(new Set(errors.map((error) => error.code))).toEqual(new Set([code]));
  });

  it('are complete', () => {
    expect(readdirSync(`${samples}/valid`)).toHaveLength(6);
    expect(readdirSync(`${samples}/broken`)).toEqual(['expected.tsv', ...expected.map(([name]) => name)].sort()); // prettier-ignore
  });
});
