import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { updateOrganization } from '../../../src/resources/organizations/contract.ts';
import { listChangeRequests } from '../../../src/resources/change-requests/contract.ts';
import { openRoom, type Room } from './content-rooms.ts';

let room: Room;
let space: string;
const write = (text: string) => writeFileSync(room.at('content', 'README.md'), text);
const open = async () => {
  const api = room.world.as('admin');
  const lists = await Promise.all(
    (['draft', 'open'] as const).map((status) =>
      api.call(listChangeRequests, { params: { spaceId: space }, query: { status } }),
    ),
  );
  return lists.flatMap(({ items }) => items.map(({ number }) => number));
};
const approve = (number: number) =>
  room.runAs(
    { env: { ...room.env, DOCSCTL_TOKEN: room.world.token('review') } },
    'cr',
    'reviews',
    'submit',
    String(number),
    '--space',
    space,
    '--status',
    'approved',
  );

beforeAll(async () => {
  room = await openRoom();
  mkdirSync(room.at('content'));
  write('# Start\n');
  writeFileSync(
    room.at('docsctl.yaml'),
    'version: 1\nspaces:\n  guide: { title: Guide, mergeRules: { require_at_least_one_approved_review: true }, content: { dir: content } }\nsites:\n  s: { title: Docs, sections: [{ path: guide, title: Guide, space: !ref space.guide }] }\n',
  );
  await room.done('apply', '-y');
  space = (await room.spaces())[0]!.id;
});
afterAll(() => room.close());

describe('content of a manifest that needs an approval', () => {
  it('is "waiting" in a rehearsal, which exits with 0', async () => {
    write('# Start\n\nMore.\n');
    const { exit, stderr, stdout } = await room.run('rehearse');
    expect([exit, stdout]).toEqual([0, expect.stringMatching(/^waiting\tupdate\tspace\.guide\t/m)]);
    expect(stderr).toContain('0 would be done, 1 would wait for approval, 0 would fail');
    expect((await room.run('rehearse', '--detailed-exitcode')).exit).toBe(2);
    expect(await open()).toEqual([]);
  });

  it('is "waiting" in an apply, which exits with 0 and names the change request', async () => {
    const { exit, stdout, stderr } = await room.run('apply', '-y');
    expect([exit, stdout]).toEqual([0, expect.stringMatching(/^waiting\tupdate\tspace\.guide\t/m)]);
    const how = `docsctl change-requests reviews submit 2 --space ${space} --status approved`;
    expect(stderr).toContain(
      'space.guide: The content of content waits in change request 2: an approval by a member who neither created nor edited it is required. ',
    );
    expect(stderr).toContain(`approves it with \`${how}\`; the next apply merges it.`);
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(
      /^0 done, 1 waiting for approval, 0 failed, 0 skipped/,
    );
    expect(await open()).toEqual([2]);
  });

  it('is "waiting" in JSON, and the next apply does not create a second change request', async () => {
    const { exit, stdout } = await room.run('apply', '-y', '-o', 'json', '--detailed-exitcode');
    expect(exit).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      counts: { waiting: 1, failed: 0 },
      rows: [{ key: 'space.guide', status: 'waiting', problem: { reason: 'changes-pending' } }],
      waiting: [
        {
          dir: 'content',
          space,
          changeRequest: 2,
          approve: `docsctl change-requests reviews submit 2 --space ${space} --status approved`,
        },
      ],
    });
    expect(await open()).toEqual([2]);
    const { stdout: list } = await room.done('runs', 'list', '-o', 'json');
    expect(JSON.parse(list).items[0]).toMatchObject({ ended: 'done', failed: 0, waiting: 1 });
  });

  it('does not block steps that refer to its space', async () => {
    writeFileSync(
      room.at('docsctl.yaml'),
      readFileSync(room.at('docsctl.yaml'), 'utf8').replace(
        '}] }\n',
        '}, { path: again, title: Again, space: !ref space.guide }] }\n',
      ),
    );
    const { exit, stdout } = await room.run('apply', '-y');
    expect([exit, stdout]).toEqual([0, expect.stringMatching(/^done\tcreate\tsection\.s\/again\t/m)]);
  });

  it('stays in its change request when the run is undone, with a note', async () => {
    const { stderr } = await room.run('runs', 'undo', '--dry-run');
    expect(stderr).toContain(
      `the unmerged change request that the run opened in space.guide; see \`docsctl change-requests list --space ${space} --status all\``,
    );
    expect(stderr).not.toContain('merged stays');
  });

  it('is merged by the apply after the approval', async () => {
    expect((await approve(2)).exit).toBe(0);
    const { exit, stdout, stderr } = await room.run('apply', '-y', '--detailed-exitcode');
    expect([exit, stdout, stderr]).toEqual([
      0,
      expect.stringMatching(/^done\tupdate\tspace\.guide\t/m),
      expect.stringContaining('1 done, 0 failed'),
    ]);
    expect(await open()).toEqual([]);
    expect((await room.run('plan', '--detailed-exitcode')).exit).toBe(0);
    expect((await room.run('rehearse', '--detailed-exitcode')).exit).toBe(0);
  });

  it('is done if somebody merged the change request before the next apply', async () => {
    write('# Start\n\nMore, and more.\n');
    expect((await room.run('apply', '-y', '--detailed-exitcode')).exit).toBe(2);
    const [number] = await open();
    await approve(number!);
    await room.done('cr', 'merge', String(number), '--space', space);
    const { exit, stdout } = await room.run('apply', '-y', '-o', 'json');
    expect([exit, JSON.parse(stdout)]).toMatchObject([0, { rows: [] }]);
    expect(await open()).toEqual([]);
  });

  it('fails if the space is locked', async () => {
    write('# Locked\n');
    await room.done('spaces', 'update', space, '--edit-mode', 'locked');
    expect(await room.run('apply', '-y')).toMatchObject({
      exit: 3,
      stdout: expect.stringMatching(/^failed\tupdate\tspace\.guide\t/m) as string,
    });
    await room.done('spaces', 'update', space, '--edit-mode', 'live');
  });

  it('is "waiting" if the merge rule is inherited from the organization', async () => {
    await room.world.as('admin').call(updateOrganization, {
      params: { organizationId: room.world.org },
      body: { mergeRules: { type: 'rules', rules: [{ rule: 'require_at_least_one_approved_review' }] } },
    });
    writeFileSync(
      room.at('docsctl.yaml'),
      'version: 1\nspaces:\n  guide: { title: Guide, mergeRules: inherit, content: { dir: content } }\n  new: { title: New, content: { dir: content } }\n',
    );
    const { exit, stdout } = await room.run('apply', '-y');
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^waiting\tupdate\tspace\.guide\t/m);
    expect(stdout).toMatch(/^waiting\tcreate\tspace\.new\t/m);
    expect((await room.run('apply', '-y', '--detailed-exitcode')).exit).toBe(2);
    expect((await open()).length).toBe(1);
  });
});
