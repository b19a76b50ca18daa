import { describe, expect, it } from 'vitest';
import { Type } from '../../../src/contract/schema.ts';
import { checkNode } from '../../../src/manifest/read/check-node.ts';
import { Faults } from '../../../src/manifest/read/faults.ts';
import { faultsIn, faultsOf, problemIn, read } from './folder.ts';

const conflict = [
  'version: 1',
  'spaces:',
  '<<<<<<< HEAD',
  '  a: { title: A }',
  '=======',
  '  a: { title: B }',
  '>>>>>>> other',
  '',
];

describe('typical mistakes in the YAML of a manifest', () => {
  it.each([
    ['version: 1\nspaces:\n  a:\n\ttitle: A\n  b: { title: B }\n  c:\n    title: C\n    emoji: x\n', [4]],
    ['version: 1\nspaces:\n  a:\n    title: A\n\temoji: x\n    icon: y\nteams:\n  t: { title: T }\n', [5]],
    ['version: 1\nspaces:\n\ta:\n  b: x: y\n\tc:\n', [3, 5]],
  ])('%j is reported only for its tabs', async (text, lines) => {
    expect(await faultsOf(text)).toEqual(
      lines.map((line) => `org.yaml:${line}:1: this line is indented with a tab; YAML allows only spaces`),
    );
  });

  it.each([
    ['\n', 'org.yaml'],
    ['\r\n', 'org.yaml'],
    ['\n', 'more.yaml'],
    ['\n', 'value.json'],
  ])('an unresolved merge conflict is reported once (%j, %s)', async (end, file) => {
    const files = {
      'org.yaml': 'version: 1\ninclude: [more.yaml]\nx: !file value.json\n',
      'more.yaml': 'version: 1\n',
      'value.json': '{}',
      [file]: conflict.join(end),
    };
    const text = file === 'value.json' ? readValue(files) : faultsOf(files);
    expect(await text).toEqual([
      `${file}:3:1: a merge conflict begins here; resolve it and remove the lines with <<<<<<<, ======= and >>>>>>>`,
    ]);
  });

  it('conflict markers inside a block text are not reported', async () => {
    expect((await read('version: 1\nx: |\n  <<<<<<< HEAD\n  =======\n')).root.entries.has('x')).toBe(true);
  });

  it('a message that ends with a question mark gets no period', async () => {
    expect((await problemIn(read('version: 1\nx: !reff space.a\n'))).message).toBe(
      'org.yaml:2:4: unknown tag !reff; did you mean "!ref"?',
    );
  });
});

async function readValue(files: Record<string, string>): Promise<string[]> {
  const { root } = await read(files);
  const found = new Faults();
  checkNode(root.entries.get('x')!.value, Type.Array(Type.Unsafe({})), found);
  return faultsIn(Promise.resolve().then(() => found.throwIfAny()));
}
