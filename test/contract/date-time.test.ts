import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDateTime } from '../../src/contract/date-time.ts';

describe('isDateTime', () => {
  it.each([
    '2026-02-28T10:00:00Z',
    '2024-02-29T10:00Z',
    '2000-02-29T10:00:00+05:30',
    '2026-12-31t23:59:59.999999999z',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
  ])('accepts %s', (text) => expect(isDateTime(text)).toBe(true));

  it.each([
    '2026-02-29T10:00:00Z',
    '2026-02-30T10:00:00Z',
    '1900-02-29T10:00:00Z',
    '2026-04-31T10:00:00Z',
    '2026-13-01T10:00:00Z',
    '2026-00-10T10:00:00Z',
    '2026-01-00T10:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T10:60:00Z',
    '9999-12-31T23:59:59-23:59',
    '0001-01-01T00:00:00+23:59',
    '0000-06-01T00:00:00Z',
    '2026-01-01',
    '2026-01-01T10:00:00',
    '2026-01-01 10:00:00Z',
    ' 2026-01-01T10:00:00Z',
    '',
  ])('rejects "%s"', (text) => expect(isDateTime(text)).toBe(false));

  it('accepts every time that Date.toISOString returns', () => {
    fc.assert(
      fc.property(
        fc.date({
          min: new Date('0001-01-01T00:00:00Z'),
          max: new Date('9999-12-31T23:59:59.999Z'),
          noInvalidDate: true,
        }),
        (date) => isDateTime(date.toISOString()),
      ),
    );
  });
});
