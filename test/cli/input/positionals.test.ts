import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { severalOf } from '../../../src/cli/input/positionals.ts';
import { addSection } from '../../../src/resources/site-sections/contract.ts';
import { inviteMembers, listMemberTeams } from '../../../src/resources/members/contract.ts';
import { setCustomHostname } from '../../../src/resources/custom-hostnames/contract.ts';
import { addTeamMember } from '../../../src/resources/team-members/contract.ts';
import { openGuideStore, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
});
afterEach(() => desk.discard());

const json = async (words: string, input?: string) =>
  JSON.parse(
    (await desk.done([...words.split(' '), '-o', 'json'], input === undefined ? {} : { input })).stdout,
  );

it('severalOf returns what several arguments are: items, resources or values', () => {
  expect(severalOf(inviteMembers, 'emails')).toBe('items');
  expect(severalOf(addTeamMember, 'userId')).toBe('resources');
  expect(severalOf(addSection, 'spaceId')).toBe('values');
  expect(severalOf(listMemberTeams, 'userId')).toBeUndefined();
  // A site has one hostname, so each value would replace the previous one.
  expect(severalOf(setCustomHostname, 'hostname')).toBeUndefined();
});

describe('a command with several arguments', () => {
  it('sends one request for all items of a list', async () => {
    expect(
      (await json('members invite ben@acme.test cara@acme.test dan@acme.test --role edit')).invited,
    ).toBe(3);
    expect((await json('members invite - --role read', 'eva@acme.test\nfinn@acme.test\n')).invited).toBe(2);
    const { items } = await json('members list --role read');
    expect(items).toHaveLength(2);
    await desk.done('teams create Writers'.split(' '));
    await desk.done('teams members add ben@acme.test cara@acme.test --team Writers'.split(' '));
    expect((await json('teams get Writers')).members).toBe(3);
  });

  it('sends one request for each value of a field, and prints the results as a list', async () => {
    const { items } = await json('teams create Writers Support --members ana@acme.test');
    expect(items.map(({ title }: { title: string }) => title)).toEqual(['Writers', 'Support']);
    expect(await json('teams create Design')).toMatchObject({ title: 'Design' });
    expect((await json('teams create -', 'One\nTwo\n')).items).toHaveLength(2);
    const requests = await json('teams create Red Blue --dry-run');
    expect(requests.items).toMatchObject([{ body: { title: 'Red' } }, { body: { title: 'Blue' } }]);
    await desk.done(['spaces', 'create', '--title', 'API']);
    await desk.done(['sites', 'create', '--title', 'Docs']);
    const sections = await json('sites sections add Guide API --site Docs');
    expect(sections.items).toMatchObject([{ title: 'Guide' }, { title: 'API' }]);
  });

  it('takes several words for its last argument', async () => {
    await desk.done(['sites', 'create', '--title', 'Docs']);
    await desk.done('spaces create API'.split(' '));
    await json('sites sections add Guide API --site Docs');
    await desk.done('sites section-groups add More --site Docs'.split(' '));
    const added = await json('sites section-groups add-section More Guide API --site Docs');
    expect(added.items).toMatchObject([{ title: 'More' }, { title: 'More' }]);
    const words = 'sites section-groups remove-section More - --site Docs'.split(' ');
    const { stderr } = await desk.done(words, { input: 'Guide\nAPI\n' });
    expect(stderr).toContain('Moved sections Guide and API out of section group More.');
  });

  it('sends one request for each value of a parameter', async () => {
    await desk.done('sites create Docs --spaces Guide'.split(' '));
    for (const [source, url] of [
      ['/a', 'https://example.com/1'],
      ['/b', 'https://example.com/2'],
    ] as const)
      await desk.done(['sites', 'redirects', 'create', source, '--site', 'Docs', '--url', url]);
    const both = await json('sites redirects resolve /b /a --site Docs');
    expect(both.items).toMatchObject([
      { target: 'https://example.com/2' },
      { target: 'https://example.com/1' },
    ]);
    expect((await json('sites redirects resolve - --site Docs', '/a\n')).count).toBe(1);
    expect(await json('sites redirects resolve /a --site Docs')).toMatchObject({
      target: 'https://example.com/1',
    });
    const { exit, stderr } = await desk.run('sites redirects resolve /a /c --site Docs'.split(' '));
    expect([exit, stderr]).toEqual([3, expect.stringContaining('error: /c: The site "Docs" has no live')]);
  });

  it('creates spaces, collections and sites with the given titles, or with --title', async () => {
    expect((await json('spaces create One Two')).items).toMatchObject([{ title: 'One' }, { title: 'Two' }]);
    expect((await json('spaces create -', 'Three\nFour\n')).count).toBe(2);
    expect(await json('spaces create Five --emoji 1f600')).toMatchObject({ title: 'Five', emoji: '1f600' });
    expect(await json('spaces create --title Six')).toMatchObject({ title: 'Six' });
    expect(await json('collections create Legal')).toMatchObject({ title: 'Legal' });
    expect(await json('sites create Help')).toMatchObject({ title: 'Help' });
    expect((await desk.run(['spaces', 'create', '--help'])).stdout).toContain('--title <text>');
    expect(await desk.run('spaces create Seven --title Eight'.split(' '))).toMatchObject({
      exit: 64,
      stderr: expect.stringContaining('The argument "title" ("Seven") and --title cannot be used together.'),
    });
  });

  it('reports what was done if the responses are empty', async () => {
    await desk.done('spaces create One Two Three'.split(' '));
    await desk.done('teams create Writers'.split(' '));
    const set = ['spaces', 'permissions', 'set', 'One', 'Two', '--role', 'edit', '--teams', 'Writers'];
    expect(await desk.run([...set, '-o', 'json'])).toMatchObject({
      stdout: '',
      stderr: 'Gave Writers the role edit on spaces One and Two.\n',
    });
    const removed = await desk.run(['spaces', 'delete', 'One', 'Two', '--yes']);
    expect(removed.stderr).toContain('Deleted 2 spaces.');
    expect((await desk.run(['spaces', 'delete', 'Three', '--yes'])).stderr).not.toContain('Deleted');
  });

  it('finds the spaces of change requests that are given by ID', async () => {
    await desk.done(['spaces', 'create', 'API']);
    const { items } = await json('change-requests create Guide API --subject Both');
    const ids = (items as { id: string }[]).map(({ id }) => id);
    expect(await json(`change-requests get ${ids[1]}`)).toMatchObject({ id: ids[1] });
    const { stderr } = await desk.done(['change-requests', 'get', ids[1]!, '--trace']);
    expect(stderr).toMatch(new RegExp(`change-requests\\?\\S*id=${ids[1]}.* 200 `));
    const merged = await json('change-requests merge -', `${ids.join('\n')}\n`);
    expect(merged.items).toMatchObject([{ result: 'merge' }, { result: 'merge' }]);
    const mixed = await desk.run(['change-requests', 'get', ids[0]!, '1']);
    expect([mixed.exit, mixed.stderr]).toEqual([64, expect.stringContaining('No space is given.')]);
    const none = await desk.run(['change-requests', 'get', 'cr_01M8JN1SV0ABAFRWHCREH06NN4']);
    expect([none.exit, none.stderr]).toEqual([
      5,
      expect.stringContaining('There is no change request cr_01'),
    ]);
  });

  it('continues after one fails, and reports the failure', async () => {
    const { exit, stdout, stderr } = await desk.run([
      'teams',
      'create',
      'Writers',
      'x'.repeat(65),
      '-o',
      'id',
    ]);
    expect(exit).toBe(3);
    expect(stdout.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain(`error: ${'x'.repeat(65)}: `);
    expect(stderr).toContain('1 done, 1 failed.');
  });

  it('refuses to run without arguments', async () => {
    for (const words of ['members invite', 'teams create'])
      expect((await desk.run(words.split(' '))).exit).toBe(64);
  });
});
