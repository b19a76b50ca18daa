import { beforeAll, describe, expect, it } from 'vitest';
import type { Api } from '../../src/contract/api.ts';
import { embeddedApi } from '../../src/core/embedded.ts';
import { createWorld } from '../support/world.ts';
import { inputOf, sameElement } from './bodies.ts';
import { furnish, paramsOf, type Ids } from './furnished.ts';
import { allOperations, forgetful, outcomeOf, type Given, type Outcome } from './operations.ts';

/** Operations that distinguish an ID of another organization from a missing one, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  'orgs.join': 'the API document: 400 for the email of a domain that may not join, 404 for no organization',
  'invites.accept': 'whoever has the id of an invite may join by it: that is what an invite is',
  'openapi.published': 'what is public is there for everybody',
  'openapi.replace': 'a slug that is nobody’s of this organization is taken by it',
  'integrations.publish': 'a name is given once to all: who asks for one that is taken has to be told',
};

const operations = await allOperations();
let outsider: Api;
let nobody: Api;
let acme: Ids;
let other: Ids;
let absent: Ids;

/** Both organizations have one of each resource. All writes of calls are undone. */
beforeAll(async () => {
  const world = await createWorld('memory:', { outgoing: sameElement, sitesUrl: 'http://localhost:8081' });
  acme = await furnish(world, operations, 'admin', world.org);
  other = await furnish(world, operations, 'outsider', world.otherOrg);
  absent = Object.fromEntries(Object.keys(acme).map((name) => [name, `absent-${name}`]));
  absent = { ...absent, emailDomain: 'absent.example' };
  const core = forgetful(world.core);
  outsider = embeddedApi(core, world.credential('outsider'));
  nobody = embeddedApi(core, world.credential('nobody'));
});

/** Returns an outcome without the IDs that the caller sent. */
function blind(outcome: Outcome, ...sent: readonly Ids[]): unknown {
  const values = [...new Set(sent.flatMap((ids) => Object.values(ids)))].sort(
    (one, another) => another.length - one.length,
  );
  return JSON.parse(values.reduce((text, value) => text.replaceAll(value, 'ID'), JSON.stringify(outcome)));
}

const withPath = [...operations.values()]
  .filter(({ operation }) => operation.paramNames.length > 0)
  .map(({ operation }) => operation.id);

describe.each(withPath)('%s', (id) => {
  const { operation } = operations.get(id)!;
  const call = (path: Ids, things: Ids = path, api: Api = outsider): Promise<Outcome> =>
    outcomeOf(api, operation, { params: paramsOf(operation, path), ...inputOf(operation, things) });

  if (!(id in exceptions))
    it('returns the same for an ID of another organization as for a missing ID', async () => {
      const real = await call(acme, other);
      expect(blind(real, acme, other)).toEqual(blind(await call(absent, other), absent, other));
      // The organizations of a domain are a list, which is empty for an unknown domain.
      expect(real.reason).toBe(id === 'email-domains.orgs' ? 'done' : 'not-found');
    });

  if (operation.paramNames.length > 1)
    it('finds nothing of another organization below a resource of the caller', async () => {
      for (const name of operation.paramNames.slice(1)) {
        const key = Object.entries(paramsOf(operation, keysOf(other))).find(([param]) => param === name)![1];
        const foreign = await call({ ...other, [key]: acme[key]! }, other);
        const missing = await call({ ...other, [key]: absent[key]! }, other);
        if (!(id in exceptions))
          expect(blind(foreign, acme, other), name).toEqual(blind(missing, absent, other));
        expect(foreign.reason, name).toBe(id === 'openapi.replace' ? 'done' : 'not-found');
      }
    });

  it('requires a token, unless it is open to everyone', async () => {
    expect((await call(acme, acme, nobody)).reason).toBe(
      operation.access.endsWith('.any') ? 'done' : 'unauthenticated',
    );
  });
});

/** Returns IDs whose values are their own names. */
function keysOf(ids: Ids): Ids {
  return Object.fromEntries(Object.keys(ids).map((name) => [name, name]));
}

const withReferences = [...operations.values()].flatMap(({ operation }) =>
  Object.keys(referencesOf(operation.id)).map((name) => [operation.id, name] as const),
);

/** Returns the names of the IDs in the sample body of an operation. */
function referencesOf(id: string): Record<string, true> {
  const found: Record<string, true> = {};
  const names = new Proxy(
    {},
    {
      get: (_, name: string) => ((found[name] = true), name),
    },
  );
  inputOf(operations.get(id)!.operation, names);
  return found;
}

it.each(withReferences)('%s refuses a %s of another organization in its body', async (id, name) => {
  const { operation } = operations.get(id)!;
  const call = (things: Ids): Promise<Outcome> =>
    outcomeOf(outsider, operation, { params: paramsOf(operation, other), ...inputOf(operation, things) });
  const foreign = await call({ ...other, [name]: acme[name]! });
  expect(blind(foreign, acme, other)).toEqual(
    blind(await call({ ...other, [name]: absent[name]! }), absent, other),
  );
  // Each redirect in the request is refused on its own.
  if (id === 'sites.redirects.upsert')
    return expect(foreign.answer).toMatchObject({ results: [{ status: 'error' }] });
  // Missing default content returns 400 (API document).
  expect(foreign.reason).toBe(id === 'orgs.update' ? 'invalid-input' : 'not-found');
});

/** Query parameters that contain an ID, with the name of the ID. */
const filters: Readonly<Record<string, string>> = {
  space: 'spaceId',
  owner: 'userId',
  creator: 'userId',
  contributor: 'userId',
  requestedReviewer: 'userId',
  authors: 'userId',
  targetPage: 'pageId',
  conversationsIssuesCluster: 'clusterId',
  cluster: 'clusterId',
  conversation: 'conversationId',
};

const lists = [...operations.values()]
  .filter(({ operation }) => operation.returns.item !== undefined)
  .map(({ operation }) => operation.id);

it.each([...lists, 'email-domains.orgs', 'users.me'])(
  '%s returns nothing of another organization',
  async (id) => {
    const { operation } = operations.get(id)!;
    const traces = [...Object.values(acme), 'Secret of org_acme', 'admin@acme.test'];
    const given: Given[] = [{ params: paramsOf(operation, other), ...inputOf(operation, other) }];
    for (const [name, key] of Object.entries(filters)) {
      if (!(name in operation.query.properties)) continue;
      const ask = (ids: Ids): Given => ({
        ...given[0]!,
        query: { [name]: name === 'authors' ? [ids[key]!] : ids[key]! },
      });
      expect(blind(await outcomeOf(outsider, operation, ask(acme)), acme), name).toEqual(
        blind(await outcomeOf(outsider, operation, ask(absent)), absent),
      );
      given.push(ask(acme));
    }
    for (const one of given) {
      const outcome = await outcomeOf(outsider, operation, one);
      expect(outcome.reason).toMatch(/^(done|not-found)$/);
      const text = JSON.stringify(outcome.answer ?? null);
      expect(traces.filter((trace) => text.includes(`"${trace}"`) || text.includes(`/${trace}`))).toEqual([]);
    }
  },
);

it('the traces that these tests look for are visible to the administrator of the organization', async () => {
  const { operation } = operations.get('spaces.list')!;
  const outcome = await outcomeOf(outsider, operation, { params: paramsOf(operation, other) });
  expect(JSON.stringify(outcome.answer)).toContain('"Secret of org_other"');
  expect(JSON.stringify(outcome.answer)).toContain(`"${other['spaceId']}"`);
});
