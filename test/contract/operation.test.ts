import { describe, expect, it } from 'vitest';
import { closed, Type } from '../../src/contract/schema.ts';
import { created, maxLimitOf, operation } from '../../src/contract/operation.ts';
import { nouns } from '../../src/resources/index.ts';
import { operationsOf } from '../../src/description/schemas.ts';

describe('an operation', () => {
  it('is safe to repeat if it is a GET, or if its declaration says so', async () => {
    const operations = (await operationsOf(nouns)).flatMap((noun) => noun.operations);
    expect(operations.length).toBeGreaterThan(200);
    for (const { method, safe, id } of operations)
      if (method === 'GET') expect([id, safe]).toEqual([id, true]);
    expect(operations.filter(({ method, safe }) => method !== 'GET' && safe).map(({ id }) => id))
      .toMatchInlineSnapshot(`
        [
          "orgs.broken-links",
          "integrations.render",
          "spaces.content.compute",
          "spaces.content.compute-document",
          "sites.events.aggregate",
        ]
      `);
    for (const { safe, secret, deprecated } of operations)
      expect([typeof safe, typeof secret, typeof deprecated]).toEqual(['boolean', 'boolean', 'boolean']);
  });

  it.each([
    ['the maximum of its declaration', { limit: Type.Integer({ maximum: 100 }) }, 100],
    ['1000 items, if its declaration has no maximum', { limit: Type.Integer() }, 1000],
    ['1000 items, if it has no limit', {}, 1000],
  ])('that lists items has on each page at most %s', (_, query, expected) => {
    expect(maxLimitOf({ query: closed(query) } as never)).toBe(expected);
  });

  it('has the parameter names of its path', () => {
    const made = operation({
      id: 'things.create',
      route: 'POST /v1/orgs/:organizationId/things/:thingId',
      summary: 'Create a thing',
      description: 'Creates a thing.',
      access: 'open',
      returns: created(closed({ id: Type.String() })),
    } as never);
    expect(made).toMatchObject({
      method: 'POST',
      path: '/v1/orgs/:organizationId/things/:thingId',
      paramNames: ['organizationId', 'thingId'],
      safe: false,
      secret: false,
      deprecated: false,
    });
  });
});
