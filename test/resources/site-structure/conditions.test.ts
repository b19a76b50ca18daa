import { beforeEach, describe, expect, it } from 'vitest';
import type { Operation } from '../../../src/contract/operation.ts';
import { parseCondition } from '../../../src/conditions/parse-condition.ts';
import { assertValidCondition } from '../../../src/conditions/condition-evaluator.ts';
import {
  getAdaptiveSchema,
  listTemplateConditions,
  updateAdaptiveSchema,
} from '../../../src/resources/site-adaptive-schema/contract.ts';
import { addSectionToGroup } from '../../../src/resources/site-section-groups/contract.ts';
import { updateSection } from '../../../src/resources/site-sections/contract.ts';
import { updateSiteSpace } from '../../../src/resources/site-spaces/contract.ts';
import {
  deleteSite,
  getPublishedSite,
  publishSite,
  updateSite,
} from '../../../src/resources/sites/contract.ts';
import { regeneratePublishingAuth } from '../../../src/resources/site-publishing-auth/contract.ts';
import { createSitesWorld, type SitesWorld } from '../sites/support.ts';
import { visitorKeys } from '../../../src/resources/site-publishing-auth/rows.ts';

let world: SitesWorld;
let siteId: string;
beforeEach(async () => {
  world = await createSitesWorld();
  siteId = await world.site('Docs');
});

const jsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    beta: { type: 'boolean', description: 'Beta' },
    plan: { type: 'string', enum: ['free', 'pro'], description: 'Plan' },
    'my account': {
      type: 'object',
      description: 'Account',
      properties: { 'is-owner': { type: 'boolean', description: 'Owner' } },
      additionalProperties: false,
    },
    unsigned: {
      type: 'object',
      description: 'Unsigned claims of the site visitor.',
      properties: { language: { type: 'string', enum: ['en', 'fr'], description: 'Language' } },
      additionalProperties: false,
    },
  },
};
const setSchema = () => world.call(updateAdaptiveSchema, { siteId }, { jsonSchema });

describe('a condition of a section or a site space', () => {
  let section: { siteId: string; siteSectionId: string };
  let siteSpace: { siteId: string; siteSpaceId: string };
  beforeEach(async () => {
    section = { siteId, siteSectionId: await world.section(siteId, 'Guides') };
    siteSpace = {
      siteId,
      siteSpaceId: await world.siteSpace(siteId, 'More', { sectionId: section.siteSectionId }),
    };
  });
  const set = (condition: string | null) => [
    { operation: updateSection as Operation, params: section, body: { condition } },
    { operation: updateSiteSpace as Operation, params: siteSpace, body: { condition } },
  ];

  it('must be a valid expression, with or without a schema', async () => {
    for (const { operation, params, body } of set('visitor.claims.anything == "x"'))
      await world.call(operation, params, body);
    for (const { operation, params, body } of [
      ...set('visitor.claims.a ='),
      ...set('process.exit(1)'),
      ...set('visitor.constructor'),
    ]) {
      const { reason, message, paths } = await world.refusal(operation, params, body);
      expect([reason, message, paths]).toEqual([
        'invalid-input',
        expect.stringMatching(/column \d+: /),
        ['/body/condition'],
      ]);
    }
  });

  it('must match the schema of the site', async () => {
    await setSchema();
    for (const { operation, params, body } of set(
      'visitor.claims.plan == "pro" && visitor.claims.unsigned.language != "fr"',
    ))
      await world.call(operation, params, body);
    for (const { operation, params, body } of set('visitor.claims.plann == "pro"')) {
      expect(await world.refusal(operation, params, body)).toMatchObject({
        reason: 'invalid-input',
        message: expect.stringContaining('did you mean "plan"?'),
        hint: expect.stringContaining('adaptive-schema get'),
      });
    }
    for (const { operation, params, body } of set('visitor.claims.beta == "yes"'))
      expect(await world.refusal(operation, params, body)).toMatchObject({ reason: 'invalid-input' });
    for (const { operation, params, body } of set(null)) await world.call(operation, params, body);
  });

  it('is kept when the schema changes, but hides its part if it no longer matches', async () => {
    await setSchema();
    await world.call(updateSection, section, { condition: '!visitor.claims.beta' });
    await world.call(publishSite, { siteId });
    const seen = async () =>
      (await world.call(getPublishedSite, { siteId }, undefined, { claims: '{}' })).structure.structure
        .length;
    expect(await seen()).toBe(1);
    const { beta: _, ...properties } = jsonSchema.properties;
    await world.call(updateAdaptiveSchema, { siteId }, { jsonSchema: { ...jsonSchema, properties } });
    expect(
      await world.call(updateSection, section, { condition: '!visitor.claims.beta', title: 'New title' }),
    ).toMatchObject({ title: 'New title' });
    expect(await seen()).toBe(0);
    await setSchema();
    expect(await seen()).toBe(1);
  });
});

it('each suggested condition is valid for the schema', async () => {
  await setSchema();
  const { items } = await world.call(listTemplateConditions, { siteId });
  expect(items).toHaveLength(8);
  for (const { condition } of items)
    expect(() => assertValidCondition(condition, '', jsonSchema)).not.toThrow();
  expect(parseCondition(items[4]!.condition)).toMatchObject({ kind: 'compare' });
});

it.each(['constructor', 'prototype', '__proto__'])('a claim cannot be named %s', async (name) => {
  const properties = JSON.parse(`{"${name}":{"type":"boolean","description":"x"}}`);
  expect(
    await world.refusal(updateAdaptiveSchema, { siteId }, { jsonSchema: { ...jsonSchema, properties } }),
  ).toMatchObject({
    reason: 'invalid-input',
    paths: [`/body/jsonSchema/properties/${name}`],
  });
  expect(await world.refusal(getAdaptiveSchema, { siteId })).toMatchObject({ reason: 'not-found' });
});

describe('the structure that a visitor sees', () => {
  interface Item {
    readonly title: string;
    readonly children?: readonly Item[];
    readonly sections?: readonly Item[];
    readonly siteSpaces?: readonly Item[];
  }
  const sketch = (items: readonly Item[]): string =>
    items
      .map(({ title, children, siteSpaces }) =>
        children === undefined
          ? siteSpaces === undefined
            ? title
            : `${title}[${sketch(siteSpaces)}]`
          : `(${title}: ${sketch(children)})`,
      )
      .join(' ');
  const seen = async (claims?: unknown) => {
    const { structure } = await world.call(
      getPublishedSite,
      { siteId },
      undefined,
      claims === undefined ? {} : { claims: JSON.stringify(claims) },
      'read',
    );
    return sketch(structure.structure);
  };
  const when = (condition: string) => ({ condition });

  const enable = () => world.call(updateSite, { siteId }, { adaptiveContent: { enabled: true } });

  it('contains only parts whose conditions hold, and no empty groups', async () => {
    await setSchema();
    await enable();
    const guides = await world.section(siteId, 'Guides');
    const french = await world.siteSpace(siteId, 'Français', { sectionId: guides });
    const api = await world.section(siteId, 'API');
    const beta = await world.section(siteId, 'Beta');
    const group = await world.group(siteId, 'Developers', { sections: [api] });
    await world.call(addSectionToGroup, { siteId, siteSectionGroupId: group }, { sectionId: beta });
    await world.call(
      updateSiteSpace,
      { siteId, siteSpaceId: french },
      when('visitor.claims.unsigned.language == "fr"'),
    );
    await world.call(updateSection, { siteId, siteSectionId: api }, when('visitor.claims.plan == "pro"'));
    await world.call(updateSection, { siteId, siteSectionId: beta }, when('visitor.claims.beta'));
    await world.call(publishSite, { siteId });
    expect(await seen()).toBe('Guides[Guides Français] (Developers: API[API] Beta[Beta])');
    expect(await seen({})).toBe('Guides[Guides]');
    expect(await seen({ unsigned: { language: 'fr' } })).toBe('Guides[Guides Français]');
    expect(await seen({ language: 'fr', plan: 'pro' })).toBe('Guides[Guides] (Developers: API[API])');
    expect(await seen({ beta: true, plan: 'gold' })).toBe('Guides[Guides] (Developers: Beta[Beta])');
    expect(await seen({ beta: 'true' })).toBe('Guides[Guides]');
    const { structure } = await world.call(getPublishedSite, { siteId }, undefined, {
      claims: '{"beta":true}',
    });
    expect((structure.structure as readonly Item[])[1]!.sections!.map(({ title }) => title)).toEqual([
      'Beta',
    ]);
  });

  it('is also filtered without sections and without a schema', async () => {
    siteId = await world.site('Small', await world.space('A'), await world.space('B'));
    const { structure } = await world
      .call(publishSite, { siteId })
      .then(() => world.call(getPublishedSite, { siteId }));
    await enable();
    const [first] = structure.structure as readonly { id: string }[];
    await world.call(
      updateSiteSpace,
      { siteId, siteSpaceId: first!.id },
      when('visitor.claims.whatever.is == 3'),
    );
    expect(await seen({})).toBe('B');
    expect(await seen({ whatever: { is: 3 } })).toBe('A B');
    expect(await seen(JSON.parse('{"__proto__":{"whatever":{"is":3}}}'))).toBe('B');
  });

  it('is refused for claims that are not a JSON object of limited size', async () => {
    await world.section(siteId, 'Guides');
    await world.call(publishSite, { siteId });
    for (const claims of [
      '',
      'x',
      '[]',
      'null',
      '1',
      '{"a":',
      `{"a":${'['.repeat(40)}${']'.repeat(40)}}`,
      `{"a":"${'x'.repeat(8192)}"}`,
    ])
      expect(await world.refusal(getPublishedSite, { siteId }, undefined, { claims })).toMatchObject({
        reason: 'invalid-input',
      });
  });
});

it('the key of a site is deleted with the site', async () => {
  await world.call(regeneratePublishingAuth, { siteId });
  await world.call(deleteSite, { siteId });
  expect(await world.core.store.read((view) => view.get(visitorKeys, siteId))).toBeUndefined();
});
