import { expect, it, test } from 'vitest';
import { filterClaims, findClaimPaths } from '../../src/conditions/claims.ts';
import { parseValid, visitorSchema } from './support.ts';

it('keeps only the claims of a visitor that match the schema', () => {
  const given = JSON.parse(
    '{"beta":"yes","seats":3,"plan":"gold","products":["api",1,"x"],"unsigned":{"language":"fr","more":1},"__proto__":{"beta":true},"constructor":1}',
  ) as never;
  const { claims, ignored } = filterClaims(given, visitorSchema);
  expect(JSON.parse(JSON.stringify(claims))).toEqual({
    seats: 3,
    products: ['api'],
    unsigned: { language: 'fr' },
  });
  expect(ignored).toHaveLength(7);
  expect(ignored).toContain('claims.plan is not one of: free, pro');
  expect(filterClaims('text', visitorSchema).claims).toEqual({});
});

test('returns the claims that a condition uses', () => {
  expect(
    findClaimPaths(
      parseValid(
        'visitor.claims.a.b == "x" && visitor.claims.c.some(p => p == visitor.claims["d"]) && space.vars.e',
      ),
    ),
  ).toEqual([['a', 'b'], ['c'], ['d']]);
});
