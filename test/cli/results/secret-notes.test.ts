import { afterEach, beforeEach, expect, it } from 'vitest';
import { secretsShownOnce } from '../../../src/cli/results/secret-notes.ts';
import { propertiesIn } from '../../../src/cli/input/field-schema.ts';
import { isOperation } from '../../../src/contract/operation.ts';
import { nouns } from '../../../src/resources/index.ts';
import { openGuideStore, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
});
afterEach(() => desk.discard());

const lost = 'The token was not shown. Create another with `docsctl tokens create --role ROLE';
const kept = 'Save the token now: it cannot be shown again.';

it.each([
  ['', kept],
  ['-o json', kept],
  ['-o csv --columns token,id', kept],
  ['--query token', kept],
  ['-o id --query token', kept],
  ['-o none', `${lost}\`.`],
  ['-o id', `${lost}\`.`],
  ['--columns id,role', `${lost}\`.`],
  ['-o json --query id', `${lost}\`.`],
])('tokens create %s notes whether the token was shown', async (options, note) => {
  const words = ['tokens', 'create', '--role', 'edit', ...options.split(' ').filter((word) => word !== '')];
  const { stdout, stderr } = await desk.done(words);
  expect(stderr).toBe(`${note}\n`);
  expect(stdout.includes('dctl_')).toBe(note === kept);
});

it('tokens create and rotate say that the token has a higher role than its user', async () => {
  await desk.done(['members', 'invite', 'bob@acme.test', '--role', 'edit']);
  await desk.done(['members', 'invite', 'gus@acme.test', '--role', 'guest']);
  const create = async (role: string, user = 'bob@acme.test') =>
    (await desk.done(['tokens', 'create', '--role', role, '--user', user, '--name', role + user])).stderr;
  const note = 'bob@acme.test has the edit role in the organization. The token cannot do more than its user.';
  expect(await create('admin')).toBe(`${note}\n${kept}\n`);
  expect((await desk.done(['tokens', 'rotate', 'adminbob@acme.test', '--yes'])).stderr).toContain(note);
  expect(await create('edit')).toBe(`${kept}\n`);
  expect(await create('guest')).toBe(`${kept}\n`);
  expect(await create('read', 'gus@acme.test')).toContain('gus@acme.test is a guest of the organization. ');
});

it('orgs create and init print the same notes', async () => {
  const organization = ['orgs', 'create', '--title', 'Beta', '--email', 'ben@beta.test'];
  const { stdout: id, stderr } = await desk.done([
    ...organization,
    '-o',
    'json',
    '--query',
    'organization.id',
  ]);
  expect(stderr).toBe(`${lost} --org ${JSON.parse(id)}\`.\n`);
  const init = (file: string, ...more: string[]) =>
    desk.done([
      'init',
      '--store',
      `json:${file}`,
      '--org-title',
      'Beta',
      '--email',
      'ben@beta.test',
      ...more,
    ]);
  expect((await init('a.json')).stderr).toContain(kept);
  for (const more of [
    ['-o', 'none'],
    ['-o', 'json', '--query', 'user.email'],
    ['--columns', 'title'],
  ])
    expect((await init(`${more.length}${more[1]}.json`, ...more)).stderr).toContain(`${lost} --org org_`);
});

it('secretsShownOnce lists every operation that returns a token or secret', async () => {
  const contracts = await Promise.all(nouns.map((noun) => noun.contract()));
  const answering = contracts
    .flatMap((contract) => Object.values(contract))
    .filter((one) => isOperation(one) && one.secret)
    .flatMap((operation) =>
      isOperation(operation)
        ? propertiesIn(operation.returns.schema)
            .filter(([name]) => /^token$|secret/i.test(name))
            .map(([name]) => [operation.id, name])
        : [],
    );
  expect(Object.fromEntries(answering)).toEqual(
    Object.fromEntries(Object.entries(secretsShownOnce).map(([id, { field }]) => [id, field])),
  );
});
