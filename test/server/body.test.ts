import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOperation } from '../../src/contract/operation.ts';
import { Problem } from '../../src/errors/problem.ts';
import { nouns } from '../../src/resources/index.ts';
import { jsonTypes, readBody } from '../../src/server/body.ts';
import { bodyLimitsOf } from '../../src/server/limits.ts';

const read = (text: string, type = 'application/json', nodes = 1000) =>
  readBody(Buffer.from(text), type, nodes);
const reasonOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem) return error.reason;
    throw error;
  }
  return 'taken';
};

describe('readBody', () => {
  it('reads any JSON without changes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!text.includes('__proto__'));
        expect(read(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('returns undefined for an empty body, and accepts a byte order mark', () => {
    expect(read('')).toBeUndefined();
    expect(read('\uFEFF{"a":1}')).toEqual({ a: 1 });
  });

  it.each([
    ['application/json; charset=utf-8', 'taken'],
    ['application/json;charset="UTF-8"', 'taken'],
    ['application/json; charset=utf8', 'taken'],
    ['application/json; charset=latin1', 'unsupported-media'],
  ])('reads the content type %s: %s', (type, reason) =>
    expect(reasonOf(() => read('{}', type))).toBe(reason),
  );

  it.each([
    ['application/json', true],
    ['Application/JSON; charset=utf-8', true],
    ['application/merge-patch+json', true],
    ['text/json', false],
    ['application/jsonp', false],
    ['application/x-ndjson', false],
    ['text/plain; a=application/json', false],
  ])('treats %s as JSON: %s', (type, is) => expect(jsonTypes.test(type)).toBe(is));

  it.each([
    ['[1,2', 'invalid-input'],
    ['{"a":1}x', 'invalid-input'],
    ['NaN', 'invalid-input'],
    [' ', 'invalid-input'],
    ['{"__proto__":1}', 'invalid-input'],
    ['{"a":[{"__proto__":{}}]}', 'invalid-input'],
    ['{"\\u005f_proto__":1}', 'invalid-input'],
    ['{"constructor":{"prototype":{}}}', 'invalid-input'],
    ['{"\\u0063onstructor":{"prototype":1}}', 'invalid-input'],
    ['{"constructor":"Bosch"}', 'taken'],
    ['{"title":"\\"__proto__\\""}', 'taken'],
    ['{"title":"__proto__"}', 'taken'],
    ['"caf\\u00e9"', 'taken'],
  ])('reads the body %s: %s', (text, reason) => expect(reasonOf(() => read(text))).toBe(reason));

  it('accepts at most 64 levels, not counting brackets in strings', () => {
    const nested = (levels: number) => `${'{"a":'.repeat(levels)}"[[[{{{"${'}'.repeat(levels)}`;
    expect(reasonOf(() => read(nested(64)))).toBe('taken');
    expect(reasonOf(() => read(nested(65)))).toBe('invalid-input');
    expect(reasonOf(() => read('['.repeat(500_000)))).toBe('invalid-input');
  });

  it('limits the number of values', () => {
    expect(reasonOf(() => read(JSON.stringify(Array(1000).fill(0)), 'application/json', 1000))).toBe('taken');
    expect(reasonOf(() => read(JSON.stringify(Array(1002).fill(0)), 'application/json', 1000))).toBe(
      'invalid-input',
    );
  });
});

describe('bodyLimitsOf', () => {
  it('returns one megabyte, and more only for content, ingest, specifications and integrations', async () => {
    const operations = (await Promise.all(nouns.map((noun) => noun.contract())))
      .flatMap((contract) => Object.values(contract))
      .filter(isOperation);
    const larger = operations
      .filter((operation) => bodyLimitsOf(operation).bytes > 1024 * 1024)
      .map(({ route }) => route);
    for (const route of larger)
      expect(route).toMatch(
        /conversations|broken-links$|\/content(\/batch)?$|\/(merge|update)$|openapi|integrations/,
      );
    expect(bodyLimitsOf({ route: 'POST /orgs/:organizationId/conversations' } as never).bytes).toBe(
      8 * 1024 * 1024,
    );
    expect(
      bodyLimitsOf({ route: 'POST /spaces/:spaceId/change-requests/:changeRequestId/content' } as never)
        .bytes,
    ).toBe(16 * 1024 * 1024);
    expect(bodyLimitsOf({ route: 'POST /orgs/:organizationId/collections' } as never).bytes).toBe(
      1024 * 1024,
    );
  });
});
