import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createSpace, getSpace, listSpaces, updateSpace } from '../../../src/resources/spaces/contract.ts';
import { emptyPostgres } from '../../support/postgres.ts';
import { createWorld } from '../../support/world.ts';

/** Returns the statements that the work sends, without their parameters. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    return spy.mock.calls.map(([query]) =>
      typeof query === 'string' ? query : (query as unknown as { text: string }).text,
    );
  } finally {
    spy.mockRestore();
  }
}

test('reads with one statement in a request like earlier ones', async () => {
  const world = await createWorld(await emptyPostgres());
  onTestFinished(() => world.core.store.close());
  const params = { organizationId: world.org };
  const api = world.as('admin');
  const made: { readonly id: string }[] = [];
  for (const title of ['One', 'Two', 'Three'])
    made.push(await api.call(createSpace, { params, body: { title } }));
  const get = (at: number) => api.call(getSpace, { params: { spaceId: made[at]?.id ?? '' } });
  await get(0);
  let seen: unknown;
  expect(await statementsOf(async () => (seen = await get(1)))).toEqual([expect.stringMatching(/^WITH s0/)]);
  expect(seen).toMatchObject({ title: 'Two' });
  const list = () => api.call(listSpaces, { params, query: {} });
  await list();
  expect(await statementsOf(async () => (seen = await list()))).toHaveLength(1);
  expect(seen).toMatchObject({ count: 3, items: [{ title: 'One' }, { title: 'Two' }, { title: 'Three' }] });
  // Later reads return the changed values.
  await api.call(updateSpace, { params: { spaceId: made[1]?.id ?? '' }, body: { title: 'New' } });
  expect(await get(1)).toMatchObject({ title: 'New' });
  expect(await world.as('read').call(getSpace, { params: { spaceId: made[1]?.id ?? '' } })).toMatchObject({
    title: 'New',
  });
});

test('needs three round trips for a change like earlier ones', async () => {
  const world = await createWorld(await emptyPostgres());
  onTestFinished(() => world.core.store.close());
  const params = { organizationId: world.org };
  const create = (title: string) => world.as('admin').call(createSpace, { params, body: { title } });
  for (const title of ['One', 'Two', 'Three']) await create(title);
  const statements = await statementsOf(() => create('Four'));
  expect(statements.slice(0, 4)).toEqual([
    'SELECT pg_advisory_lock($1::bigint)',
    'BEGIN ISOLATION LEVEL SERIALIZABLE',
    expect.stringContaining('docsctl_meta'),
    expect.stringMatching(/^WITH s0/),
  ]);
  expect(statements.slice(-2)).toEqual(['COMMIT', 'SELECT pg_advisory_unlock($1::bigint)']);
  // Only the sites of the new space cannot be read before the space has an ID. All else is sent together at the end.
  expect(statements.slice(4, -1).filter((sql) => sql.startsWith('SELECT'))).toEqual([
    expect.stringContaining('"site_spaces"'),
  ]);
});

test('locks the lane of the organization for changes in different spaces', async () => {
  const world = await createWorld(await emptyPostgres());
  onTestFinished(() => world.core.store.close());
  const api = world.as('admin');
  const params = { organizationId: world.org };
  const locksOf = async (work: () => Promise<unknown>): Promise<unknown> => {
    const spy = vi.spyOn(pg.Client.prototype, 'query');
    await work();
    const queries = spy.mock.calls.map(([query]) => query as unknown as { text: string; values: unknown[] });
    spy.mockRestore();
    return queries.filter(({ text }) => text?.includes('pg_advisory_lock')).map(({ values }) => values);
  };
  const made: { readonly id: string }[] = [];
  const create = async () => made.push(await api.call(createSpace, { params, body: { title: 'New' } }));
  const lane = await locksOf(create);
  await create();
  for (const { id: spaceId } of made) {
    // A process learns the organization of a space in the first call for this space.
    await api.call(getSpace, { params: { spaceId } });
    const update = () => api.call(updateSpace, { params: { spaceId }, body: { title: spaceId } });
    expect(await locksOf(update)).toEqual(lane);
  }
  expect(lane).toEqual([[expect.stringMatching(/^-?\d+$/)]]);
});

test('answers a request like earlier ones if a text or an ID in it contains NUL', async () => {
  const world = await createWorld(await emptyPostgres());
  onTestFinished(() => world.core.store.close());
  const params = { organizationId: world.org };
  const api = world.as('admin');
  // Text with `\\u` looks like an escape in JSON.
  for (const title of ['One', 'a\0b', 'C:\\users', 'Two']) {
    const { id: spaceId } = await api.call(createSpace, { params, body: { title } });
    for (let count = 0; count < 3; count++) {
      expect(await api.call(getSpace, { params: { spaceId } })).toMatchObject({ title });
      await api.call(updateSpace, { params: { spaceId }, body: { emoji: '1f4d8' } });
    }
  }
  const nowhere = { params: { spaceId: 'spc_\0' } };
  await expect(api.call(getSpace, nowhere)).rejects.toMatchObject({ reason: 'invalid-input' });
  await expect(api.call(updateSpace, { ...nowhere, body: { title: 'New' } })).rejects.toMatchObject({
    reason: 'invalid-input',
  });
});
