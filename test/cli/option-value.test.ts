import { expect, it } from 'vitest';
import { hasFlag, valueOf } from '../../src/cli/option-value.ts';

it.each([
  [['--output', 'json'], 'json'],
  [['--output=json'], 'json'],
  [['-o', 'json'], 'json'],
  [['-ojson'], 'json'],
  [['-o', 'json', '--output=yaml'], 'yaml'],
  [['--org', 'json'], undefined],
  [['-x', '--', '-o', 'json'], undefined],
  [['-o'], undefined],
])('valueOf reads the output of %j as %s', (argv, value) => {
  expect(valueOf(argv, '--output', '-o')).toBe(value);
});

it('valueOf finds an option without a short form only by its name', () => {
  expect(valueOf(['--profile=ci', '-pother'], '--profile')).toBe('ci');
});

it('hasFlag ignores options after "--"', () => {
  expect(hasFlag(['spaces', 'get', '--debug', '--', 'x'], '--debug')).toBe(true);
  expect(hasFlag(['spaces', 'get', '--debug'], '--debug')).toBe(true);
  expect(hasFlag(['spaces', 'get', '--', '--debug'], '--debug')).toBe(false);
  expect(hasFlag(['spaces', 'get'], '--debug')).toBe(false);
});
