import { expect, it } from 'vitest';
import { readPeriod, readSince } from '../../../src/cli/input/since.ts';

const now = Date.parse('2030-03-10T12:00:00Z');

it.each([
  ['7d', -1, '2030-03-03T12:00:00.000Z'],
  ['30d', 1, '2030-04-09T12:00:00.000Z'],
  ['90m', -1, '2030-03-10T10:30:00.000Z'],
  ['2w', 1, '2030-03-24T12:00:00.000Z'],
  ['2030-12-31', 1, '2030-12-31T00:00:00.000Z'],
  ['2030-02-30', 1, undefined],
  ['7x', -1, undefined],
  ['-7d', -1, undefined],
  ['2030-12-31T09:00:00Z', 1, undefined],
] as const)('readPeriod reads %j with the sign %d as %s', (text, sign, time) => {
  expect(readPeriod(text, now, sign)).toBe(time);
});

it('readSince accepts a period, a date or a time', () => {
  expect(readSince('2030-01-31T09:00:00+02:00', now)).toBe('2030-01-31T07:00:00.000Z');
  expect(() => readSince('yesterday', now)).toThrow('--since takes a period such as 7d, or a date');
});
