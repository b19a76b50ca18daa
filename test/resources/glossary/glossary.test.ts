import { beforeEach, describe, expect, test } from 'vitest';
import * as contract from '../../../src/resources/glossary/contract.ts';
import { createWorld, type World } from '../../support/world.ts';
import { callsIn } from '../calls.ts';
import { env, helpersOf, page, service, type Service } from '../translations/support.ts';

let world: World;
let translator: Service;
const { call, refusal } = callsIn(() => world);
beforeEach(async () => {
  translator = service();
  world = await createWorld('memory:', { outgoing: translator.outgoing, env });
});

const org = { organizationId: 'org_acme' };
const update = (...operations: object[]) => call(contract.updateGlossary, org, { body: { operations } });
const insert = (translations: object) => update({ type: 'insert', translations });
const list = async (query: object = {}) => (await call(contract.listGlossary, org, { query })).items;

describe('changes of the glossary', () => {
  test('are applied in order', async () => {
    await insert({ en: 'space', fr: 'espace' });
    const [entry] = await list();
    await update(
      { type: 'update', id: entry!.id, translations: { en: 'space', de: 'Bereich' } },
      { type: 'insert', translations: { en: 'page' } },
    );
    expect((await list()).map(({ translations }) => translations)).toEqual([
      { en: 'space', de: 'Bereich' },
      { en: 'page' },
    ]);
    await update({ type: 'delete', id: entry!.id });
    expect((await list()).map(({ translations }) => translations)).toEqual([{ en: 'page' }]);
  });

  test('are all undone if one is refused', async () => {
    const refused = await refusal(contract.updateGlossary, org, {
      body: {
        operations: [
          { type: 'insert', translations: { en: 'space' } },
          { type: 'delete', id: 'gls_none' },
        ],
      },
    });
    expect(refused.reason).toBe('not-found');
    expect(await list()).toEqual([]);
  });

  test.each([
    [{ type: 'insert', translations: {} }],
    [{ type: 'insert', translations: { klingon: 'x' } }],
    [{ type: 'insert', translations: { en: 'two\nlines' } }],
    [{ type: 'update', translations: { en: 'x' } }],
    [{ type: 'replace', id: 'x' }],
  ])('are refused if they contain %j', async (operation) => {
    const { reason } = await refusal(contract.updateGlossary, org, { body: { operations: [operation] } });
    expect(reason).toBe('invalid-input');
  });
});

test('the glossary can be listed in the order of the terms of one language', async () => {
  await insert({ en: 'zebra', fr: 'zèbre' });
  await insert({ fr: 'chat' });
  await insert({ en: 'Apple', fr: 'pomme' });
  expect((await list({ orderBy: 'en' })).map(({ translations: { en } }) => en)).toEqual([
    'Apple',
    'zebra',
    undefined,
  ]);
  expect((await list({ orderBy: 'fr' })).map(({ translations: { fr } }) => fr)).toEqual([
    'chat',
    'pomme',
    'zèbre',
  ]);
  const first = await call(contract.listGlossary, org, { query: { orderBy: 'fr', limit: 2 } });
  const next = await call(contract.listGlossary, org, { query: { orderBy: 'fr', page: first.next!.page } });
  expect(next.items.map(({ translations: { fr } }) => fr)).toEqual(['zèbre']);
});

describe('translations with a glossary', () => {
  const helpers = helpersOf(() => world);

  test('use the terms of both languages, and become pending when these change', async () => {
    const space = await helpers.newSpace([page('Start', 'The Wombat digs.')]);
    const { id } = await helpers.create(space);
    await helpers.work();
    const { result, status } = await helpers.look(id);
    expect(status).toBe('completed');
    const text = async () => (await helpers.textsOf(result!.space))[0]![1];
    expect(await text()).toBe('fr(The Wombat digs.)');
    await insert({ en: 'Wombat', de: 'Wombat' });
    expect((await helpers.look(id)).status).toBe('completed');
    await insert({ en: 'Wombat', fr: 'Wombat' });
    expect((await helpers.look(id)).status).toBe('pending');
    translator.sent.length = 0;
    await helpers.work();
    expect(translator.sent.join('\n')).toContain('digs');
    expect(translator.sent.join('\n')).not.toContain('Wombat');
    expect(await text()).toContain('Wombat');
  });
});
