import { expect, it } from 'vitest';
import { violationsOf } from '../../src/contract/check.ts';
import type { TSchema } from '../../src/contract/schema.ts';
import { createCollection } from '../../src/resources/collections/contract.ts';
import { createSpace, updateSpace } from '../../src/resources/spaces/contract.ts';
import { allOperations } from '../security/operations.ts';
import { createWorld } from '../support/world.ts';

/** Fields that may be empty, with the meaning of an empty text. */
const optional: Readonly<Record<string, string>> = {
  linkTitle: 'the title of the page is shown',
  'groups[]/title': 'the links of a footer have no heading',
  repoName: 'the name of the repository is not known',
  'share-links.create/name': 'the ID identifies the link',
  'share-links.update/name': 'the ID identifies the link',
};

interface Node {
  readonly type?: string;
  readonly enum?: unknown;
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
}

/** Returns the fields of a body that contain a name, with their paths. */
function namesIn(schema: TSchema, path = ''): [path: string, schema: TSchema][] {
  const node = schema as Node;
  return [
    ...Object.entries(node.properties ?? {}).flatMap(([field, inner]): [string, TSchema][] => {
      const choices = [inner, ...((inner as Node).anyOf ?? [])] as Node[];
      const isText = choices.some(
        (one) => one.type === 'string' && one.enum === undefined && one.const === undefined,
      );
      const at = `${path}/${field}`;
      return isText && /^(title|name|label|displayName|linkTitle|repoName)$/.test(field)
        ? [[at, inner]]
        : namesIn(inner, at);
    }),
    ...(node.anyOf ?? []).flatMap((one) => namesIn(one, path)),
    ...(node.items === undefined ? [] : namesIn(node.items, `${path}[]`)),
  ];
}

it('no operation accepts an empty or blank name', async () => {
  const found = [...(await allOperations()).values()].flatMap(({ operation: { id, body } }) =>
    body === undefined ? [] : namesIn(body).map(([path, schema]) => ({ place: id + path, schema })),
  );
  expect(found.length).toBeGreaterThan(60);
  const taken = found.filter(({ schema }) =>
    ['', ' ', '\t\n\u{a0}\u{3000}'].some((text) => violationsOf(schema, text, '').length === 0),
  );
  const unexplained = taken.filter(({ place }) => !Object.keys(optional).some((end) => place.endsWith(end)));
  expect(unexplained.map(({ place }) => place)).toEqual([]);
});

it('an empty or blank name is refused with the path of its field', async () => {
  const world = await createWorld();
  const params = { organizationId: 'org_acme' };
  const { id: spaceId } = await world.as('admin').call(createSpace, { params, body: { title: 'Guide' } });
  await expect(world.as('admin').call(createSpace, { params, body: { title: '' } })).rejects.toMatchObject({
    reason: 'invalid-input',
    violations: [{ path: '/body/title', message: 'must not be empty' }],
  });
  await expect(
    world.as('admin').call(createCollection, { params, body: { title: '  ' } }),
  ).rejects.toMatchObject({
    reason: 'invalid-input',
    message: 'The input is not valid: title must not be blank.',
  });
  await expect(
    world.as('admin').call(updateSpace, { params: { spaceId }, body: { title: ' ' } }),
  ).rejects.toMatchObject({ reason: 'invalid-input' });
});
