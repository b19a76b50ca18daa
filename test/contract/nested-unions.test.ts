import { expect, it } from 'vitest';
import { violationsOf } from '../../src/contract/check.ts';
import { closed, nullable, Type } from '../../src/contract/schema.ts';

const Source = nullable(
  Type.Union([
    Type.String({ pattern: '^https?://', description: 'address, such as https://example.com' }),
    closed({ kind: Type.Literal('file'), file: Type.String() }),
  ]),
);

it.each([
  ['ftp://x', '/a', 'does not have the expected format (example: https://example.com)'],
  [{ kind: 'file' }, '/a/file', 'is required'],
])('the violation for %j belongs to the intended branch of nested unions', (value, path, message) => {
  expect(violationsOf(Source, value, '/a')).toEqual([{ path, message }]);
});
