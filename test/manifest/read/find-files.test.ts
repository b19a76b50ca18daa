import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toJson } from '../../../src/manifest/read/json.ts';
import { faultsIn, faultsOf, folderOf, jsonOf, read, readFolder } from './folder.ts';

const head = 'version: 1\n';

describe('sources of a manifest', () => {
  const files = {
    'b.yaml': `${head}b: 1`,
    'a.yml': `${head}a: 1`,
    'c.json': '{}',
    '.hidden.yaml': 'x',
    'readme.md': 'x',
    'deep/x.yaml': `${head}x: 1`,
    'deep/er/y.yaml': `${head}y: 1`,
  };

  it('can be folders, whose YAML files are read in order, without subfolders', async () => {
    const manifest = await read(files, { sources: ['.'] });
    expect(toJson(manifest.root)).toEqual({ a: 1, b: 1 });
    expect(manifest.files.map(({ name }) => name)).toEqual(['a.yml', 'b.yaml']);
  });

  it.each([
    ['*.yaml', ['b.yaml']],
    ['**/*.yaml', ['b.yaml', 'deep/er/y.yaml', 'deep/x.yaml']],
    ['deep/**', ['deep/er/y.yaml', 'deep/x.yaml']],
    ['d?ep/*.yaml', ['deep/x.yaml']],
    ['./deep/../*.y?l', ['a.yml']],
  ])('can be the pattern %s', async (pattern, names) => {
    const manifest = await read(files, { sources: [pattern] });
    expect(manifest.files.map(({ name }) => name)).toEqual(names);
  });

  it('can be several, and each file is read once', async () => {
    const manifest = await read(files, { sources: ['deep/x.yaml', '.', 'b.yaml', './deep/../b.yaml'] });
    expect(manifest.files.map(({ name }) => name)).toEqual(['deep/x.yaml', 'a.yml', 'b.yaml']);
  });

  it('can be standard input, with paths relative to the working folder', async () => {
    expect(await jsonOf({ 'x.txt': 'X' }, { sources: ['-'], stdin: `${head}x: !file x.txt` })).toEqual({
      x: 'X',
    });
    expect(await faultsOf({}, { sources: ['-'], stdin: 'version: 1\nx: !file /x' })).toEqual([
      '<stdin>:2:4: "/x" is absolute; a manifest reads only files in its own folder, so give a path relative to this file',
    ]);
  });

  it('can be absolute, or outside of the working folder', async () => {
    const folder = folderOf({ 'conf/org.yaml': `${head}a: !file a.txt`, 'conf/a.txt': 'A', 'work/x': '' });
    expect(toJson((await readFolder(folder, { sources: [join(folder, 'conf/org.yaml')] })).root)).toEqual({
      a: 'A',
    });
    const manifest = await readFolder(join(folder, 'work'), { sources: ['../conf/org.yaml'] });
    expect(manifest.files).toEqual([
      {
        name: '../conf/org.yaml',
        path: join(folder, 'conf/org.yaml'),
        root: join(folder, 'conf'),
        folder: join(folder, 'conf'),
      },
    ]);
    expect(manifest.foldersOf(manifest.root.at)).toEqual({
      root: join(folder, 'conf'),
      folder: join(folder, 'conf'),
    });
    expect(manifest.foldersOf({ file: '../conf/sub/x.yaml', line: 1, column: 1 })).toEqual({
      root: join(folder, 'conf'),
      folder: join(folder, 'conf/sub'),
    });
  });

  it('can be behind a link that the caller names', async () => {
    const folder = folderOf({ 'real/org.yaml': `${head}a: 1` });
    symlinkSync(join(folder, 'real'), join(folder, 'link'));
    for (const source of ['link', 'link/org.yaml', 'link/*.yaml'])
      expect(toJson((await readFolder(folder, { sources: [source] })).root)).toEqual({ a: 1 });
  });

  it.each([
    ['nope.yaml', 'nope.yaml: does not exist'],
    ['no/*.yaml', 'no/*.yaml: does not exist'],
    ['*.toml', '*.toml: matches no file'],
    ['empty', 'empty: is a folder without *.yaml or *.yml files'],
    ['latin.yaml', 'latin.yaml: does not exist; did you mean "latin1.yaml"?'],
    ['/dev/zero', '/dev/zero: is not a regular file'],
    ['latin1.yaml', 'latin1.yaml: is not UTF-8 text'],
    ['dir.yaml/a.yaml', 'dir.yaml/a.yaml: "version: 1" is missing'],
  ])('report why %s cannot be read', async (source, fault) => {
    const [found] = await faultsOf(
      { 'empty/x.txt': '', 'latin1.yaml': Buffer.from([0xe9]), 'dir.yaml/a.yaml': '' },
      { sources: [source] },
    );
    expect(found!.replace(/^[./]*(?:dev\/)?zero/, '/dev/zero').replace(/:1:1: /, ': ')).toContain(fault);
  });

  it('are required', async () => {
    expect(await faultsOf({}, { sources: [] })).toEqual([
      '-f: no manifest given; name a file, a folder, or "-" for standard input',
    ]);
  });
});

describe('several documents and files', () => {
  it('are merged key by key, to two levels', async () => {
    const files = {
      'a.yaml': `${head}org: { id: o }\nspaces:\n  a: { title: A }\n---\nspaces: { b: { title: B } }\n`,
      'b.yaml': `${head}org: { title: T }\nspaces: { c: {} }\nlist: [1]\n`,
    };
    expect(await jsonOf(files, { sources: ['.'] })).toEqual({
      org: { id: 'o', title: 'T' },
      spaces: { a: { title: 'A' }, b: { title: 'B' }, c: {} },
      list: [1],
    });
  });

  it('share their variables', async () => {
    expect(
      await jsonOf(
        { 'a.yaml': `${head}vars: { x: 1 }\n`, 'b.yaml': `${head}vars: { y: "2" }\na: "\${var.x}\${var.y}"` },
        { sources: ['.'] },
      ),
    ).toEqual({ a: '12' });
  });

  it('cannot set the same key twice', async () => {
    const files = {
      'a.yaml': `${head}spaces:\n  guide: { title: A }\nlist: [1]\none: 1\nvars: { x: 1 }\n`,
      'b.yaml': `${head}vars: { x: 1 }\nspaces:\n  guide: { title: B }\nlist: [2]\none: {}\n`,
    };
    expect(await faultsOf(files, { sources: ['.'] })).toEqual([
      'b.yaml:2:9: "vars.x" is already set at a.yaml:6:9; remove one of the two',
      'b.yaml:4:3: "spaces.guide" is already set at a.yaml:3:3; remove one of the two',
      'b.yaml:5:1: "list" is already set at a.yaml:4:1; remove one of the two',
      'b.yaml:6:1: "one" is already set at a.yaml:5:1; remove one of the two',
    ]);
    expect(await faultsOf(`${head}a: { b: 1 }\n---\na: { b: 2 }\n`)).toEqual([
      'org.yaml:4:6: "a.b" is already set at org.yaml:2:6; remove one of the two',
    ]);
    expect(await faultsOf(`${head}a: !ref b.c\n---\na: !ref b.c\n`)).toEqual([
      'org.yaml:4:1: "a" is already set at org.yaml:2:1; remove one of the two',
    ]);
  });

  it('need a version each', async () => {
    expect(
      await faultsOf({ 'a.yaml': head, 'b.yaml': 'a: 1\n', 'c.yaml': 'version: two\n' }, { sources: ['.'] }),
    ).toEqual([
      'b.yaml:1:1: "version: 1" is missing; add that line',
      'c.yaml:1:10: this manifest version is not supported; this docsctl reads "version: 1"',
    ]);
  });
});

describe('include', () => {
  it('reads files and patterns, relative to the folder of the file', async () => {
    const files = {
      'org.yaml': `${head}include: [parts/a.yaml, "parts/more/*.yaml", "*.yaml"]\norg: 1`,
      'other.yaml': `${head}other: 1`,
      'parts/a.yaml': `${head}include: [../b.json]\na: 1`,
      'b.json': '{"version":1,"b":1}',
      'parts/more/c.yaml': `${head}c: 1`,
    };
    const manifest = await read(files);
    expect(toJson(manifest.root)).toEqual({ org: 1, a: 1, b: 1, c: 1, other: 1 });
    expect(manifest.files.map(({ name }) => name)).toEqual([
      'org.yaml',
      'parts/a.yaml',
      'b.json',
      'parts/more/c.yaml',
      'other.yaml',
    ]);
  });

  it('reads a file once even if two files include it', async () => {
    expect(
      await jsonOf({
        'org.yaml': `${head}include: [a.yaml, b.yaml]`,
        'a.yaml': `${head}include: [c.yaml]`,
        'b.yaml': `${head}include: [c.yaml]`,
        'c.yaml': `${head}c: 1`,
      }),
    ).toEqual({ c: 1 });
  });

  it('refuses a cycle and shows the chain', async () => {
    const files = {
      'org.yaml': `${head}include: [a.yaml]`,
      'a.yaml': `${head}include:\n  - b.yaml`,
      'b.yaml': `${head}include: [./a.yaml]`,
    };
    expect(await faultsOf(files)).toEqual([
      'b.yaml:2:11: these files include each other: a.yaml → b.yaml → a.yaml',
    ]);
    expect(await faultsOf(`${head}include: [org.yaml]`)).toEqual([
      'org.yaml:2:11: these files include each other: org.yaml → org.yaml',
    ]);
  });

  it.each([
    ['a.yaml', '2:10: "include" must be a list of files: [teams.yaml, spaces/*.yaml]'],
    ['[1]', '2:11: an included file must be a path'],
    ['[!file a]', '2:11: an included file must be a path'],
    ['["${var.x}.yaml"]', '2:11: "include" cannot use variables, because files are read first'],
    ['[nope.yaml]', '2:11: nope.yaml does not exist'],
    ['["no/*.yaml"]', '2:11: "no" does not exist'],
    ['["*.toml"]', '2:11: "*.toml" matches no file'],
    ['[sub]', '2:11: sub is a folder, not a file'],
    ['[../x.yaml]', '2:11: "../x.yaml" is outside the folder of the manifest; move it into that folder'],
    ...['.git/x.yaml', '.github/*.yaml', '*/.git/*', 'sub/.Git/../.env'].map((path) => [
      `["${path}"]`,
      `2:11: ${JSON.stringify(path.replace(/\/\*\.yaml$/, ''))} is hidden or in a hidden folder; such files are not read, so give it a name without a dot at its beginning`,
    ]),
    ['["../*.yaml"]', '2:11: ".." is outside the folder of the manifest; move it into that folder'],
    ['["*/../../*.yaml"]', '2:11: "*/../../*.yaml" uses ".." after a "*"; write the folder name instead'],
    [
      '[/etc/passwd]',
      '2:11: "/etc/passwd" is absolute; a manifest reads only files in its own folder, so give a path relative to this file',
    ],
  ])('refuses %s', async (include, fault) => {
    expect(await faultsOf({ 'org.yaml': `${head}include: ${include}\n`, 'sub/x': '' })).toEqual([
      `org.yaml:${fault}`,
    ]);
  });

  it('reports no unknown variables and references if a file is missing', async () => {
    expect(await faultsOf(`${head}include: [vars.yaml]\na: \${var.x}\n`)).toEqual([
      'org.yaml:2:11: vars.yaml does not exist',
    ]);
  });
});

function hostile(): string {
  const folder = folderOf({
    'in/org.yaml': head,
    'out/secret.yaml': `${head}s: 1`,
    'out/more/t.yaml': `${head}t: 1`,
  });
  symlinkSync('../out/secret.yaml', join(folder, 'in/link.yaml'));
  symlinkSync('../out', join(folder, 'in/linked'));
  symlinkSync('loop', join(folder, 'in/loop'));
  mkdirSync(join(folder, 'in/dir.yaml'));
  execFileSync('mkfifo', [join(folder, 'in/pipe.yaml')]);
  return join(folder, 'in');
}

describe('links and special files', () => {
  it.each([
    ['!file link.yaml', '"link.yaml" is a symbolic link or is inside one; links are not followed'],
    [
      '!file linked/secret.yaml',
      '"linked/secret.yaml" is a symbolic link or is inside one; links are not followed',
    ],
    [
      '!file linked/more/t.yaml',
      '"linked/more/t.yaml" is a symbolic link or is inside one; links are not followed',
    ],
    ['!file loop', '"loop" is a symbolic link or is inside one; links are not followed'],
    ['!file loop/x', '"loop/x" is a symbolic link or is inside one; links are not followed'],
    ['!file pipe.yaml', '"pipe.yaml" is not a regular file'],
    ['!file dir.yaml', '"dir.yaml" is a folder, not a file'],
    ['!file org.yaml/x', '"org.yaml/x" does not exist'],
  ])('refuses %s', async (value, fault) => {
    const folder = hostile();
    expect(await faultsIn(readFolder(folder, { sources: ['-'], stdin: `${head}x: ${value}` }))).toEqual([
      `<stdin>:2:4: ${fault}`,
    ]);
  });

  it.each([
    ['link.yaml', 'link.yaml is a symbolic link or is inside one; links are not followed'],
    ['linked/secret.yaml', 'linked/secret.yaml is a symbolic link or is inside one; links are not followed'],
    ['pipe.yaml', 'pipe.yaml is not a regular file'],
    ['linked/*.yaml', '"linked" is a symbolic link or is inside one; links are not followed'],
  ])('does not include %s', async (include, fault) => {
    expect(
      await faultsIn(readFolder(hostile(), { sources: ['-'], stdin: `${head}include: ["${include}"]` })),
    ).toEqual([`<stdin>:2:11: ${fault}`]);
  });

  it('are skipped by patterns', async () => {
    const manifest = await readFolder(hostile(), { sources: ['**/*.yaml'] });
    expect(manifest.files.map(({ name }) => name)).toEqual(['org.yaml']);
  });

  it('are reported if a source is their folder', async () => {
    const faults = await faultsIn(readFolder(hostile(), { sources: ['.'] }));
    expect(faults).toEqual([
      'dir.yaml: is a folder, not a file',
      'link.yaml: is a symbolic link or is inside one; links are not followed',
      'pipe.yaml: is not a regular file',
    ]);
  });
});
