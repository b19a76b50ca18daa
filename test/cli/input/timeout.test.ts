import { expect, it } from 'vitest';
import { readSeconds } from '../../../src/cli/input/timeout.ts';

it.each([
  ['1', 1],
  ['0.5', 0.5],
  ['86400', 86_400],
])('readSeconds reads %s as seconds', (text, seconds) => {
  expect(readSeconds(text, '--timeout', { min: 'positive' })).toBe(seconds);
});

it.each(['86400.1', '86401', '-1', '', '1e3', '1.', ' 1', 'soon'])('readSeconds refuses %j', (text) => {
  for (const [min, range] of [
    ['zero', 'from 0 to 86400'],
    ['positive', 'above 0, up to 86400'],
  ] as const)
    expect(() => readSeconds(text, '--timeout', { min })).toThrow(
      `--timeout takes a number of seconds ${range}, not "${text}".`,
    );
});

it('readSeconds accepts 0 only if the minimum is zero', () => {
  expect(readSeconds('0', '--interval', { min: 'zero' })).toBe(0);
  expect(() => readSeconds('0', '--timeout', { min: 'positive' })).toThrow(
    '--timeout takes a number of seconds',
  );
});
