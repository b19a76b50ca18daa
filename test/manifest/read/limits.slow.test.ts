import { closeSync, ftruncateSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultsIn, faultsOf, folderOf, read, readFolder } from './folder.ts';

const head = 'version: 1\n';
const mega = 1024 * 1024;
const deep = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels);

describe('texts made to exceed limits', { timeout: 60_000 }, () => {
  it.each([
    ['lists in lists', `a: ${deep('[', ']', 64)}`, 'org.yaml:2:67: nested more than 64 levels deep'],
    ['maps in maps', `a: ${deep('{a: ', '}', 64)}`, 'org.yaml:2:256: nested more than 64 levels deep'],
    ['thousands of brackets', `a: ${'['.repeat(100_000)}`, 'org.yaml:2:67: nested more than 64 levels deep'],
    ['thousands of dashes', '- '.repeat(100_000), 'org.yaml:2:131: nested more than 64 levels deep'],
    ['thousands of keys in keys', '? '.repeat(100_000), 'org.yaml:2:129: nested more than 64 levels deep'],
    ['a million brackets', `a: ${'['.repeat(mega)}`, 'too many values'],
    [
      'a thousand brackets that close nothing',
      ']'.repeat(10_000),
      'not valid YAML: unexpected flow-seq-end token in YAML stream',
    ],
    [
      'thousands of tags',
      `a: ${'!ref '.repeat(10_000)}`,
      'org.yaml:2:9: not valid YAML: a node can have at most one tag',
    ],
    [
      'thousands of missing commas',
      `a: [${'"x" '.repeat(10_000)}]`,
      'org.yaml:2:9: not valid YAML: missing , or : between flow sequence items',
    ],
    ['only ends of documents', '...\n'.repeat(10_000), 'more than 1000 documents in one file'],
    ['a million commas', `a: [${','.repeat(2 * mega)}]`, 'has too many values'],
    ['a million documents', '---\n'.repeat(mega), 'more than 500000 lines'],
    ['a thousand documents', '---\na: 1\n'.repeat(2000), 'more than 1000 documents in one file'],
    ['only line breaks', '\n'.repeat(mega), 'more than 500000 lines; split the file'],
    [
      'only anchors',
      'a: '.padEnd(mega, '&a '),
      'org.yaml:2:184: YAML anchors and aliases are not supported; write the values out',
    ],
    [
      'one long text',
      `a: ${'x'.repeat(mega + 1)}`,
      'org.yaml:2:4: a text of more than 1 MiB; move it to a separate file',
    ],
    [
      'one long block',
      `a: |\n${' x\n'.repeat(400_000)}`,
      'a text of more than 1 MiB; move it to a separate file',
    ],
    [
      'a quote that is not closed',
      `a: "${'x'.repeat(mega + 1)}`,
      'org.yaml:2:4: a text of more than 1 MiB; move it to a separate file',
    ],
    ['many aliases', 'a: [' + '*a, '.repeat(1000) + ']', 'YAML anchors and aliases are not supported'],
    [
      'many escapes',
      `a: ["${'\\n'.repeat(mega / 4)}", ${`"${'\\n'.repeat(mega / 4)}", `.repeat(8)}]`,
      'more than 4 MiB of quoted text',
    ],
    [
      'nested aliases (billion laughs)',
      `a: &a [lol, lol]\nb: &b [*a, *a]\nc: &c [*b, *b]`,
      '"&a" is a YAML anchor',
    ],
    [
      'null bytes',
      `a: x\0`,
      'org.yaml:2:5: the control character U+0000 is not allowed; remove it, or write it as \\x00 in double quotes',
    ],
    [
      'markers that the lexer uses',
      `a: \u001fx`,
      'org.yaml:2:4: the control character U+001F is not allowed',
    ],
  ])('with %s are refused', async (_, text, fault) => {
    const faults = await faultsOf(head + text);
    expect(
      faults.find((line) => line.includes(fault)),
      faults.slice(0, 3).join('\n'),
    ).toBeDefined();
  });

  it('can have 100,000 values, and not one more', async () => {
    const manifest = await read(`${head}a: [${'1,'.repeat(99_997)}]`);
    const list = manifest.root.entries.get('a')!.value;
    expect(list.kind === 'list' && list.items.length).toBe(99_997);
    expect(await faultsOf(`${head}a: [${'1,'.repeat(99_998)}]`)).toEqual([
      'org.yaml:2:199999: more than 100000 values; split the manifest, or move long data to separate files',
    ]);
  });

  it('share their limits with all other files', async () => {
    const part = (name: string, values: number) => `${head}${name}:\n${'- 1\n'.repeat(values)}`;
    const [fault] = await faultsOf(
      { 'a.yaml': part('a', 99_000), 'b.yaml': part('b', 2_000) },
      { sources: ['.'] },
    );
    expect(fault).toMatch(/^b\.yaml:\d+:3: more than 997 values/);
  });

  it('can have 64 levels', async () => {
    expect((await read(`${head}a: ${deep('[', ']', 63)}`)).root.entries.has('a')).toBe(true);
  });

  it('with 10,000 keys are read without delay', async () => {
    const { root } = await read(
      head + Array.from({ length: 10_000 }, (_, index) => `k${index}: 1\n`).join(''),
    );
    expect(root.entries.size).toBe(10_000);
  });

  it('are refused in the same way when they are read again in one process', async () => {
    for (const _ of [1, 2, 3])
      expect(await faultsOf(`${head}a: ${'['.repeat(5000)}`)).toEqual([
        'org.yaml:2:67: nested more than 64 levels deep',
      ]);
  });
});

describe('files made to exceed limits', { timeout: 60_000 }, () => {
  it('are not read if they have 100 MB', async () => {
    const folder = folderOf({});
    const file = openSync(join(folder, 'org.yaml'), 'w');
    ftruncateSync(file, 100 * mega);
    closeSync(file);
    expect(await faultsIn(readFolder(folder))).toEqual(['org.yaml: is larger than 16 MiB']);
    expect(
      await faultsIn(
        readFolder(folder, {
          sources: ['-'],
          stdin: `${head}a: !file org.yaml`,
        }),
      ),
    ).toEqual(['<stdin>:2:4: "org.yaml" is larger than 4 MiB']);
  });

  it('are refused if they are too large together', async () => {
    const text = `${head}# ${'x'.repeat(9 * mega)}\n`;
    expect(await faultsOf({ 'a.yaml': text, 'b.yaml': text }, { sources: ['.'] })).toContainEqual(
      'b.yaml: makes the manifest exceed 16 MiB in total',
    );
  });

  it('are refused if standard input is too long', async () => {
    expect(await faultsOf({}, { sources: ['-'], stdin: 'x'.repeat(16 * mega + 1) })).toEqual([
      '<stdin>: is larger than 16 MiB',
    ]);
  });

  it.runIf(process.platform === 'linux')('are read if they claim to be empty', async () => {
    // Files of /proc have a size of 0.
    expect((await faultsOf({}, { sources: ['/proc/self/status'] }))[0]).toMatch(/status:\d+:\d+: /);
  });

  it('are refused if there are more than 1,000', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 1001 }, (_, index) => [`f${String(index).padStart(4, '0')}.yaml`, head]),
    );
    expect(await faultsOf(files, { sources: ['.'] })).toEqual([
      'f1000.yaml: exceeds the limit of 1000 files per manifest',
    ]);
  });
});
