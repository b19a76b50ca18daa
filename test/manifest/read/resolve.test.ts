import { describe, expect, it } from 'vitest';
import { Type } from '../../../src/contract/schema.ts';
import { checkNode } from '../../../src/manifest/read/check-node.ts';
import { Faults } from '../../../src/manifest/read/faults.ts';
import { toJson } from '../../../src/manifest/read/json.ts';
import { readValueFile } from '../../../src/manifest/read/read-yaml.ts';
import type { FileNode, ManifestNode } from '../../../src/manifest/read/node.ts';
import { faultsOf, read } from './folder.ts';

const head = 'version: 1\n';

async function nodeOf(
  text: string,
  files: Record<string, string | Uint8Array> = {},
  env: Record<string, string> = {},
): Promise<ManifestNode> {
  const { root } = await read({ 'org.yaml': `${head}vars: { dir: data }\nx: ${text}\n`, ...files }, { env });
  return root.entries.get('x')!.value;
}

const at = { file: 'org.yaml', line: 3, column: 4 };

describe('tags', () => {
  it('!ref names a kind and a name', async () => {
    expect(await nodeOf('!ref space.guide')).toEqual({
      kind: 'ref',
      at,
      to: { kind: 'space', name: 'guide' },
    });
    expect(await nodeOf('!ref "site.docs.${var.dir}"')).toEqual({
      kind: 'ref',
      at,
      to: { kind: 'site', name: 'docs.data' },
    });
  });

  it('!lookup names the fields by which to find a resource', async () => {
    expect(await nodeOf('!lookup { title: API v1, parent: !ref collection.a }')).toEqual({
      kind: 'lookup',
      at,
      by: new Map([
        [
          'title',
          {
            key: { ...at, column: 14 },
            value: { kind: 'scalar', at: { ...at, column: 21 }, value: 'API v1' },
          },
        ],
        [
          'parent',
          {
            key: { ...at, column: 29 },
            value: { kind: 'ref', at: { ...at, column: 37 }, to: { kind: 'collection', name: 'a' } },
          },
        ],
      ]),
    });
  });

  it('!lookup can have its map on the following lines', async () => {
    const node = await nodeOf('!lookup\n  title: A');
    expect(node).toMatchObject({ kind: 'lookup', at });
  });

  it('!file reads a text, relative to the folder of its file', async () => {
    expect(await nodeOf('!file ${var.dir}/a.pem', { 'data/a.pem': '\ufeffone\r\ntwo\n' })).toEqual({
      kind: 'file',
      at,
      path: 'data/a.pem',
      text: 'one\r\ntwo\n',
    });
    const { root } = await read({
      'org.yaml': `${head}include: [sub/a.yaml]`,
      'sub/a.yaml': `${head}x: !file ../top.txt\ny: !file near.txt`,
      'top.txt': 'top',
      'sub/near.txt': 'near',
    });
    expect(root.entries.get('x')!.value).toMatchObject({ path: 'top.txt', text: 'top' });
    expect(root.entries.get('y')!.value).toMatchObject({ path: 'sub/near.txt', text: 'near' });
  });

  const cases: [text: string, faults: string[]][] = [
    ['!rev space.guide', ['3:4: unknown tag !rev; did you mean "!ref"?']],
    ['!something x', ['3:4: unknown tag !something; expected one of !ref, !lookup, !file']],
    ['!!binary aGVsbG8=', ['3:4: unknown tag !!binary; expected one of !ref, !lookup, !file']],
    ['!!js/function "x"', ['3:4: unknown tag !!js/function; expected one of !ref, !lookup, !file']],
    ['!!set { a }', ['3:4: unknown tag !!set; expected one of !ref, !lookup, !file']],
    [
      '!<tag:x> { a: !foo b }',
      [
        '3:4: unknown tag tag:x; expected one of !ref, !lookup, !file',
        '3:18: unknown tag !foo; expected one of !ref, !lookup, !file',
      ],
    ],
    ['!ref guide', ['3:4: write !ref with a kind and a name: !ref space.guide']],
    ['!ref', ['3:4: write !ref with a kind and a name: !ref space.guide']],
    ['!ref [a.b]', ['3:4: write !ref with a kind and a name: !ref space.guide']],
    ['!lookup Guide', ['3:4: write !lookup with the fields to look for: !lookup { title: Guide }']],
    ['!lookup {}', ['3:4: write !lookup with the fields to look for: !lookup { title: Guide }']],
    ['!lookup { title: [a] }', ['3:21: "title" must be text, a number or a !ref']],
    ['!secret abc', ['3:4: unknown tag !secret; expected one of !ref, !lookup, !file']],
    ['!secret { env: TOKEN }', ['3:4: unknown tag !secret; expected one of !ref, !lookup, !file']],
    [
      '!file .git/config',
      [
        '3:4: ".git/config" is hidden or in a hidden folder; such files are not read, so give it a name without a dot at its beginning',
      ],
    ],
    ['!file', ['3:4: write !file with a path from this file: !file schemas/visitor.json']],
    ['!file { a: b }', ['3:4: write !file with a path from this file: !file schemas/visitor.json']],
    ['!file nope.txt', ['3:4: "nope.txt" does not exist']],
    ['!file sub', ['3:4: "sub" is a folder, not a file']],
    ['!file latin1.txt', ['3:4: "latin1.txt" is not UTF-8 text']],
    ['!file big.txt', ['3:4: "big.txt" is larger than 4 MiB']],
    [
      '!file ../../etc/passwd',
      ['3:4: "../../etc/passwd" is outside the folder of the manifest; move it into that folder'],
    ],
    [
      '!file sub/../../x',
      ['3:4: "sub/../../x" is outside the folder of the manifest; move it into that folder'],
    ],
    [
      '!file /etc/passwd',
      [
        '3:4: "/etc/passwd" is absolute; a manifest reads only files in its own folder, so give a path relative to this file',
      ],
    ],
    [
      '!file "C:\\\\x"',
      [
        '3:4: "C:\\\\x" is absolute; a manifest reads only files in its own folder, so give a path relative to this file',
      ],
    ],
    [
      '!file "~/x"',
      [
        '3:4: "~/x" is absolute; a manifest reads only files in its own folder, so give a path relative to this file',
      ],
    ],
    ['!file "a\\0b"', ['3:4: "a\\u0000b" contains a zero byte']],
    ['!file ""', ['3:4: write !file with a path from this file: !file schemas/visitor.json']],
  ];
  it.each(cases)('refuses %s', async (text, faults) => {
    const files = {
      'org.yaml': `${head}vars: { dir: data }\nx: ${text}\n`,
      'sub/x': '',
      'latin1.txt': Buffer.from([0x63, 0xe9]),
      'big.txt': 'x'.repeat(4 * 1024 * 1024 + 1),
      'empty.txt': '\n',
    };
    expect(await faultsOf(files, { env: { EMPTY: '' } })).toEqual(faults.map((fault) => `org.yaml:${fault}`));
  });

  it('reads a file of exactly the size limit, and only once for all its uses', async () => {
    const { root } = await read({
      'org.yaml': `${head}a: [!file b, !file ./b]\n`,
      b: 'x'.repeat(4 * 1024 * 1024),
    });
    const list = root.entries.get('a')!.value;
    expect(
      list.kind === 'list' && list.items.map((item) => item.kind === 'file' && item.text.length),
    ).toEqual([4 * 1024 * 1024, 4 * 1024 * 1024]);
  });

  it('reads at most 64 MiB of files', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 17 }, (_, index) => [`f${index}`, Buffer.alloc(4 * 1024 * 1024, 0x61)]),
    );
    const list = Object.keys(files).map((name) => `  - !file ${name}\n`);
    expect(await faultsOf({ 'org.yaml': `${head}a:\n${list.join('')}`, ...files })).toEqual([
      'org.yaml:19:5: "f16" makes the files of this manifest exceed 64 MiB in total',
    ]);
  });
});

describe('readValueFile', () => {
  it('reads a file of JSON or YAML, with positions in that file', async () => {
    const node = await nodeOf('!file s/v.json', { 's/v.json': '{\n  "type": "object", "n": [1] }' });
    const value = readValueFile(node as FileNode, new Faults());
    expect(toJson(value)).toEqual({ type: 'object', n: [1] });
    expect(value.kind === 'map' && value.entries.get('n')!.key).toEqual({
      file: 's/v.json',
      line: 2,
      column: 21,
    });
    expect(checkNode(value, Type.Unsafe({}), new Faults())).toBe(value);
  });

  const cases: [name: string, text: string, faults: string[]][] = [
    ['v.json', '{"a": 1, "a": 2}', ['v.json:1:10: the key "a" is already used in line 1, column 2']],
    [
      'v.yaml',
      'a: !ref b.c',
      ['v.yaml:1:4: !ref is not allowed here; a file included with !file must contain plain data'],
    ],
    ['v.yaml', '# nothing', ['org.yaml:3:4: v.yaml is empty']],
    ['v.yaml', 'a: 1\n---\nb: 2\n', ['v.yaml:3:1: a second document begins here; only one is allowed']],
    [
      'v.json',
      '[[',
      ['v.json:1:3: not valid YAML: the list that begins with [ in line 1, column 2 is not closed; add ]'],
    ],
    ['v.txt', 'a: 1', ['org.yaml:3:4: v.txt is not a .json, .yaml or .yml file']],
  ];
  it.each(cases)('refuses %s: %s', async (name, text, faults) => {
    const node = await nodeOf(`!file ${name}`, { [name]: text });
    const collected = new Faults();
    readValueFile(node as FileNode, collected);
    expect(collected.violations.map(({ path, message }) => `${path}: ${message}`)).toEqual(faults);
    expect(collected.count).toBe(faults.length);
  });
});

describe('toJson', () => {
  it('refuses references and lookups, unless a function replaces them', async () => {
    const node = await nodeOf('[!ref a.b, !lookup { t: 1 }]');
    expect(() => toJson(node)).toThrow(
      'org.yaml:3:5: !ref has no value yet; a plain value is required here.',
    );
    expect(toJson(node, (hidden) => hidden.kind)).toEqual(['ref', 'lookup']);
  });
});
