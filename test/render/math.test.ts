import { expect, it } from 'vitest';
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
