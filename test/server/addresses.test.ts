import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isRecord } from '../../src/contract/values.ts';
import { createServer, type Server } from '../../src/server/index.ts';
import { inputOf, sameElement } from '../security/bodies.ts';
import { furnish, paramsOf } from '../security/furnished.ts';
import { allOperations, outcomeOf } from '../security/operations.ts';
import { createWorld, type World } from '../support/world.ts';

const base = 'http://localhost:8080';

let world: World;
let server: Server;
/** The kinds of objects in responses, by their `urls.location`. */
const objects = new Map<string, unknown>();
/** The other addresses of this server in responses, with the field of each. */
const addresses = new Map<string, string>();

function collect(value: unknown, field = ''): void {
  if (Array.isArray(value)) for (const item of value) collect(item, field);
  if (typeof value === 'string' && field !== 'location' && value.startsWith(`${base}/v1/`))
    addresses.set(value, field);
  if (!isRecord(value)) return;
  const { urls, object } = value;
  if (isRecord(urls) && typeof urls['location'] === 'string') objects.set(urls['location'], object);
  for (const [name, inner] of Object.entries(value)) collect(inner, name);
}

const get = (address: string) =>
  server.inject({
    method: 'GET',
    url: address.slice(base.length),
    headers: { authorization: `Bearer ${world.token('admin')}` },
  });

beforeAll(async () => {
  world = await createWorld('memory:', { outgoing: sameElement });
  const operations = await allOperations();
  const ids = await furnish(world, operations, 'admin', world.org);
  for (const { operation } of operations.values()) {
    if (operation.method !== 'GET' || operation.returns.schema === undefined) continue;
    const given = { params: paramsOf(operation, ids), ...inputOf(operation, ids) };
    const outcome = await outcomeOf(world.as('admin'), operation, given);
    if (outcome.reason === 'done') collect(outcome.answer);
  }
  server = await createServer({ core: world.core, version: 'test', newRequestId: () => 'req_1' });
});
afterAll(async () => {
  await server.close(0);
  await world.core.store.close();
});

describe('addresses in responses', () => {
  it('return the objects that contain them', async () => {
    const kinds = new Set<unknown>();
    for (const [address, kind] of objects) {
      // No operation returns a user (docs/fields.md).
      if (kind === 'user') continue;
      const { statusCode, payload } = await get(address);
      expect([address, statusCode]).toEqual([address, 200]);
      expect(payload).toContain(`"location":"${address}"`);
      kinds.add(kind);
    }
    expect([...kinds]).toEqual(expect.arrayContaining(['space', 'site', 'comment', 'issues-cluster']));
    expect(kinds.size).toBeGreaterThan(15);
  });

  it('return files, images and endpoints', async () => {
    const fields = new Set<string>();
    for (const [address, field] of addresses) {
      fields.add(field);
      // The field `assets` is the prefix of the addresses of images.
      if (field === 'assets') continue;
      const { statusCode } = await get(address);
      // Scripts are disabled here, so endpoints respond that they are.
      expect([address, field === 'publicEndpoint' ? statusCode === 404 : statusCode]).toEqual([
        address,
        field === 'publicEndpoint' ? false : 200,
      ]);
    }
    expect([...fields].sort()).toEqual([
      'assets',
      'downloadURL',
      'icon',
      'publicEndpoint',
      'published',
      'url',
    ]);
    const icons = [...addresses].filter(([, field]) => field === 'icon').map(([address]) => address);
    expect(
      [...addresses].some(([address, field]) => field === 'assets' && icons[0]?.startsWith(address)),
    ).toBe(true);
  });
});
