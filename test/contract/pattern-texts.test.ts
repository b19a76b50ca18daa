import { expect, it } from 'vitest';
import { patternMessage } from '../../src/contract/check.ts';
import { isOperation } from '../../src/contract/operation.ts';
import { isRecord } from '../../src/contract/values.ts';
import { nouns } from '../../src/resources/index.ts';
import { Source } from '../../src/resources/site-redirects/schemas.ts';

/** Returns all schemas inside a schema that have a pattern. */
function withPattern(schema: unknown): Record<string, unknown>[] {
  if (Array.isArray(schema)) return schema.flatMap(withPattern);
  if (!isRecord(schema)) return [];
  const inner = Object.values(schema).flatMap(withPattern);
  return typeof schema['pattern'] === 'string' ? [schema, ...inner] : inner;
}

it('every pattern of an input has a readable message', async () => {
  const unknown = new Set<string>();
  let count = 0;
  for (const { contract } of nouns)
    for (const operation of Object.values(await contract())) {
      if (!isOperation(operation)) continue;
      for (const schema of withPattern([operation.query, operation.body])) {
        count++;
        const message = patternMessage(schema);
        if (message.startsWith('does not match')) unknown.add(message);
      }
    }
  expect(count).toBeGreaterThan(50);
  expect([...unknown]).toEqual([]);
});

it('the message for a pattern is more specific than the example in the description of the field', () => {
  expect(patternMessage(Source)).toMatch(/^must be a path that starts with \/, such as .* as %XX$/);
});
