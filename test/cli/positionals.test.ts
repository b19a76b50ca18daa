import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { severalOf } from '../../src/cli/positionals.ts';
import { addSection } from '../../src/resources/site-sections/contract.ts';
import { inviteMembers, listMemberTeams } from '../../src/resources/members/contract.ts';
import { addTeamMember } from '../../src/resources/team-members/contract.ts';
import { openGuideStore, type GuideStore } from './guide-store.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
});
afterEach(() => desk.discard());

const json = async (words: string, input?: string) =>
  JSON.parse(
    (await desk.done([...words.split(' '), '-o', 'json'], input === undefined ? {} : { input })).stdout,
  );

it('tells what several words are', () => {
  expect(severalOf(inviteMembers, 'emails')).toBe('items');
  expect(severalOf(addTeamMember, 'userId')).toBe('resources');
  expect(severalOf(addSection, 'spaceId')).toBe('values');
  expect(severalOf(listMemberTeams, 'userId')).toBeUndefined();
});

describe('where one thing can be named, several can', () => {
  it('sends the items of one list in one request', async () => {
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

  it('sends a request for each value of a field, and prints the results as a list', async () => {
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

  it('does the others if one fails, and names it', async () => {
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

  it('refuses a missing value', async () => {
    for (const words of ['members invite', 'teams create'])
      expect((await desk.run(words.split(' '))).exit).toBe(64);
  });
});
