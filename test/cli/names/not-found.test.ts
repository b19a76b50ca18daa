import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { operationById } from '../../../src/cli/find-operation.ts';
import { withListHints } from '../../../src/cli/names/not-found.ts';
import { Problem } from '../../../src/errors/problem.ts';
import { openGuideStore, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
});
afterEach(() => desk.discard());

it.each([
  ['conversations get x', 'conversations list'],
  ['integrations get x', 'integrations list'],
  ['audit get x', 'audit list'],
  ['spaces comments get x --space Guide', 'spaces comments list --space'],
  ['spaces comments replies list x --space Guide', 'spaces comments list --space'],
  ['revisions get x --space Guide', 'revisions list --space'],
  ['cr merge 99 --space Guide', 'change-requests list'],
])('%s suggests `docsctl %s`', async (words, command) => {
  const { exit, stderr } = await desk.run(words.split(' '));
  expect([exit, stderr]).toEqual([
    5,
    expect.stringMatching(new RegExp(`^hint: To see the .*\`docsctl ${command}`, 'm')),
  ]);
  const [, named = ''] = /`docsctl (.*)`/.exec(stderr) ?? [];
  await desk.done(named.split(' '));
});

it('a name that is similar to that of an integration suggests it', async () => {
  writeFileSync(desk.at('s.js'), 'addEventListener("fetch", () => {})');
  await desk.done(
    'integrations publish slack --title Slack --description d --scopes space:content:read --script @s.js'.split(
      ' ',
    ),
  );
  for (const words of ['integrations get slak', 'integrations installations create slak'])
    expect((await desk.run(words.split(' '))).stderr).toContain('hint: Did you mean "slack"?');
});

it.each([
  ['sites.sections.add', 'site', 'siteId', 'sites list'],
  ['teams.list', 'organization', 'organizationId', 'orgs list'],
  ['custom-hostnames.set', 'site', 'siteId', 'sites list'],
  ['spaces.comments.create', 'space', 'spaceId', 'spaces list'],
  ['members.update', 'member', 'userId', 'members list'],
  ['teams.members.add', 'member', 'userId', 'members list', ', which requires the read role'],
  [
    'custom-hostnames.get',
    'custom hostname',
    'hostname',
    'custom-hostnames list',
    ', which requires the admin role',
  ],
  ['translations.get', 'translation', 'translationId', 'translations list'],
  ['integrations.installations.create', 'integration', 'integrationName', 'integrations list'],
  ['audit.get', 'audit event', 'auditEventId', 'audit list'],
  ['integrations.image', 'image', 'imageId', undefined],
])('%s reports a missing %s (%s) with the list command: %s', async (id, kind, param, command, note = '') => {
  const problem = new Problem('not-found', `There is no ${kind} "none" that you can see.`);
  const api = withListHints({ call: () => Promise.reject(problem), place: '' } as never);
  const operation = await operationById(id);
  const params = Object.fromEntries(
    operation.paramNames.map((name) => [name, name === param ? 'none' : 'there']),
  );
  await expect(api.call(operation, { params })).rejects.toMatchObject({
    hint: command === undefined ? undefined : `To see the ${kind}s, run \`docsctl ${command}\`${note}.`,
  });
});
