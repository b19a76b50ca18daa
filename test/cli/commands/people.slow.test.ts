import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeCertificate, rsa } from '../../saml/certificate-maker.ts';
import { openGuideStore, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
  await desk.done('members invite ben@acme.test --role edit'.split(' '));
  await desk.done('teams create Writers --members ben@acme.test'.split(' '));
  await desk.done('teams create Support'.split(' '));
  await desk.done('tokens create --role edit --name ci'.split(' '));
  await desk.done('invites create --role read'.split(' '));
  await desk.done('saml create --label Okta'.split(' '));
});
afterEach(() => desk.discard());

const json = async (words: string) =>
  JSON.parse((await desk.done([...words.split(' '), '-o', 'json'])).stdout);

describe('command aliases of people and tokens', () => {
  it.each([
    'organization show Acme',
    'organizations ls',
    'orgs edit Acme --ai',
    'users ls',
    'user show ben@acme.test',
    'members add cara@acme.test --role read',
    'members create cara@acme.test --role read',
    'member edit ben@acme.test --role review',
    'member rm ben@acme.test',
    'team show Writers',
    'teams add Support',
    'teams edit Writers --title Authors',
    'teams remove Writers',
    'team members ls Writers',
    'teams member show ben@acme.test --team Writers',
    'teams members create ana@acme.test --team Writers',
    'teams members remove ben@acme.test --team Writers',
    'invites new --role read',
    'invite ls',
    'token show ci',
    'tokens add --role read',
    'tokens rm ci',
    'saml show Okta',
    'saml add --label Other',
    'saml edit Okta --label Other',
    'saml rm Okta',
    'sso ls',
    'job ls',
    'subdomain show acme',
    'email-domains ls',
    'agent-instructions show',
    'agent-instructions edit --instructions Brief',
  ])('work: %s', async (words) => {
    const { exit, stderr } = await desk.run([...words.split(' '), '--yes']);
    expect([exit, exit === 0 ? '' : stderr]).toEqual([0, '']);
  });
});

describe('resources that the API can only list', () => {
  it('are shown by name or ID, one or several', async () => {
    const token = await json('tokens get ci');
    expect(token).toMatchObject({ object: 'token', name: 'ci', role: 'edit' });
    expect(token).not.toHaveProperty('token');
    expect((await json(`tokens get ci ${token.id}`)).items).toEqual([token, token]);
    const [invite] = (await json('invites list')).items;
    expect(await json(`invites get ${invite.id}`)).toEqual(invite);
    expect(await json('teams members get ben@acme.test --team Writers')).toMatchObject({
      organization: { user: { email: 'ben@acme.test' } },
      team: { role: 'member' },
    });
    const { stdout } = await desk.run('teams members get ben@acme.test --team Writers'.split(' '));
    const member = await desk.run('members get ben@acme.test'.split(' '));
    expect(stdout).toBe(`${member.stdout}team.role\tmember\n`);
  });

  it.each([
    ['tokens get', 64, 'No token is given.'],
    ['tokens get none', 5, 'There is no token "none"'],
    ['invites get', 64, 'No invite link is given.'],
    ['invites get inv_1', 5, 'There is no invite link "inv_1"'],
    ['teams members get ben@acme.test', 64, 'No team is given.'],
    ['teams members get --team Writers', 64, 'No member is given.'],
    ['teams members get eva@acme.test --team Writers', 5, 'There is no member "eva@acme.test"'],
    ['teams members get ana@acme.test --team None', 5, 'There is no team "None"'],
    ['teams members get ben@acme.test --team Support', 5, 'There is no team member "ben@acme.test"'],
    [
      'teams members delete Ben@Acme.test --team Support --yes',
      5,
      'error: There is no member "Ben@Acme.test" in the team "Support".\nhint: To see its members, run `docsctl teams members list Support`.\n',
    ],
    [
      'teams members delete ben@acme.test ana@acme.test --team Support --yes',
      3,
      'error: ben@acme.test: There is no member "ben@acme.test" in the team "Support".\n',
    ],
  ])('need valid arguments: %s exits with %i', async (words, exit, message) => {
    expect(await desk.run(words.split(' '))).toMatchObject({
      exit,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
  });
});

describe('single sign-on', () => {
  const note =
    /No SAML provider of the organization is active, so (.*) refused until there is an active one\./;
  const noteOf = async (words: string) => note.exec((await desk.done(words.split(' '))).stderr)?.[1];

  it('can be required before anyone can use it, with a note', async () => {
    expect(await noteOf('orgs update Acme --sso')).toBe('all members except administrators are');
    expect(await noteOf('members sso ben@acme.test')).toBe('members who need single sign-on are');
    expect(await noteOf('members update ben@acme.test --sso')).toBe('members who need single sign-on are');
    expect(await noteOf('members update ben@acme.test --no-sso')).toBeUndefined();
    expect(await noteOf('orgs update Acme --no-sso')).toBeUndefined();
  });

  it('is impossible after the last active provider is deleted, which a note says', async () => {
    const certificate = makeCertificate(rsa());
    writeFileSync(desk.at('idp.pem'), certificate);
    const more = ['--sso-url', 'https://idp.example/sso', '--certificate', '@idp.pem'];
    for (const label of ['One', 'Two'])
      await desk.done(['saml', 'create', '--label', label, '--entity-id', label, ...more]);
    expect(await noteOf('saml delete One --yes')).toBeUndefined();
    expect(await noteOf('saml delete Two --yes')).toBe('members who need single sign-on are');
  });
});
