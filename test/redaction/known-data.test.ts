import { expect, it } from 'vitest';
import { createKnownRedactor, findKnownData, mergeNames } from '../../src/redaction/known-data.ts';
import { redactKinds, type KnownData } from '../../src/redaction/kinds.ts';

const known = (more: Partial<KnownData>): KnownData => ({
  names: [],
  localParts: [],
  values: new Map(),
  ...more,
});

it('replaces the longer of two values with the same start', () => {
  for (const values of [
    ['Lange Gasse 5', 'Lange Gasse 5, Bonn'],
    ['Lange Gasse 5, Bonn', 'Lange Gasse 5'],
  ]) {
    const redact = createKnownRedactor(
      known({ values: new Map(values.map((value) => [value, 'address'])) }),
      redactKinds,
    );
    expect(redact('To lange  gasse 5, bonn or Lange Gasse 5')).toBe('To [address] or [address]');
  }
});

it('replaces the longer of two names with the same start, and several names as one', () => {
  const redact = createKnownRedactor(known({ names: ['zdenk', 'zdenka'] }), redactKinds);
  expect(redact('Zdenka, ZDENK and zdenka zdenk, not Zdenkas')).toBe(
    '[name], [name] and [name], not Zdenkas',
  );
});

it('replaces names that are also common words only if they are capitalized', () => {
  const redact = createKnownRedactor(known({ names: ['may'] }), redactKinds);
  expect(redact('May and MAY, who may')).toBe('[name] and [name], who may');
});

it('replaces a value that was truncated with an ellipsis after at least four characters', () => {
  const redact = createKnownRedactor(known({ values: new Map([['abcdefgh', 'password']]) }), redactKinds);
  expect(redact('It is abcdefg…')).toBe('It is [password]…');
  expect(redact('It is abcd…')).toBe('It is [password]…');
  expect(redact('It is abc…')).toBe('It is abc…');
  expect(redact('It is abcd')).toBe('It is abcd');
});

it('replaces only the requested kinds', () => {
  const data = known({ names: ['zdenka'], values: new Map([['abcdefgh', 'password']]) });
  expect(createKnownRedactor(data, ['name'])('zdenka abcdefgh')).toBe('[name] abcdefgh');
  expect(createKnownRedactor(data, ['password'])('zdenka abcdefgh')).toBe('zdenka [password]');
});

it('finds names of two letters, but no initials', () => {
  const { names } = findKnownData({
    attributes: { name: 'Bo T. Xi', 'first name': 'Li' },
    parts: [
      { role: 'agent', body: 'What is your name?' },
      { role: 'user', body: 'Jo Wu' },
    ],
  });
  expect(names.toSorted()).toEqual(['bo', 'jo', 'li', 'wu', 'xi']);
});

it('merges only names that are not also common words', () => {
  const merged = mergeNames([known({ names: ['zdenka', 'may'] }), known({ names: ['zdenka', 'quorn'] })]);
  expect(merged).toEqual(known({ names: ['zdenka', 'quorn'] }));
});

it('finds values with any special characters', () => {
  const value = 'a!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~ 078-05-1120';
  const redact = createKnownRedactor(known({ values: new Map([[value, 'password']]) }), redactKinds);
  expect(redact(`It is ${value}.`)).toBe('It is [password].');
});
