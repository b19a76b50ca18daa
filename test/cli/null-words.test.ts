import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGuideStore, type GuideStore } from './guide-store.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
});
afterEach(() => desk.discard());

const json = async (...args: string[]): Promise<unknown> =>
  JSON.parse((await desk.done([...args, '-o', 'json'])).stdout);

/** Returns the plan of a manifest. */
async function planOf(text: string): Promise<string> {
  writeFileSync(desk.at('docsctl.yaml'), `version: 1\n${text}`);
  return (await desk.done(['plan'])).stdout;
}

describe('the words for a role of null', () => {
  it('are guest for members, in commands and manifests', async () => {
    await desk.done(['members', 'invite', 'dan@acme.test', 'eva@acme.test', '--role', 'guest']);
    expect(await json('members', 'get', 'dan@acme.test')).toMatchObject({ role: null });
    await desk.done(['members', 'update', 'eva@acme.test', '--role', 'edit']);
    await desk.done(['members', 'update', 'eva@acme.test', '--role', 'guest']);
    expect(
      await planOf('members: { dan@acme.test: { role: guest }, eva@acme.test: { role: guest } }\n'),
    ).not.toContain('role');
  });

  it('are guest for default roles and invite links', async () => {
    await desk.done(['orgs', 'update', '--default-role', 'read']);
    expect(await planOf('org: { settings: { defaultRole: guest } }\n')).toContain(
      'defaultRole: "read" → null',
    );
    await desk.done(['orgs', 'update', '--default-role', 'guest']);
    expect(await planOf('org: { settings: { defaultRole: guest } }\n')).toContain('No changes.');
    expect(await json('invites', 'create', '--role', 'guest')).toMatchObject({ role: null });
  });

  it('are none for permissions, in commands and manifests', async () => {
    await desk.done(['members', 'invite', 'dan@acme.test', '--role', 'edit']);
    const set = ['spaces', 'permissions', 'set', 'Guide', '--users', 'dan@acme.test', '--role'];
    await desk.done([...set, 'none']);
    expect(await json('spaces', 'permissions', 'users', 'Guide')).toMatchObject({
      items: [{ permission: null }],
    });
    expect(
      await planOf('spaces: { guide: { title: Guide, access: [{ email: dan@acme.test, role: none }] } }\n'),
    ).not.toContain('access');
    await desk.done([
      'spaces',
      'permissions',
      'update-user',
      'dan@acme.test',
      '--space',
      'Guide',
      '--role',
      'read',
    ]);
    await desk.done([
      'spaces',
      'permissions',
      'update-user',
      'dan@acme.test',
      '--space',
      'Guide',
      '--role',
      'none',
    ]);
    expect((await desk.done(['access', 'explain', 'dan@acme.test', 'Guide'])).stdout).toContain(
      'has no access',
    );
  });

  it.each([
    ['members invite dan@acme.test --role none', 'read, guest'],
    ['members update ana@acme.test --role nobody', 'read, guest'],
    ['orgs update --default-role none', 'read, guest'],
    ['spaces permissions set Guide --users ana@acme.test --role guest', 'read, none'],
    ['spaces permissions update-user ana@acme.test --space Guide --role x', 'read, none'],
    ['spaces update Guide --default-level none', 'read, inherit'],
  ])('are in the list of roles of the error of `%s`', async (words, end) => {
    const { exit, stderr } = await desk.run(words.split(' '));
    expect(exit).toBe(8);
    expect(stderr.split('\n')[0]).toMatch(
      new RegExp(`^error: --[a-z-]+ "[a-z]+" is not one of: admin, .*${end}\\.$`),
    );
  });

  it('are shown in the help, and other words are refused', async () => {
    expect((await desk.run(['members', 'invite', '--help'])).stdout).toMatch(/read,\s+guest\)/);
    expect((await desk.run(['sites', 'permissions', 'set', '--help'])).stdout).toMatch(/read,\s+none\)/);
    const refused = await desk.run(['members', 'invite', 'dan@acme.test', '--role', 'none']);
    expect(refused.exit).toBe(8);
    expect(refused.stderr).toContain('--role');
  });
});
