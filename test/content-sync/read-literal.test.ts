import { expect, it } from 'vitest';
import { readLiteral } from '../../src/content-sync/read-literal.ts';

it('reads the data of a program without running it', () => {
  const program = `
    import x from './x.js';
    /** @type {Config} sidebar: [1] */
    const guide: Item[][] = [];
    const api = ['api/a', \`api/b\`];
    function deep() { return [{ text: 'It\\'s', hidden: !0, n: -1 }] }
    export default defineConfig({
      themeConfig: { sidebar: { // first
        '/guide/': deep(), api, ['c' + 1]: 1, ['d']: run(), ...more, "e": [...api, , process.exit()] },
        editLink: { pattern: ':path' } },
      async build() {},
    })
    const more = { f: 2, api: null }
  `;
  expect(readLiteral(program, /\bsidebar\s*:/g)).toEqual({
    '/guide/': [{ text: "It's", hidden: undefined, n: undefined }],
    api: null,
    d: undefined,
    f: 2,
    e: [['api/a', undefined], undefined, undefined],
  });
});

it('reads constants with types, and an export of a constant', () => {
  const program =
    "const sidebars: SidebarsConfig = { docs: ['a'] } satisfies Other;\nexport default sidebars;\n";
  expect(readLiteral(program, /\bexport\s+default\b/g)).toEqual({ docs: ['a'] });
  expect(readLiteral("const sidebar: Theme['sidebar'] = [1]\n", /\bsidebar\s*:/g)).toEqual([1]);
});

it('returns nothing for hostile programs', () => {
  const names = Array.from({ length: 300 }, (_, at) => `const a${at} = [...a${at + 1}, ...a${at + 1}];`);
  let depth = 0;
  for (
    let value = readLiteral(`sidebar: a0;${names.join('\n')}`, /\bsidebar\s*:/g);
    Array.isArray(value);
    depth++
  )
    [value] = value;
  expect(depth).toBe(200);
  const starts = (count: number) =>
    readLiteral(`${'sidebar: 1\n'.repeat(count)}sidebar: [1]`, /\bsidebar\s*:/g);
  expect([starts(19), starts(20)]).toEqual([[1], undefined]);
  expect(readLiteral('const a = [a];\nsidebar: a', /\bsidebar\s*:/g)).toEqual([undefined]);
  for (const code of ['[', '['.repeat(100_000), '{ __proto__: { x: 1 } ', '() => {}', "import('x')", ''])
    expect(readLiteral(`sidebar: ${code}`, /\bsidebar\s*:/g)).toBeUndefined();
  const own = readLiteral('sidebar: { __proto__: { x: 1 } }', /\bsidebar\s*:/g);
  expect(Object.keys(own as object)).toEqual(['__proto__']);
});
