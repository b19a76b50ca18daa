import { expect, it } from 'vitest';
import { createDailyKey, VisitorNames } from '../../src/server/visitor-names.ts';

const day = 24 * 60 * 60 * 1000;

it('VisitorNames gives a visitor the same name for a day, in all processes with the same key', () => {
  let now = 10 * day + 5;
  const clock = (): number => now;
  const key = createDailyKey(clock);
  const [first, second] = [new VisitorNames(clock, key), new VisitorNames(clock, key)];
  const name = first.nameOf('192.0.2.1', 'Firefox');
  expect(name).toHaveLength(22);
  expect(second.nameOf('192.0.2.1', 'Firefox')).toBe(name);
  expect(first.nameOf('192.0.2.2', 'Firefox')).not.toBe(name);
  expect(first.nameOf('192.0.2.1')).not.toBe(name);
  now = 11 * day - 1;
  expect(first.nameOf('192.0.2.1', 'Firefox')).toBe(name);
  now = 13 * day;
  const later = first.nameOf('192.0.2.1', 'Firefox');
  expect(later).not.toBe(name);
  expect(second.nameOf('192.0.2.1', 'Firefox')).toBe(later);
  expect(new VisitorNames(clock).nameOf('192.0.2.1', 'Firefox')).not.toBe(later);
});
