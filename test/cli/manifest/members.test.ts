import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGuideStore, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
beforeEach(async () => void (desk = await openGuideStore()));
afterEach(() => desk.discard());

const put = (text: string): void => writeFileSync(desk.at('docsctl.yaml'), `version: 1\n${text}`);
const members = async (): Promise<string[]> =>
  JSON.parse((await desk.done(['members', 'list', '--all', '-o', 'json'])).stdout)
    .items.map(({ user, role, sso }: { user: { email: string }; role: string; sso: boolean }) =>
      [user.email, role ?? 'guest', ...(sso ? ['sso'] : [])].join(' '),
    )
    .sort();
const teamsOf = async (email: string): Promise<string[]> =>
  JSON.parse((await desk.done(['members', 'teams', email, '-o', 'json'])).stdout).items.map(
    ({ team }: { team: { title: string } }) => team.title,
  );
const text = `teams: { support: { title: Support } }
members:
  dan@acme.test: { role: edit, sso: true, teams: [!ref team.support] }
  eva@acme.test: { role: guest }
`;

describe('members of a manifest', () => {
  it('are planned, rehearsed and invited, and an undo removes them', async () => {
    put(text);
    expect((await desk.done(['plan'])).stdout).toMatchInlineSnapshot(`
      "+ team.support "Support"  docsctl.yaml:2:10
          title: "Support"
      + member.dan@acme.test  docsctl.yaml:4:3
          email: "dan@acme.test"
          role: "edit"
          sso: true
      ~ member.dan@acme.test (at the end)  docsctl.yaml:4:3
          teams: [!ref team.support]
      + member.eva@acme.test  docsctl.yaml:5:3
          email: "eva@acme.test"
          role: "guest"

      Plan: 3 to create, 1 to update. At most 4 requests.
      "
    `);
    const rehearsed = await desk.run(['rehearse']);
    expect(rehearsed).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining('4 would be done, 0 would fail'),
    });
    expect(await members()).toEqual(['ana@acme.test admin']);
    await desk.done(['apply', '-y']);
    expect(await members()).toEqual(['ana@acme.test admin', 'dan@acme.test edit sso', 'eva@acme.test guest']);
    expect(await teamsOf('dan@acme.test')).toEqual(['Support']);
    expect(await desk.run(['plan', '--detailed-exitcode'])).toMatchObject({
      exit: 0,
      stdout: 'No changes.\n',
    });
    expect((await desk.run(['drift'])).exit).toBe(0);
    await desk.done(['runs', 'undo', '-y']);
    expect(await members()).toEqual(['ana@acme.test admin']);
  });

  it('are named by email address, not by ID, when an update is undone', async () => {
    put(text);
    await desk.done(['apply', '-y']);
    put(text.replace('role: edit', 'role: review'));
    await desk.done(['apply', '-y']);
    expect((await desk.done(['runs', 'undo', '--dry-run'])).stdout).toContain('~ member.dan@acme.test\n');
  });

  it('that were removed get their role and teams back when the run is undone', async () => {
    put(text);
    await desk.done(['apply', '-y']);
    put('teams: { support: { title: Support } }\nmembers: {}\n');
    expect((await desk.done(['plan'])).stdout).toContain('kept without --prune');
    expect((await desk.done(['apply', '-y', '--prune'])).exit).toBe(0);
    expect(await members()).toEqual(['ana@acme.test admin']);
    await desk.done(['runs', 'undo', '-y']);
    expect(await members()).toEqual(['ana@acme.test admin', 'dan@acme.test edit sso', 'eva@acme.test guest']);
    expect(await teamsOf('dan@acme.test')).toEqual(['Support']);
    put(text);
    expect((await desk.done(['plan'])).stdout).toBe('No changes.\n');
  });

  it('keep the last administrator: apply exits with 9 and names the line', async () => {
    put('members: { ana@acme.test: { role: edit } }\n');
    const refused = await desk.run(['apply', '-y']);
    expect(refused.exit).toBe(9);
    expect(refused.stderr).toContain(
      'docsctl.yaml:2:12: member.ana@acme.test would no longer be an administrator',
    );
    expect(await members()).toEqual(['ana@acme.test admin']);
  });

  it('are exported, without settings of the organization with --portable, and adopted by name', async () => {
    put(text);
    await desk.done(['apply', '-y']);
    await desk.done(['export', '-d', 'out']);
    const written = readFileSync(desk.at('out', 'docsctl.yaml'), 'utf8');
    expect(written).toContain(
      '  dan@acme.test: { role: edit, sso: true }\n  eva@acme.test: { role: guest }\n',
    );
    expect(await desk.run(['plan', '-f', 'out', '--detailed-exitcode'])).toMatchObject({ exit: 0 });
    const portable = await desk.done(['export', '-d', 'portable', '--portable']);
    expect(readFileSync(desk.at('portable', 'docsctl.yaml'), 'utf8')).toContain(
      '  dan@acme.test: { role: edit }\n',
    );
    expect(portable.stderr).toContain('"sso" of member.dan@acme.test was not exported');
    await desk.done(['forget', 'member.dan@acme.test', '-y']);
    await desk.done(['adopt', 'member.dan@acme.test', 'DAN@acme.test']);
    expect((await desk.done(['plan'])).stdout).toBe('No changes.\n');
  });

  it('are validated offline', async () => {
    put('members:\n  dan: {}\n  eva@acme.test: { role: editor }\n');
    const { exit, stderr } = await desk.run(['validate']);
    expect(exit).toBe(8);
    expect(stderr).toContain('docsctl.yaml:3:3: "dan" is not a valid email address');
    expect(stderr).toContain('did you mean edit?');
    put('members: { dan@acme.test: { teams: [!ref team.support] } }\n');
    expect((await desk.run(['validate'])).stderr).toContain('the manifest has no team.support');
  });

  it('can be selected with --only and --exclude, together with resources that need them', async () => {
    put(
      'teams: { support: { title: Support, members: [dan@acme.test] } }\nmembers: { dan@acme.test: {}, eva@acme.test: {} }\n',
    );
    const refused = await desk.run(['plan', '--only', 'team.*']);
    expect(refused.stderr).toContain('The selected steps need member.dan@acme.test, which is not selected.');
    await desk.done(['apply', '-y', '--exclude', 'member.eva*']);
    expect(await members()).toEqual(['ana@acme.test admin', expect.stringContaining('dan@acme.test')]);
  });
});
