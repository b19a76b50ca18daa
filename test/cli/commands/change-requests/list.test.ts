import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGuideServer, openGuideStore, type GuideStore } from '../../guide-store.ts';

describe.each([
  ['on a store', openGuideStore],
  ['on a server', openGuideServer],
])('change-requests list %s', (_, open) => {
  let desk: GuideStore;
  beforeEach(async () => {
    desk = await open();
    await desk.done(['spaces', 'create', '--title', 'Second']);
    for (const [space, subject] of [
      ['Guide', 'Draft'],
      ['Guide', 'Ready'],
      ['Second', 'Other draft'],
      ['Second', 'Given up'],
    ])
      await desk.done(['cr', 'create', space!, '--subject', subject!]);
    await desk.done(['cr', 'update', '2', '--space', 'Guide', '--status', 'open']);
    await desk.done(['cr', 'update', '2', '--space', 'Second', '--status', 'archived']);
  });
  afterEach(() => desk.discard());

  const list = async (...words: string[]): Promise<string[]> => {
    const { stdout } = await desk.done(['cr', 'list', ...words, '-o', 'json']);
    return JSON.parse(stdout).items.map(({ subject }: { readonly subject: string }) => subject);
  };

  it('without a space lists own drafts, then open change requests, of every space', async () => {
    const [one, other, ...open_] = await list();
    expect([[one, other].sort(), open_]).toEqual([['Draft', 'Other draft'], ['Ready']]);
    const { stdout } = await desk.done(['cr', 'list', '--all', '-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({ count: 3 });
    expect((await desk.done(['cr', 'list', '--limit', '0'])).stderr).toContain('counts: 1');
  });

  it('without a space accepts one status, several, or all', async () => {
    expect(await list('--status', 'archived')).toEqual(['Given up']);
    expect(await list('--status', 'open,archived')).toHaveLength(2);
    expect(await list('--status', 'all')).toHaveLength(4);
    expect(await list('--space', 'Guide')).toEqual(['Ready']);
  });

  it('without a space shows the space of each change request, even on a narrow terminal', async () => {
    const { stdout } = await desk.done(['cr', 'list'], { tty: true, columns: 60 });
    const [heading, , ...rows] = stdout.split('\n');
    expect(heading).toMatch(/^space +number +subject +status/);
    expect(rows.filter((row) => /^(?:Guide|Second) +1 /.test(row))).toHaveLength(2);
    expect((await desk.done(['cr', 'list'])).stdout).toMatch(/^number\tsubject\t.*\tid\tspace\n/);
  });

  it('lists the drafts of the user in tables, and only open change requests in JSON', async () => {
    const shown = await desk.done(['cr', 'list', 'Guide', '--columns', 'subject', '--no-headers']);
    expect(shown).toMatchObject({ stdout: 'Draft\nReady\n', stderr: '' });
    expect(await list('Guide')).toEqual(['Ready']);
    const note = '1 draft not shown. See all with `docsctl change-requests list Guide --status draft`.\n';
    expect((await desk.done(['cr', 'list', 'Guide', '-o', 'json'])).stderr).toBe(note);
    expect((await desk.done(['cr', 'list', 'Guide', '-o', 'json', '--quiet'])).stderr).toBe('');
    const { stderr } = await desk.done(['cr', 'list', 'Second', '-o', 'json']);
    expect(stderr).toContain(
      'there is 1 draft. To show it, run `docsctl change-requests list Second --status draft`',
    );
  });

  it('lists at most --limit own drafts, and notes how to list the others', async () => {
    await desk.done(['cr', 'create', 'Guide', '--subject', 'Draft']);
    await desk.done(['cr', 'create', 'Guide', '--subject', 'Draft']);
    const one = ['--limit', '1', '--columns', 'subject', '--no-headers'];
    const note = (words: string) =>
      `2 drafts of yours not shown. See all with \`docsctl change-requests list ${words} --status draft --creator me --all\`.\n`;
    expect(await desk.done(['cr', 'list', 'Guide', ...one])).toMatchObject({
      stdout: 'Draft\nReady\n',
      stderr: note('Guide'),
    });
    const everywhere = await desk.done(['cr', 'list', ...one]);
    expect(everywhere.stdout).toMatch(/^(?:Draft|Other draft)\nReady\n$/);
    expect(everywhere.stderr).toBe(note('--all-spaces').replace('2', '3'));
    expect((await desk.done(['cr', 'list', 'Guide', '--all', ...one])).stderr).toBe('');
    const drafts = ['cr', 'list', '--status', 'draft', '--creator', 'me', '--all', '-o', 'id'];
    expect((await desk.done(drafts)).stdout.trim().split('\n')).toHaveLength(4);
  });

  it('uses the space of the settings, unless --all-spaces is given', async () => {
    const env = { DOCSCTL_SPACE: 'Guide' };
    const inGuide = await desk.done(['cr', 'list', '-o', 'json'], { env });
    expect(JSON.parse(inGuide.stdout).items).toMatchObject([{ subject: 'Ready' }]);
    const everywhere = await desk.done(['cr', 'list', '--all-spaces', '-o', 'json'], { env });
    expect(JSON.parse(everywhere.stdout).items).toHaveLength(3);
    expect(await desk.run(['cr', 'list', 'Guide', '--all-spaces'])).toMatchObject({
      exit: 64,
      stderr: expect.stringContaining('--all-spaces cannot be used with the name of a space.'),
    });
  });

  it.each([
    [['--status', 'nonsense'], 8, 'There is no status "nonsense".'],
    [['Nowhere'], 5, 'There is no space "Nowhere".'],
    [['Guide', 'Second'], 64, ''],
  ] as const)('refuses %j', async (words, exit, message) => {
    const ran = await desk.run(['cr', 'list', ...words]);
    expect(ran.stderr).toContain(message);
    expect(ran.exit).toBe(exit);
  });
});

it('change-requests list notes drafts of others, in one space and in all spaces', async () => {
  const desk = await openGuideStore();
  try {
    await desk.done(['cr', 'create', 'Guide', '--subject', 'Draft']);
    await desk.done(['cr', 'create', 'Guide', '--subject', 'Ready']);
    await desk.done(['cr', 'update', '2', '--space', 'Guide', '--status', 'open']);
    await desk.done(['members', 'invite', 'ben@example.com', '--role', 'read']);
    for (const [given, named] of [
      [[], '--all-spaces'],
      [['Guide'], 'Guide'],
    ] as const) {
      const byBen = await desk.run(['cr', 'list', ...given, '--creator', 'ben@example.com']);
      expect(byBen.stdout).not.toMatch(/Draft|Ready/);
      const { stdout, stderr } = await desk.done(['cr', 'list', ...given, '--as', 'ben@example.com']);
      expect([stdout.includes('Draft'), stderr]).toEqual([
        false,
        expect.stringMatching(
          `^1 draft of others not shown\\. See all with .docsctl change-requests list ${named} --status draft`,
        ),
      ]);
    }
  } finally {
    await desk.discard();
  }
});
