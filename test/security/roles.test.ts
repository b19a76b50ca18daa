import { beforeAll, describe, expect, it } from 'vitest';
import type { Api } from '../../src/contract/api.ts';
import { embeddedApi } from '../../src/core/embedded.ts';
import { createWorld, type Who } from '../support/world.ts';
import { inputOf, sameElement } from './bodies.ts';
import { furnish, paramsOf, type Ids } from './furnished.ts';
import { allOperations, forgetful, outcomeOf } from './operations.ts';

const members = ['admin', 'create', 'review', 'edit', 'comment', 'read', 'guest'] as const;
const everybody = [...members, 'outsider', 'nobody'] as const;
type Member = (typeof members)[number];

/** Operations that require more than their declared level from some roles, with the reason. */
const stricter: Readonly<Record<string, { readonly who: readonly Member[]; readonly why: string }>> = {
  ...onlyFor(below('admin'), 'without an operator’s token only for oneself', 'orgs.provision'),
  ...onlyFor(
    below('create'),
    'the create role on the collection, or in the organization',
    'collections.create',
    'spaces.create',
  ),
  ...onlyFor(
    ['guest'],
    'guests see only themselves, and the teams they are in',
    'members.get',
    'members.spaces',
    'members.teams',
    'teams.get',
    'teams.members.list',
  ),
  ...onlyFor(below('admin'), 'users change only themselves', 'users.update'),
  ...onlyFor(['guest'], 'guests see only themselves', 'users.get'),
  ...onlyFor(
    below('admin'),
    'an administrator or an owner of the team',
    'teams.update',
    'teams.delete',
    'teams.members.add',
    'teams.members.delete',
    'teams.members.update',
  ),
  ...onlyFor(
    below('admin').filter((who) => who !== 'read' && who !== 'guest'),
    'its author or an administrator',
    ...['spaces', 'change-requests'].flatMap((of) => [
      `${of}.comments.delete`,
      `${of}.comments.replies.update`,
      `${of}.comments.replies.delete`,
    ]),
  ),
  ...onlyFor(
    below('admin'),
    'an administrator of the organization that publishes it, or where it is installed',
    'integrations.publish',
    ...[
      'create',
      'update',
      'delete',
      'add-space',
      'add-site',
      'update-space',
      'update-site',
      'remove-space',
      'remove-site',
      'token',
    ].map((verb) => `integrations.installations.${verb}`),
  ),
  ...onlyFor(
    ['guest'],
    'who may read the space of its body',
    'integrations.render',
    'integrations.render-compressed',
  ),
  ...onlyFor(
    below('admin'),
    'an administrator of the organization that publishes it, or the integration itself',
    'integrations.tasks',
  ),
  ...onlyFor(below('admin'), 'the operator of the server', 'integrations.verify'),
  ...onlyFor(
    ['guest'],
    'who may read there',
    ...['get', 'spaces', 'sites', 'get-space', 'get-site'].map(
      (verb) => `integrations.installations.${verb}`,
    ),
  ),
};

function below(who: Member): readonly Member[] {
  return members.slice(members.indexOf(who) + 1);
}

function onlyFor(
  who: readonly Member[],
  why: string,
  ...ids: readonly string[]
): Record<string, { who: readonly Member[]; why: string }> {
  return Object.fromEntries(ids.map((id) => [id, { who, why }]));
}

const operations = await allOperations();
const outcomes = new Map<string, Record<string, string>>();
let ids: Ids;

/** Every write is undone, so each call finds the same world. */
beforeAll(async () => {
  const world = await createWorld('memory:', { outgoing: sameElement, sitesUrl: 'http://localhost:8081' });
  ids = await furnish(world, operations, 'admin', world.org);
  const core = forgetful(world.core);
  const apis = new Map<Who, Api>(everybody.map((who) => [who, embeddedApi(core, world.credential(who))]));
  for (const [id, { operation }] of operations) {
    const ends: Record<string, string> = {};
    for (const who of everybody)
      ends[who] = (
        await outcomeOf(apis.get(who)!, operation, {
          params: paramsOf(operation, ids),
          ...inputOf(operation, ids),
        })
      ).reason;
    outcomes.set(id, ends);
  }
});

/** Each role includes the rights of the roles after it (API document, Conventions 4). */
function reaches(who: Member, level: string): boolean {
  if (level === 'any' || level === 'caller' || level === 'member') return true;
  const order: readonly string[] = members;
  return who !== 'guest' && order.indexOf(who) <= order.indexOf(level);
}

describe.each([...operations.keys()])('%s', (id) => {
  const { operation } = operations.get(id)!;
  const [, level] = operation.access.split('.') as [string, string];
  // A component is rendered in the space that its body names, and a space is created in such a collection.
  const isContent =
    /^(deleted-space|space|collection|site|hostname|change-request|revision)\./.test(operation.access) ||
    /^(integrations\.render|(spaces|collections)\.create$)/.test(id);
  const isRefusal = (who: Member, end: string | undefined): boolean =>
    end === (isContent && who === 'guest' ? 'not-found' : 'forbidden');
  const needsNoRole = operation.access.startsWith('user.');

  it('is forbidden exactly for roles below the declared level, and content is not found by guests', () => {
    const ends = outcomes.get(id)!;
    const refused = members.filter((who) => isRefusal(who, ends[who]));
    const expected = members.filter(
      (who) => (!needsNoRole && !reaches(who, level)) || (stricter[id]?.who.includes(who) ?? false),
    );
    expect(refused).toEqual(expected);
  });

  it('succeeds for all other roles', () => {
    const ends = outcomes.get(id)!;
    const others = members.filter((who) => !isRefusal(who, ends[who])).map((who) => ends[who]);
    expect(new Set(others)).toEqual(new Set(['done']));
  });

  it('requires a token, unless it is open', () => {
    expect(outcomes.get(id)!['nobody']).toBe(level === 'any' ? 'done' : 'unauthenticated');
  });
});

it('the exceptions of this test name existing operations, and each is needed', () => {
  for (const [id, { who }] of Object.entries(stricter)) {
    const level = operations.get(id)?.operation.access.split('.')[1];
    expect(level, id).toBeDefined();
    for (const one of who) expect(reaches(one, level!), `${one} ${id}`).toBe(true);
  }
});

/** The current matrix, in a file that makes changes visible in a review. */
it('the roles of all operations are those of matrix.txt', async () => {
  const width = Math.max(...[...operations.keys()].map((id) => id.length));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => cell.padEnd(index === 0 ? width : 9))
      .join(' ')
      .trimEnd();
  const sign: Readonly<Record<string, string>> = {
    done: '+',
    forbidden: '-',
    unauthenticated: '401',
    'not-found': '404',
  };
  const lines = [...outcomes].map(([id, ends]) =>
    line([id, ...everybody.map((who) => sign[ends[who]!] ?? ends[who]!)]),
  );
  await expect([line(['operation', ...everybody]), ...lines, ''].join('\n')).toMatchFileSnapshot(
    'matrix.txt',
  );
});
