import { expect, it } from 'vitest';
import { createFormulaRenderer, renderFormula } from '../../src/render/math.ts';

it('renders a formula inline, or as a block', () => {
  const inline = renderFormula('a^2', false)?.text ?? '';
  expect(inline).toContain('<msup><mi>a</mi><mn>2</mn></msup>');
  expect(inline).not.toContain('display="block"');
  expect(renderFormula('a^2', true)?.text).toContain('display="block"');
});

it.each(['', ' \n', '\\frac{1}', '{', '\\unknown'])('returns undefined for an invalid formula: %j', (tex) => {
  expect(renderFormula(tex, false)).toBeUndefined();
});

it('reads at most 10,000 characters', () => {
  expect(renderFormula('x'.padEnd(10_000), false)).toBeDefined();
  expect(renderFormula('x'.padEnd(10_001), false)).toBeUndefined();
});

it('returns undefined for endless macros, and ignores commands that create links', () => {
  expect(renderFormula('\\def\\a{\\a\\a}\\a', false)).toBeUndefined();
  expect(renderFormula('\\href{javascript:alert(1)}{x}', false)?.text ?? '').not.toContain('href=');
});

it('renders macros with a small expansion', () => {
  expect(renderFormula('\\newcommand{\\own}{\\mathbb{R}} \\own^2', false)?.text).toContain('<msup>');
  const use = (length: number, count: number) => `\\gdef\\x{${'y'.repeat(length)}}${'\\x '.repeat(count)}`;
  expect(renderFormula(use(100, 15), true)).toBeDefined();
  // These few characters expand to a million symbols.
  expect(renderFormula(use(9000, 150), true)).toBeUndefined();
  expect(renderFormula(use(800, 50), true)).toBeUndefined();
  expect(renderFormula('\\def\\x#1{#1#1}\\x{y}', true)).toBeUndefined();
});

it.each([
  '\\newcommand{\\norm}[1]{\\left\\lVert #1\\right\\rVert} \\norm{x} + \\norm{y}',
  '\\newcommand\\pair[2]{\\{#2, {#1}\\}} \\renewcommand{\\pair}[2]{#1} \\pair{a}{b}',
])('renders macros that use each parameter once: %s', (tex) => {
  expect(renderFormula(tex, true)).toBeDefined();
});

it.each([
  '\\newcommand{\\a}[1]{#1#1} \\a{\\a{\\a{x}}}',
  '\\newcommand{\\a}[1]{#1 % }\n#1} \\a{x}',
  '\\newcommand{\\a}[1]{% {\n#1} \\newcommand{\\b}[1]{#1#1} \\b{x}',
  '\\newcommand{\\a}[1]{#1\\newcommand{\\b}[1]{##1##1}} \\a{x}',
  '\\newcommand{\\a}[1]{\\newcommand{\\b}[1]{#1}} \\a{x}',
  '\\def\\a#1{#1} \\a{x}',
  '\\newcommand{\\a}[1]{#1',
])('refuses macros whose parameters may be repeated: %s', (tex) => {
  expect(renderFormula(tex, true)).toBeUndefined();
});

it('renders 100,000 characters per page, and 20 formulas with macros', () => {
  const render = createFormulaRenderer();
  const drawn = Array.from({ length: 12 }, () => render('x'.padEnd(10_000), true) !== undefined);
  expect(drawn.filter(Boolean)).toHaveLength(10);
  const another = createFormulaRenderer();
  const macros = Array.from({ length: 25 }, () => another('\\def\\a{x}\\a', true) !== undefined);
  expect(macros.filter(Boolean)).toHaveLength(20);
});
