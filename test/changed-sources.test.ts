import { nameToEmoji } from 'gemoji';
import katex from 'katex';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import {
  withHexadecimalWasm,
  withNamesOnly,
  withOneContext,
  withoutHtmlBuilders,
  withoutHtmlEntities,
  withoutIndicScripts,
  withoutLetterSizes,
} from '../.scripts/changed-sources.js';
import { gfmSyntax, gitbookFromMarkdown, gitbookSyntax } from '../src/richtext/syntax.ts';
import { faceFile, unpackWoff } from '../src/pdf/font-files.ts';

const packages = fileURLToPath(new URL('../node_modules/', import.meta.url));
const require = createRequire(import.meta.url);

function readSource(file: string): string {
  return readFileSync(join(packages, file), 'utf8');
}

/** The exports of a CommonJS file. */
function exportsOf(source: string, required: (name: string) => unknown = require): unknown {
  const module = { exports: {} };
  runInNewContext(source, { module, exports: module.exports, require: required, Object });
  return module.exports;
}

it('reads the same WebAssembly', () => {
  const source = readSource('undici/lib/llhttp/llhttp-wasm.js');
  const wasm = exportsOf(source) as Buffer;
  expect(wasm.length).toBeGreaterThan(10_000);
  expect(wasm.equals(exportsOf(withHexadecimalWasm(source)) as Buffer)).toBe(true);
});

it('knows the characters of XML', () => {
  const source = withoutHtmlEntities(readSource('@xmldom/xmldom/lib/entities.js'));
  const found = exportsOf(source, () => ({ freeze: (value: unknown) => value })) as Record<string, unknown>;
  const five = { amp: '&', apos: "'", gt: '>', lt: '<', quot: '"' };
  expect(JSON.parse(JSON.stringify(found))).toEqual({
    XML_ENTITIES: five,
    HTML_ENTITIES: five,
    entityMap: five,
  });
});

it('knows the names of emojis, without the flags of most regions', async () => {
  const small = withNamesOnly(readSource('gemoji/index.js'));
  const url = `data:text/javascript;base64,${Buffer.from(small).toString('base64')}`;
  const { nameToEmoji: kept } = (await import(url)) as { nameToEmoji: Record<string, string> };
  const isFlag = (emoji: string): boolean => /^[\u{1f1e6}-\u{1f1ff}]{2}$/u.test(emoji);
  const others = Object.entries(nameToEmoji).filter(([, emoji]) => !isFlag(emoji));
  expect(
    Object.entries(kept)
      .filter(([, emoji]) => !isFlag(emoji))
      .sort(),
  ).toEqual(others.sort());
  expect(others.length).toBeGreaterThan(1600);
  expect(kept['de']).toBe('🇩🇪');
  for (const [name, emoji] of Object.entries(kept)) expect([name, emoji]).toEqual([name, nameToEmoji[name]]);
});

it('writes formulas in the same way after the build has removed letter sizes and HTML builders', async () => {
  const source = readSource('katex/dist/katex.mjs');
  const folder = mkdtempSync(join(tmpdir(), 'docsctl-katex-'));
  try {
    const small = join(folder, 'katex.mjs');
    writeFileSync(small, withoutLetterSizes(withoutHtmlBuilders(source)));
    const { default: other } = (await import(pathToFileURL(small).href)) as { default: typeof katex };
    const write = (engine: typeof katex, tex: string): string => {
      try {
        return engine.renderToString(tex, { displayMode: true, output: 'mathml', strict: 'ignore' });
      } catch (error) {
        return String(error);
      }
    };
    const commands = new Set(
      [...source.matchAll(/["']\\\\([a-zA-Z]+|.)["']/g)].map(([, name]) => `\\${name}`),
    );
    // These write to the console.
    for (const command of ['message', 'errmessage', 'show']) commands.delete(`\\${command}`);
    expect(commands.size).toBeGreaterThan(900);
    const environments = [...source.matchAll(/defineEnvironment\(\{[^]*?names: (\[[^]*?\])/g)].flatMap(
      ([, names = '']) => JSON.parse(names) as string[],
    );
    expect(environments.length).toBeGreaterThan(30);
    for (const name of environments)
      for (const tex of ['', '{ll}', '{2}'].map(
        (given) => String.raw`\begin{${name}}${given} a & \sqrt{b} \\ \hline c \end{${name}}`,
      ))
        expect([tex, write(other, tex)]).toEqual([tex, write(katex, tex)]);
    for (const command of commands)
      for (const tex of [command, `${command}{a}`, `${command}{1em}{b}`, `\\left(${command} x_1^2\\right)`])
        expect([tex, write(other, tex)]).toEqual([tex, write(katex, tex)]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('reads the same Markdown with one context for all tokens', async () => {
  const source = withOneContext(readSource('mdast-util-from-markdown/lib/index.js'));
  const folder = mkdtempSync(join(tmpdir(), 'docsctl-mdast-'));
  try {
    const file = join(folder, 'index.mjs');
    writeFileSync(file, withFileUrls(source, 'mdast-util-from-markdown/lib/index.js'));
    const { fromMarkdown: other } = (await import(pathToFileURL(file).href)) as {
      fromMarkdown: typeof fromMarkdown;
    };
    const samples = fileURLToPath(new URL('samples/', import.meta.url));
    const names = readdirSync(samples, { recursive: true, encoding: 'utf8' });
    const texts = names
      .filter((name) => name.endsWith('.md'))
      .map((name) => readFileSync(join(samples, name), 'utf8'));
    expect(texts.length).toBeGreaterThan(50);
    for (const text of [...texts, texts.join('\n\n')]) {
      const options = {
        extensions: [gfmSyntax(text), gitbookSyntax({ tags: true })],
        mdastExtensions: [gfmFromMarkdown(), gitbookFromMarkdown()],
      };
      expect(other(text, options)).toEqual(fromMarkdown(text, options));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

interface Fontkit {
  readonly create: (file: Buffer) => {
    readonly characterSet: readonly number[];
    readonly layout: (text: string) => {
      readonly glyphs: readonly { readonly id: number }[];
      readonly positions: unknown;
    };
  };
}

/** Names the packages that a source imports by their files, because it is written to another folder. */
function withFileUrls(source: string, from: string): string {
  const ownRequire = createRequire(join(packages, from));
  const withoutMap = source.replace(/^\/\/# sourceMappingURL.*$/m, '');
  return withoutMap.replace(
    /^(?! *\*)(.*) from ["']([^"']+)["'];?$/gm,
    (whole, start: string, name: string) =>
      name === 'fs'
        ? whole
        : `${start} from ${JSON.stringify(pathToFileURL(ownRequire.resolve(name)).href)};`,
  );
}

async function importFontkit(source: string, file: string): Promise<Fontkit> {
  writeFileSync(file, withFileUrls(source, 'fontkit/dist/module.mjs'));
  return (await import(pathToFileURL(file).href)) as Fontkit;
}

it('places the letters of the fonts of PDFs in the same way without Indic scripts', async () => {
  const source = readSource('fontkit/dist/module.mjs');
  const small = withoutIndicScripts(source);
  expect(small.length).toBeLessThan(source.length - 100_000);
  const folder = mkdtempSync(join(tmpdir(), 'docsctl-fontkit-'));
  try {
    const whole = await importFontkit(source, join(folder, 'whole.mjs'));
    const other = await importFontkit(small, join(folder, 'small.mjs'));
    for (const face of ['regular', 'italic', 'mono'] as const) {
      const file = unpackWoff(readFileSync(faceFile(face)));
      // A text is placed by the rules of its first script, so each script gets a text of its own.
      const byBlock = new Map<number, string>();
      for (const code of whole.create(file).characterSet)
        byBlock.set(code >> 7, `${byBlock.get(code >> 7) ?? ''}${String.fromCodePoint(code)}`);
      expect(byBlock.size).toBeGreaterThan(10);
      const place = ({ create }: Fontkit) => {
        const font = create(file);
        return Array.from(byBlock.values(), (text) => {
          const { glyphs, positions } = font.layout(text);
          return { ids: glyphs.map(({ id }) => id), positions };
        });
      };
      expect(place(other)).toEqual(place(whole));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
