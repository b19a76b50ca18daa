import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openGuideServer, openGuideStore, type GuideStore } from '../../guide-store.ts';

describe.each([
  ['an embedded store', openGuideStore],
  ['a server', openGuideServer],
])('docsctl access on %s', (_, openStore) => {
  let desk: GuideStore;
  beforeEach(async () => {
    desk = await openStore();
    await desk.done(['members', 'invite', 'gil@example.com']);
    await desk.done(['members', 'invite', 'rae@example.com', '--role', 'read']);
    await desk.done(['teams', 'create', 'Writers']);
    await desk.done(['teams', 'members', 'add', 'rae@example.com', '--team', 'Writers']);
    await desk.done([
      'spaces',
      'permissions',
      'set',
      'Guide',
      '--users',
      'gil@example.com',
      '--role',
      'edit',
    ]);
    await desk.done(['spaces', 'permissions', 'set', 'Guide', '--teams', 'Writers', '--role', 'review']);
  });
  afterEach(() => desk.discard());

  it('explains the role of a member with its reasons', async () => {
    const { stdout } = await desk.done(['access', 'explain', 'rae@example.com', 'Guide']);
    expect(stdout).toBe(
      [
        'rae@example.com has the review role on the space "Guide".',
        '  > review:    permission of the team "Writers" on the space "Guide"',
        '    read:      role in the organization',
        '',
      ].join('\n'),
    );
    const guest = await desk.done(['access', 'explain', 'gil@example.com', 'Guide', '-o', 'json']);
    expect(JSON.parse(guest.stdout)).toMatchObject({
      role: 'edit',
      reasons: [{ kind: 'user' }, { role: null }],
    });
    await desk.done(['spaces', 'permissions', 'remove-user', 'gil@example.com', '--space', 'Guide', '--yes']);
    const { stdout: nothing } = await desk.done(['access', 'explain', 'gil@example.com', 'Guide']);
    expect(nothing).toContain('gil@example.com has no access to the space "Guide".');
  });

  it('explain asks for --type if a space and a collection share a title, and rejects unknown content', async () => {
    await desk.done(['collections', 'create', '--title', 'Guide']);
    expect(await desk.run(['access', 'explain', 'rae@example.com', 'Guide'])).toMatchObject({
      exit: 5,
      stderr: expect.stringContaining(
        '"Guide" is the title of a space and a collection.\nhint: Choose one: --type space or --type collection.',
      ),
    });
    const { stdout } = await desk.done([
      'access',
      'explain',
      'rae@example.com',
      'Guide',
      '--type',
      'collection',
    ]);
    expect(stdout).toContain('the read role on the collection "Guide"');
    expect(await desk.run(['access', 'explain', 'rae@example.com', 'Nowhere'])).toMatchObject({ exit: 5 });
    expect(await desk.run(['access', 'explain', 'rae@example.com', 'Guide', '--type', 'page'])).toMatchObject(
      {
        exit: 8,
      },
    );
    expect(await desk.run(['access', 'explain', 'rae@example.com'])).toMatchObject({ exit: 64 });
  });

  it('report lists all members, and exits with 9 if --fail-on conditions match', async () => {
    const all = JSON.parse((await desk.done(['access', 'report', '-o', 'json'])).stdout);
    const items: { email: string; role: string; exceptions: string[]; findings: string[] }[] =
      all.items ?? all;
    const of = (email: string) => items.find((one) => one.email === email);
    expect(of('gil@example.com')).toMatchObject({ role: null, exceptions: ['Guide: edit'], findings: [] });
    expect(of('rae@example.com')).toMatchObject({ role: 'read', exceptions: ['Guide: review'] });
    expect(all.items.some(({ role }: { role: string | null }) => role === null)).toBe(true);
    expect((await desk.done(['access', 'report', '--columns', 'role'])).stdout).toContain('guest\n');
    const failed = await desk.run(['access', 'report', '--fail-on', 'guest,unseen:90d', '-o', 'csv']);
    expect(failed).toMatchObject({
      exit: 9,
      stderr: expect.stringMatching(/\d of \d members needs? a review/),
    });
    expect(failed.stdout).toContain('gil@example.com');
    expect(await desk.run(['access', 'report', '--fail-on', 'disabled'])).toMatchObject({ exit: 0 });
    expect(await desk.run(['access', 'report', '--fail-on', 'unknown'])).toMatchObject({ exit: 8 });
    expect(await desk.run(['access', 'report', '--fail-on', 'unseen:9000-01-01'])).toMatchObject({
      exit: 8,
      stderr: expect.stringContaining('--fail-on unseen:9000-01-01 names a time in the future.'),
    });
    expect(await desk.run(['access', 'report', '--fail-on', 'unseen:soon'])).toMatchObject({
      exit: 8,
      stderr: expect.stringMatching(/--fail-on unseen takes a period[^]*Write it like --fail-on unseen:12h/),
    });
  });
});

it('access report --fail-on unseen lists only members without changes since the given time', async () => {
  const desk = await openGuideStore();
  onTestFinished(() => desk.discard());
  await desk.done(['members', 'invite', 'rae@example.com', 'wes@example.com', '--role', 'create']);
  const start = new Date().toISOString();
  await desk.done(['spaces', 'create', '--title', 'News', '--as', 'wes@example.com']);
  const { exit, stdout, stderr } = await desk.run([
    'access',
    'report',
    '--fail-on',
    `unseen:${start}`,
    '-o',
    'json',
  ]);
  const items: { email: string; lastActiveAt: string | null; findings: string[] }[] =
    JSON.parse(stdout).items;
  expect(exit).toBe(9);
  expect(items.filter(({ findings }) => findings.length > 0).map(({ email }) => email)).toEqual([
    'ana@acme.test',
    'rae@example.com',
  ]);
  const [wes] = items.filter(({ email }) => email === 'wes@example.com');
  expect(wes!.lastActiveAt! > start).toBe(true);
  expect(stderr).not.toContain('warning');
  const listed = (await desk.done(['members', 'list', '--activity', '-o', 'tsv'])).stdout;
  expect(listed).toMatch(/^.*\tjoinedAt\tlastActiveAt\tid\n/);
  expect(listed).toContain(`\t${wes!.lastActiveAt}\t`);
});

describe('docsctl access report on a server whose members joined long ago', () => {
  let desk: GuideStore;
  beforeEach(async () => {
    desk = await openGuideServer();
  });
  afterEach(() => desk.discard());
  const report = (conditions: string) => desk.run(['access', 'report', '--fail-on', conditions]);

  it('warns if audit events are kept for a shorter time than the period of --fail-on unseen', async () => {
    expect((await report('unseen:90d')).stderr).not.toContain('warning');
    await desk.done(['audit', 'keep', '30']);
    const { exit, stderr } = await report('unseen:90d,guest');
    expect(exit).toBe(9);
    expect(stderr).toContain(
      'warning: Audit events are kept for 30 days, so unseen:90d does not consider changes and sign-ins before that. To keep events longer, run `docsctl audit keep 90`.\n',
    );
    for (const other of ['unseen:30d', 'guest'])
      expect(await report(other)).toMatchObject({ exit: 9, stderr: expect.not.stringContaining('warning') });
  });
});
