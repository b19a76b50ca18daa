import { describe, expect, it } from 'vitest';
import { desiredFaults, desiredOf } from './desired.ts';

describe('a text in place of an ID', () => {
  const collections = 'collections: { product: { title: Product } }\nteams: { a: { title: A } }\n';
  const noId =
    'this text is not an ID; use !ref collection.NAME for a block of the manifest, or !lookup { title: … } for any other collection';

  it.each([
    ['collection.product', '"collection.product" is plain text here; did you mean !ref collection.product?'],
    ['product', '"product" is not an ID; did you mean !ref collection.product?'],
    ['team.a', '"team.a" is used where a collection is required'],
    ['collection.prodct', 'this text is not an ID; did you mean !ref collection.product?'],
    ['Product Docs', noId],
    ['""', noId],
    ['"../x"', noId],
  ])('%s is reported', async (text, message) => {
    expect(await desiredFaults(`${collections}spaces: { s: { parent: ${text} } }`)).toEqual([
      `org.yaml:4:24: ${message}`,
    ]);
  });

  it.each(['col_01ABC', 'other', '-_'])('%s is accepted', async (id) => {
    expect(
      (await desiredOf(`${collections}spaces: { s: { parent: ${id} } }`)).byAddress
        .get('space.s')!
        .fields.get('parent')!.value,
    ).toBe(id);
  });

  it('is reported in lists, in maps, in lookups and in shorthands for another block', async () => {
    const text = `spaces: { s: { title: S } }
sites: { docs: { sections: [{ path: p, space: space.s }], groups: { a: { title: A } } } }
integrations: { i: { spaces: [!ref space.s, space.s, spc_1] } }
translations: { t: { source: { space: space.s, language: en }, language: fr } }
org: { settings: { defaultContent: { site: site.docs } } }
`;
    const said = (address: string) => `"${address}" is plain text here; did you mean !ref ${address}?`;
    expect((await desiredFaults(text)).sort()).toEqual([
      `org.yaml:3:47: ${said('space.s')}`,
      `org.yaml:4:45: ${said('space.s')}`,
      `org.yaml:5:39: ${said('space.s')}`,
      `org.yaml:6:44: ${said('site.docs')}`,
    ]);
    expect(
      await desiredFaults(
        `${collections}spaces: { s: { parent: !lookup { title: X, parent: collection.product } } }`,
      ),
    ).toEqual([`org.yaml:4:52: ${said('collection.product')}`]);
  });

  it('is reported if a name of the same parent is expected', async () => {
    const text =
      'sites: { docs: { groups: { dev: { title: Dev } }, sections: [{ path: p, group: section-group.docs/dev }] } }';
    expect(await desiredFaults(text)).toEqual([
      'org.yaml:2:80: "section-group.docs/dev" is plain text here; did you mean !ref section-group.docs/dev?',
    ]);
  });
});

it('a reference in place of a text is reported only once', async () => {
  const text = 'spaces: { a: { title: !lookup { title: X } }, b: { title: !ref space.a } }';
  expect(await desiredFaults(text)).toEqual([
    'org.yaml:2:23: !lookup is not allowed here; expected text',
    'org.yaml:2:59: !ref is not allowed here; expected text',
  ]);
});
