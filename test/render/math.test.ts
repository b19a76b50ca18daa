import katex from 'katex';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { withoutLetterSizes } from '../../.scripts/small-katex.js';
import { renderFormula } from '../../src/render/math.ts';

it('writes a formula in a line, or as a block', () => {
  const inline = renderFormula('a^2', false)?.text ?? '';
  expect(inline).toContain('<msup><mi>a</mi><mn>2</mn></msup>');
  expect(inline).not.toContain('display="block"');
  expect(renderFormula('a^2', true)?.text).toContain('display="block"');
});

it.each(['', ' \n', '\\frac{1}', '{', '\\unknown'])('gives nothing for what is no formula: %j', (tex) => {
  expect(renderFormula(tex, false)).toBeUndefined();
});

it('reads at most 10,000 characters', () => {
  expect(renderFormula('x'.padEnd(10_000), false)).toBeDefined();
  expect(renderFormula('x'.padEnd(10_001), false)).toBeUndefined();
});

it('gives nothing for macros without end, and follows no commands that link', () => {
  expect(renderFormula('\\def\\a{\\a\\a}\\a', false)).toBeUndefined();
  expect(renderFormula('\\href{javascript:alert(1)}{x}', false)?.text ?? '').not.toContain('href=');
});

it('is written in the same way without the sizes of letters, as in the built program', async () => {
  const file = join(dirname(createRequire(import.meta.url).resolve('katex')), 'katex.mjs');
  const source = readFileSync(file, 'utf8');
  const folder = mkdtempSync(join(tmpdir(), 'docsctl-katex-'));
  try {
    const small = join(folder, 'katex.mjs');
    writeFileSync(small, withoutLetterSizes(source));
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
    for (const command of commands)
      for (const tex of [command, `${command}{a}`, `${command}{1em}{b}`, `\\left(${command} x_1^2\\right)`])
        expect([tex, write(other, tex)]).toEqual([tex, write(katex, tex)]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
