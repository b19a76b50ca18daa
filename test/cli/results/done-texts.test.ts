import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeDone } from '../../../src/cli/results/done-texts.ts';
import { allOperations } from '../../security/operations.ts';
import { splitWords } from '../../support/cli.ts';
import { openGuideStore, type GuideStore } from '../guide-store.ts';

describe('a command with an empty response', () => {
  let desk: GuideStore;
  beforeAll(async () => {
    desk = await openGuideStore();
    await desk.done(['members', 'invite', 'ben@acme.test', 'cara@acme.test']);
    await desk.done(['teams', 'create', 'Writers', 'Editors']);
  });
  afterAll(() => desk.discard());

  it.each([
    ['teams members add ben@acme.test --team Writers', 'Added ben@acme.test to team Writers.'],
    [
      'teams members add ben@acme.test cara@acme.test --team Writers --role owner',
      'Gave ben@acme.test and cara@acme.test the role owner in team Writers.',
    ],
    ['teams members delete ben@acme.test --team Writers --yes', 'Removed ben@acme.test from team Writers.'],
    ['teams members update Writers --add ben@acme.test', 'Changed the members of team Writers.'],
    [
      'spaces permissions set Guide --teams Writers,Editors --role edit',
      'Gave Writers and Editors the role edit on space Guide.',
    ],
    [
      'spaces permissions set Guide --teams Writers --users cara@acme.test --role none',
      'Took away the access of cara@acme.test and Writers to space Guide.',
    ],
    [
      'spaces permissions remove-team Writers --space Guide --yes',
      'Removed the role of Writers on space Guide.',
    ],
    ['spaces delete Guide --yes', 'Deleted space Guide.'],
  ])('prints a note: %s', async (line, note) => {
    const { stderr } = await desk.done(splitWords(line), { attended: true, columns: 1000 });
    expect(stderr).toBe(`${note}\n`);
  });

  it('describes what it did for every operation, with known fields only', async () => {
    const operations = [...(await allOperations()).values()].map(({ operation }) => operation);
    const silent = operations.filter(
      ({ returns, cli }) => returns.schema === undefined && returns.file !== true && cli.composite !== true,
    );
    expect(silent.length).toBeGreaterThan(50);
    const given = new Proxy({}, { get: (_, name) => `<${String(name)}>` });
    for (const operation of silent) {
      const text = describeDone(operation, ['Guide'], given);
      expect(text).not.toMatch(/^Done: /);
      const names = [...text.matchAll(/<(\w+)>/g)].map(([, name]) => name);
      const known = [
        ...operation.paramNames,
        ...Object.keys((operation.body as { properties?: object } | undefined)?.properties ?? {}),
      ];
      expect(known).toEqual(expect.arrayContaining(names));
    }
  });
});

it('teams create notes on a terminal that the creator owns the team', async () => {
  const desk = await openGuideStore();
  const noteOf = async (...words: string[]) =>
    (await desk.done(['teams', 'create', ...words], { attended: true })).stderr;
  expect(await noteOf('Writers')).toBe('You are an owner of the new team.\n');
  expect(await noteOf('Editors', 'Sales')).toContain('You are an owner of the new teams.\n');
  await desk.discard();
});

it('invites create notes on a terminal how people use the link', async () => {
  const desk = await openGuideStore();
  const words = ['invites', 'create', '--role', 'read'];
  const { stdout, stderr } = await desk.done(words, { attended: true, tty: true, columns: 200 });
  expect(stdout).toMatch(/^id +inv_[\w-]+\nrole +read\n$/);
  expect(stderr).toMatch(
    /^To join, people sign in and run `docsctl invites accept inv_[\w-]+ --org org_\w+`\.\n$/,
  );
  await desk.discard();
});
