import { expect, it } from 'vitest';
import type { ClaimSchema } from '../../src/conditions/claims.ts';
import { ConditionEvaluator } from '../../src/conditions/condition-evaluator.ts';
import { generateVisitors } from '../../src/conditions/generate-visitors.ts';
import { visitorSchema } from './support.ts';

const visitorsOf = (conditions: readonly string[], schema: ClaimSchema | undefined) =>
  generateVisitors(conditions, new ConditionEvaluator(schema), schema).map(({ name }) => name);
const namesOf = (conditions: readonly string[]) => visitorsOf(conditions, visitorSchema);
const c = 'visitor.claims';

it('generates a visitor for each value, after one that fulfills the condition', () => {
  expect(namesOf([`${c}.beta`])).toEqual(['beta', 'beta=false']);
  expect(namesOf([`${c}.plan == "pro"`])).toEqual(['plan=pro', 'plan=free']);
  expect(namesOf([`${c}.plan == "pro" && ${c}.beta`])).toEqual([
    'plan=pro, beta',
    'plan=free',
    'plan=pro',
    'beta',
    'beta=false',
  ]);
  expect(namesOf([`${c}.seats > 3`])).toEqual(['seats=4', 'seats=3', 'seats=2']);
  expect(namesOf([`${c}.name == "Ana"`])).toEqual(['name=Ana']);
  expect(namesOf([`${c}.products.includes("docs")`])).toEqual([
    'products=docs',
    'products=api',
    'products=api+docs',
  ]);
  expect(namesOf([`${c}.unsigned.language == "fr"`])).toEqual([
    'unsigned.language=fr',
    'unsigned.language=en',
  ]);
});

it('returns the claims of each visitor', () => {
  const evaluator = new ConditionEvaluator(visitorSchema);
  const [both] = generateVisitors(
    [`${c}.unsigned.language == "fr" && ${c}.products.includes("api") && !${c}.beta`],
    evaluator,
    visitorSchema,
  );
  expect(both?.claims).toEqual({ unsigned: { language: 'fr' }, products: ['api'] });
});

it('uses the values in conditions if there is no schema', () => {
  expect(visitorsOf([`${c}.tier == "gold"`], undefined)).toEqual(['tier=gold', 'tier']);
  expect(visitorsOf([`${c}.tags.includes("x")`], undefined)).toEqual(['tags=x', 'tags']);
});

it('generates no visitor for invalid or constant conditions', () => {
  expect(namesOf([`${c}.plan ==`, 'true'])).toEqual([]);
  expect(namesOf([`!${c}.beta`])).toEqual(['beta', 'beta=false']);
});

it('generates at most 20 visitors, with at most 8 values of a claim', () => {
  const names = (count: number) => Array.from({ length: count }, (_, at) => `${c}.name == "n${at}"`);
  expect(namesOf([names(9).join(' || ')])).toEqual(Array.from({ length: 8 }, (_, at) => `name=n${at}`));
  expect(namesOf(names(21))).toHaveLength(20);
  expect(namesOf(names(20))).toHaveLength(20);
  expect(namesOf(names(19))).toHaveLength(19);
});
