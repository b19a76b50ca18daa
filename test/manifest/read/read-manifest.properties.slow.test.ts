import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { Problem } from '../../../src/errors/problem.ts';
import { matchName } from '../../../src/files/glob.ts';
import { readManifest, type Manifest } from '../../../src/manifest/read/read-manifest.ts';
import { toJson } from '../../../src/manifest/read/json.ts';
import { escapeTemplate } from '../../../src/manifest/read/template.ts';
import { folderOf } from './folder.ts';

function readText(cwd: string, text: string): Promise<Manifest> {
  return readManifest({
    sources: ['-'],
    cwd,
    env: { A: 'a' },
    vars: {},
    readStdin: () => Promise.resolve(text),
  });
}

const text = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 10 }),
  fc.constantFrom(
    ...'yes|1|null|~|!ref a|&a|*a|- a|a: b|# c||"|\'|%|@|`|<<|0x1|.inf|1e3|${|$${var.x}|$'.split('|'),
    '|',
    ' ',
    '\n\n',
    '\t',
    'line\n  two\n',
  ),
);
const key = text.filter((name) => name !== '<<' && !name.includes('${'));
// A "$" is written before texts that would be read as variables.
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(key, tie('value'), { maxKeys: 5 }),
  ),
})).value;

/** JSON has no negative zero. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}

function escaped(value: unknown): unknown {
  if (typeof value === 'string') return escapeTemplate(value);
  if (Array.isArray(value)) return value.map(escaped);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, escaped(inner)]));
}

describe('any value in a manifest', { timeout: 60_000 }, () => {
  it('is read back unchanged from YAML', async () => {
    const cwd = folderOf({});
    await fc.assert(
      fc.asyncProperty(
        json,
        fc.constantFrom(
          {},
          { defaultStringType: 'QUOTE_DOUBLE' as const },
          { defaultStringType: 'QUOTE_SINGLE' as const },
          { collectionStyle: 'flow' as const },
          { lineWidth: 20 },
        ),
        async (value, style) => {
          const { root } = await readText(
            cwd,
            stringify({ version: 1, x: escaped(value) }, { ...style, version: '1.2' }),
          );
          expect(plain(toJson(root))).toEqual({ x: plain(value) });
        },
      ),
      { numRuns: 300, seed: 4 },
    );
  });

  it('is read back unchanged from JSON', async () => {
    const cwd = folderOf({});
    await fc.assert(
      fc.asyncProperty(json, fc.constantFrom(undefined, 2, '\t'), async (value, indent) => {
        const { root } = await readText(cwd, JSON.stringify({ version: 1, x: escaped(value) }, null, indent));
        expect(plain(toJson(root))).toEqual({ x: plain(value) });
      }),
      { numRuns: 300, seed: 4 },
    );
  });
});

const good = `version: 1
# a good manifest
vars: { env: staging, host: { default: acme.test, type: string } }
org:
  id: \${env.A}
  settings: { title: "Acme \\u00e9", defaultContent: { site: !ref site.docs } }
spaces:
  guide:
    title: 'It''s'
    text: |
      one \${var.env}
      two
    parent: !lookup { title: Product }
  api: { key: !lookup { slug: a }, protect: true, n: [1, 2.5, null, ~] }
---
sites:
  docs:
    - ? path
      : guide
    - >-
      folded
      text
`;

describe('a damaged manifest', { timeout: 600_000 }, () => {
  it('is valid before it is damaged', async () => {
    expect([...(await readText(folderOf({}), good)).root.entries.keys()]).toEqual(['org', 'spaces', 'sites']);
  });

  it('is read or refused with a Problem, and never throws another error', async () => {
    const cwd = folderOf({});
    const piece = fc.oneof(
      fc.constantFrom(
        ...'{ } [ ] : - ? !ref !file !!set !< &a *a <<: " \' | > % --- ... ${ # ,'.split(' '),
        ' ',
        '\n',
        '\t',
        '- ',
        '? ',
        '!ref ',
        '---\n',
        '...\n',
        '\0',
        '\r',
        '\ud800',
        '__proto__: ',
      ),
      fc.string({ maxLength: 4 }),
    );
    const damage = fc.array(fc.tuple(fc.nat(good.length), fc.nat(12), piece), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(damage, fc.option(fc.nat(good.length), { nil: undefined }), async (cuts, end) => {
        const damaged = cuts
          .reduce((sum, [at, length, put]) => sum.slice(0, at) + put + sum.slice(at + length), good)
          .slice(0, end);
        try {
          await readText(cwd, damaged);
        } catch (error) {
          expect(error).toBeInstanceOf(Problem);
          for (const { path } of (error as Problem).violations)
            expect(path).toMatch(/^<stdin>:[1-9]\d*:[1-9]\d*$|^…$/);
        }
      }),
      { numRuns: 500, seed: 4 },
    );
  });
});

describe('matchName', () => {
  it('matches like the equivalent regular expression', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 8 });
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '?'), maxLength: 6 }),
        letters,
        (pattern, name) => {
          const expression = new RegExp(
            `^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll('?', '.')}$`,
          );
          expect(matchName(pattern, name)).toBe(expression.test(name));
        },
      ),
      { numRuns: 2000, seed: 4 },
    );
  });

  it('is fast for patterns with many stars', () => {
    expect(matchName(`${'*a'.repeat(120)}b`, 'a'.repeat(250))).toBe(false);
  });
});
