import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../src/contract/operation.ts';
import { nouns } from '../../src/resources/index.ts';
import { serve, type Serving } from './serving.ts';
import { operationsOf } from '../../src/description/schemas.ts';

const operations = (await operationsOf(nouns)).flatMap((noun) => noun.operations);

/** Requests with random input, and with existing IDs so that handlers are reached. */
const segment = fc.oneof(
  fc.constantFrom(
    'org_acme',
    'org_other',
    'usr_admin',
    'a',
    '1',
    '__proto__',
    'constructor',
    '..',
    '~',
    ' ',
    '\0',
    '\u{1f600}',
    '%',
    'a/b',
    "' or 1=1 --",
  ),
  fc.string({ minLength: 1 }),
  fc.string({ minLength: 300, maxLength: 2000 }),
);
const keys = (operation: Operation) =>
  fc.oneof(
    fc.constantFrom(
      '',
      '__proto__',
      ...Object.keys(operation.query.properties),
      ...Object.keys((operation.body?.['properties'] as object | undefined) ?? {}),
    ),
    fc.string(),
  );
const text = fc.oneof(
  fc.string(),
  fc.constantFrom('true', '0', '-1', '1e999', 'NaN', 'null', '\0', '[]', 'org_acme', '9'.repeat(400)),
);

function requests(operation: Operation) {
  const body = fc.oneof(
    fc
      .dictionary(keys(operation), fc.oneof(fc.jsonValue(), text), { maxKeys: 5 })
      .map((value) => JSON.stringify(value)),
    fc.jsonValue().map((value) => JSON.stringify(value)),
    fc.string(),
  );
  return fc.record({
    params: fc.array(segment, {
      minLength: operation.paramNames.length,
      maxLength: operation.paramNames.length,
    }),
    query: fc.array(fc.tuple(keys(operation), text), { maxLength: 4 }),
    body: operation.method === 'GET' ? fc.constant(undefined) : fc.option(body, { nil: undefined }),
    who: fc.constantFrom('admin', 'read', 'guest', 'outsider', 'nobody'),
  });
}

describe('operations with random input', () => {
  let serving: Serving;
  beforeAll(async () => {
    serving = await serve();
  });

  it.each(operations.map((operation) => [operation.id, operation] as const))('%s', async (_id, operation) => {
    const { server, bearer, logged } = serving;
    await fc.assert(
      fc.asyncProperty(requests(operation), async ({ params, query, body, who }) => {
        let at = 0;
        const path = operation.path.replace(/:\w+/g, () => encode(params[at++]!));
        const search = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
        const answer = await server.inject({
          method: operation.method,
          url: `/v1${path}?${search}`,
          headers: {
            ...(who === 'nobody' ? {} : bearer(who)),
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          ...(body === undefined ? {} : { payload: body }),
        });
        if (answer.statusCode < 400) return;
        const { error } = answer.json();
        expect(error).toMatchObject({
          code: answer.statusCode,
          message: expect.any(String),
          reason: expect.any(String),
          requestId: answer.headers['request-id'],
        });
        expect(error.message).not.toBe('');
        if (answer.statusCode !== 501)
          expect(
            answer.statusCode,
            JSON.stringify([error, logged.filter((entry) => 'stack' in entry)]),
          ).toBeLessThan(500);
      }),
      { numRuns: 15, seed: 7 },
    );
  });
});

/**
 * Percent-encodes a text, with halves of surrogate pairs replaced. Dots are encoded because clients resolve dot
 * segments.
 */
function encode(value: string): string {
  return encodeURIComponent(value.toWellFormed()).replaceAll('.', '%2E');
}
