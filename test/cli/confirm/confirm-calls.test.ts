import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGuideServer, openGuideStore, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
  await desk.done(['members', 'invite', 'bo@acme.test', '--role', 'admin']);
});
afterEach(() => desk.discard());

const refusalOf = async (...words: string[]) => {
  const { exit, stderr } = await desk.run(words);
  expect(exit).toBe(9);
  return stderr;
};
const role = async (email: string) =>
  JSON.parse(
    (await desk.done(['members', 'get', email, '-o', 'json', '--query', 'role', '--as', 'bo@acme.test']))
      .stdout,
  );

const loss = 'ana@acme.test is you. You will lose access to the organization immediately.';
const demotion = 'ana@acme.test is you. You will no longer be an administrator of the organization.';

describe('the confirmation of a change to yourself', () => {
  it.each([
    ['members delete ana@acme.test', loss],
    ['members remove bo@acme.test ana@acme.test', loss],
    ['members update ana@acme.test --disabled', loss],
    ['members update ana@acme.test --role read', demotion],
    ['members update bo@acme.test ana@acme.test --role guest', demotion],
  ])('explains what you lose: %s', async (line, consequence) => {
    expect(await refusalOf(...line.split(' '))).toContain(
      `no terminal to ask on. ${consequence} Only another administrator can undo this.`,
    );
    expect(await role('ana@acme.test')).toBe('admin');
  });

  it('is skipped with --yes', async () => {
    await desk.done(['members', 'update', 'ana@acme.test', '--role', 'read', '--yes']);
    expect(await role('ana@acme.test')).toBe('read');
  });

  it('is not needed for changes to others, or if you lose nothing', async () => {
    await desk.done(['members', 'update', 'bo@acme.test', '--role', 'read']);
    await desk.done(['members', 'update', 'ana@acme.test', '--role', 'admin']);
    await desk.done(['members', 'update', 'ana@acme.test', '--no-sso']);
    expect(await refusalOf('members', 'delete', 'bo@acme.test')).not.toContain('is you');
  });

  it('notes that a team member stays in the organization', async () => {
    await desk.done(['teams', 'create', '--title', 'Editors']);
    await desk.done(['teams', 'members', 'add', 'bo@acme.test', '--team', 'Editors']);
    expect(await refusalOf('teams', 'members', 'delete', 'bo@acme.test', '--team', 'Editors')).toContain(
      'to remove the team member bo@acme.test, but there is no terminal to ask on. The member stays in the organization.',
    );
  });

  it('is not asked for the last administrator, because the change is refused', async () => {
    await desk.done(['members', 'delete', 'bo@acme.test', '--yes']);
    // Without --yes, it is refused before the confirmation.
    for (const words of [
      ['delete', 'ana@acme.test', '--yes'],
      ['update', 'ana@acme.test', '--role', 'read', '--yes'],
      ['delete', 'ana@acme.test'],
      ['update', 'ana@acme.test', '--role', 'read'],
    ])
      expect(await desk.run(['members', ...words])).toMatchObject({
        exit: 6,
        stderr: expect.stringContaining('ana@acme.test is the last administrator of the organization'),
      });
  });
});

it('members delete on a server warns that the member is you', async () => {
  const server = await openGuideServer();
  try {
    await server.done(['members', 'invite', 'bo@acme.test', '--role', 'admin']);
    const { stdout } = await server.done(['whoami', '-o', 'json', '--query', 'user.email']);
    const { exit, stderr } = await server.run(['members', 'delete', JSON.parse(stdout)]);
    expect({ exit, stderr }).toMatchObject({ exit: 9, stderr: expect.stringContaining('is you.') });
  } finally {
    await server.discard();
  }
});

it.each([
  [
    'sites publishing-auth regenerate Docs',
    'Confirmation is required to replace the key for visitor tokens of Docs, but there is no terminal to ask on. The current key will stop',
  ],
  [
    'sites unpublish Docs',
    'Confirmation is required to unpublish the site Docs, but there is no terminal to ask on. Visitors will no longer',
  ],
])('%s explains what visitors lose', async (line, consequence) => {
  await desk.done(['sites', 'create', '--title', 'Docs']);
  expect(await refusalOf(...line.split(' '))).toContain(consequence);
});

it.each([
  ['spaces git disconnect Guide', 'remove the git repository of Guide,'],
  ['spaces permissions remove-user bo@acme.test --space Guide', 'remove the role of bo@acme.test,'],
  ['sites customization reset guide --site Docs', 'reset the appearance of guide,'],
])('%s asks for confirmation in plain words', async (line, question) => {
  await desk.done(['sites', 'create', '--title', 'Docs', '--spaces', 'Guide']);
  const connect = ['spaces', 'git', 'connect', 'Guide', 'https://git.example.com/a/b.git', '--ref', 'main'];
  await desk.done(connect);
  expect(await refusalOf(...line.split(' '))).toContain(`Confirmation is required to ${question}`);
});

it.each([
  ['spaces transfer Guide --organization Acme', 6, 'The space "Guide" is already in this organization.'],
  ['collections transfer Product --organization Acme', 6, 'The collection "Product" is already in this'],
  ['spaces git disconnect Guide', 5, 'The space "Guide" is not synchronized with a git repository.'],
])('a change without an effect is refused before the confirmation: %s', async (line, code, message) => {
  await desk.done(['collections', 'create', '--title', 'Product']);
  const { exit, stderr } = await desk.run(line.split(' '));
  expect([exit, stderr]).toEqual([code, expect.stringContaining(message)]);
});
