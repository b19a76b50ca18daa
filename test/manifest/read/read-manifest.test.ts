import { describe, expect, it } from 'vitest';
import { faultsOf, jsonOf, problemIn, read } from './folder.ts';

const head = 'version: 1\n';

describe('the text of a manifest', () => {
  it('is read as a tree of values with positions', async () => {
    const { root } = await read(`${head}spaces:\n  guide:\n    title: Guide\n    tags: [a, 2]\n`);
    const guide = root.entries.get('spaces')!.value;
    if (guide.kind !== 'map') throw new Error('no map');
    const entry = guide.entries.get('guide')!;
    expect(entry.key).toEqual({ file: 'org.yaml', line: 3, column: 3 });
    if (entry.value.kind !== 'map') throw new Error('no map');
    expect(entry.value.entries.get('title')).toEqual({
      key: { file: 'org.yaml', line: 4, column: 5 },
      value: { kind: 'scalar', at: { file: 'org.yaml', line: 4, column: 12 }, value: 'Guide' },
    });
    expect(entry.value.entries.get('tags')!.value).toEqual({
      kind: 'list',
      at: { file: 'org.yaml', line: 5, column: 11 },
      items: [
        { kind: 'scalar', at: { file: 'org.yaml', line: 5, column: 12 }, value: 'a' },
        { kind: 'scalar', at: { file: 'org.yaml', line: 5, column: 15 }, value: 2 },
      ],
    });
  });

  it('can contain many texts that look like anchors and aliases', async () => {
    const list = Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? '&a' : '*b'));
    expect(await jsonOf(`${head}a: ${JSON.stringify(list)}`)).toEqual({ a: list });
    expect(await jsonOf(`${head}a:\n${'- x &y *z\n'.repeat(100)}`)).toEqual({
      a: Array(100).fill('x &y *z'),
    });
  });

  it('can be JSON, with a $schema', async () => {
    const text = JSON.stringify(
      {
        $schema: './docsctl.schema.json',
        version: 1,
        org: { title: 'Ac\u00e9 \ud83d\ude00', n: [1, null, true, 0.5] },
      },
      null,
      '\t',
    );
    expect(await jsonOf({ 'org.json': text }, { sources: ['org.json'] })).toEqual({
      org: { title: 'Ac\u00e9 \ud83d\ude00', n: [1, null, true, 0.5] },
    });
    expect(
      await jsonOf(
        { 'org.json': '{"version":1,"org":{"t":"\\ud83d\\ude00\\/"}}' },
        { sources: ['org.json'] },
      ),
    ).toEqual({ org: { t: '\ud83d\ude00/' } });
  });

  it('can have a byte order mark, Windows line ends and no final line end', async () => {
    expect(await jsonOf('\ufeffversion: 1\r\norg:\r\n  title: A')).toEqual({ org: { title: 'A' } });
    expect(await faultsOf('\ufeffvarsion: 1\r\n')).toEqual([
      'org.yaml:1:1: "version: 1" is missing; add that line',
    ]);
  });

  it('reads yes, no and dates as texts', async () => {
    expect(await jsonOf(`${head}org: { a: yes, b: 2024-01-01, c: 0o17, d: !!str 12, e: ~ }`)).toEqual({
      org: { a: 'yes', b: '2024-01-01', c: 15, d: '12', e: null },
    });
  });

  const cases: [name: string, text: string, faults: string[]][] = [
    ['no version', 'org: {}\n', ['org.yaml:1:1: "version: 1" is missing; add that line']],
    ['an empty file', '', ['org.yaml:1:1: "version: 1" is missing; add that line']],
    [
      'another version',
      'version: 2\n',
      ['org.yaml:1:10: this manifest version is not supported; this docsctl reads "version: 1"'],
    ],
    [
      'a version in quotes',
      'version: "1"\n',
      ['org.yaml:1:10: this manifest version is not supported; this docsctl reads "version: 1"'],
    ],
    [
      'a list',
      '- a\n',
      [
        'org.yaml:1:1: a manifest must be a map of fields such as "version: 1"',
        'org.yaml:1:1: "version: 1" is missing; add that line',
      ],
    ],
    [
      'a duplicate key',
      `${head}org:\n  title: A\n  title: B\n`,
      ['org.yaml:4:3: the key "title" is already used in line 3, column 3'],
    ],
    [
      'a number as a key',
      `${head}org: { 1: a }\n`,
      ['org.yaml:2:8: the key 1 is not a string; put it in quotes'],
    ],
    [
      'a boolean as a key',
      `${head}org:\n  true: a\n`,
      ['org.yaml:3:3: the key true is not a string; put it in quotes'],
    ],
    ['an empty key', `${head}org:\n  : a\n`, ['org.yaml:3:3: this key is empty']],
    [
      'a list as a key',
      `${head}org:\n  ? [a]\n  : b\n`,
      ['org.yaml:3:5: a key must be a plain word, not a list or a map'],
    ],
    [
      'a tag on a key',
      `${head}org:\n  !ref a.b: c\n`,
      ['org.yaml:3:8: a key cannot have a tag such as !ref'],
    ],
    [
      'a merge key',
      `${head}org:\n  <<: { a: b }\n`,
      ['org.yaml:3:3: "<<" is a YAML merge key, which is not supported; write the fields out'],
    ],
    [
      'an anchor',
      `${head}org: &x { a: b }\n`,
      ['org.yaml:2:9: "&x" is a YAML anchor, which is not supported; remove it'],
    ],
    [
      'an alias',
      `${head}org:\n  a: *x\n`,
      [
        'org.yaml:3:6: "*x" is a YAML alias, which is not supported; write the value out, or use a variable: ${var.NAME}',
      ],
    ],
    [
      'infinity',
      `${head}a: .inf\nb: -.INF\nc: .nan\nd: 1e999\n`,
      [2, 3, 4, 5].map(
        (line) => `org.yaml:${line}:4: this is not a finite number; put it in quotes if it is a text`,
      ),
    ],
    [
      'numbers that lose digits',
      `${head}a: 9007199254740992\nb: -99999999999999999999\nc: 0xFFFFFFFFFFFFFFFFF\nd: 9007199254740991\n`,
      [2, 3, 4].map(
        (line) =>
          `org.yaml:${line}:4: this number is larger than 9007199254740991 and would lose digits; put it in quotes`,
      ),
    ],
    [
      'a tab as indent',
      `${head}org:\n\ttitle: A\n`,
      ['org.yaml:3:1: this line is indented with a tab; YAML allows only spaces'],
    ],
    [
      'a directive',
      `%YAML 1.1\n---\n${head}`,
      ['org.yaml:1:1: YAML directives ("%…") are not supported; remove the line'],
    ],
    [
      'half a surrogate pair',
      `${head}a: "\\ud800"\n`,
      ['org.yaml:2:4: this text contains half a surrogate pair, which is not a character'],
    ],
    [
      'a bracket that is not closed',
      `${head}a: [1, 2\nb: 3\n`,
      [
        'org.yaml:3:1: not valid YAML: the list that begins with [ in line 2, column 4 is not closed; add ], and indent the lines after line 2 that belong to it',
      ],
    ],
    [
      'a quote that is not closed',
      `${head}a: "x\n`,
      ['org.yaml:2:4: not valid YAML: this text begins with " and does not end; add " at its end'],
    ],
  ];
  it.each(cases)('refuses %s', async (_, text, faults) => {
    expect(await faultsOf(text)).toEqual(faults);
  });

  it('reports only the first of many errors, because the file may not be YAML', async () => {
    const text = `# Title\n\n${'Note: a b: c\n'.repeat(20)}`;
    expect(await faultsOf({ 'README.md': text }, { sources: ['README.md'] })).toEqual([
      expect.stringMatching(
        /^README\.md:\d+:\d+: .*\. \d+ more lines have errors, so this may be no YAML file$/,
      ),
    ]);
  });

  it('reports an OpenAPI specification in the folder of the manifest', async () => {
    const files = { 'a.yaml': `${head}org: { title: A }\n`, 'pets.yaml': 'openapi: 3.1.0\ninfo: {}\n' };
    expect(await faultsOf(files, { sources: ['.'] })).toEqual([
      'pets.yaml:1:1: this is an OpenAPI specification, and all YAML files of this folder are read as the manifest; move it to a subfolder, or name only the manifest with -f',
    ]);
  });

  it('reports mistakes in all files and positions at once', async () => {
    const files = { 'a.yaml': 'version: 1\na: .inf\nb: *x\n', 'b.yaml': 'a: 1\na: 2\n' };
    expect(await faultsOf(files, { sources: ['.'] })).toEqual([
      'a.yaml:2:4: this is not a finite number; put it in quotes if it is a text',
      'a.yaml:3:4: "*x" is a YAML alias, which is not supported; write the value out, or use a variable: ${var.NAME}',
      'b.yaml:1:1: "version: 1" is missing; add that line',
      'b.yaml:1:1: "a" is already set at a.yaml:2:1; remove one of the two',
      'b.yaml:2:1: the key "a" is already used in line 1, column 1',
    ]);
  });

  it('reports 50 mistakes, and the number of the others', async () => {
    const problem = await problemIn(
      read(head + Array.from({ length: 60 }, (_, index) => `k${index}: .inf\n`).join('')),
    );
    expect(problem).toMatchObject({ reason: 'invalid-input', message: 'The manifest has 60 errors.' });
    expect(problem.violations).toHaveLength(51);
    expect(problem.violations[49]).toEqual({
      path: 'org.yaml:51:6',
      message: 'this is not a finite number; put it in quotes if it is a text',
    });
    expect(problem.violations[50]).toEqual({ path: '…', message: 'and 10 more' });
  });

  it('treats __proto__ like any other key', async () => {
    const json = (await jsonOf(`${head}org: { __proto__: { polluted: true }, constructor: 1 }`)) as {
      org: object;
    };
    expect(Object.keys(json.org)).toEqual(['__proto__', 'constructor']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
