import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGuideServer, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
beforeEach(async () => void (desk = await openGuideServer()));
afterEach(() => desk.discard());

const put = (text: string): void => writeFileSync(desk.at('docsctl.yaml'), `version: 1\n${text}`);
const roleOf = async (email: string): Promise<unknown> => {
  const { exit, stdout } = await desk.run(['members', 'get', email, '-o', 'json']);
  return exit === 0 ? JSON.parse(stdout).role : 'none';
};

describe('members of a manifest against a server', () => {
  it('are invited, updated and removed, and an undo restores them', async () => {
    put(
      'teams: { writers: { title: Writers } }\nmembers: { dan@acme.test: { role: edit, sso: true, teams: [!ref team.writers] } }\n',
    );
    await desk.done(['apply', '-y']);
    expect(await roleOf('dan@acme.test')).toBe('edit');
    expect(await desk.run(['plan', '--detailed-exitcode'])).toMatchObject({
      exit: 0,
      stdout: 'No changes.\n',
    });
    put('teams: { writers: { title: Writers } }\nmembers: { dan@acme.test: { role: guest } }\n');
    await desk.done(['apply', '-y']);
    expect(await roleOf('dan@acme.test')).toBe(null);
    put('teams: { writers: { title: Writers } }\nmembers: {}\n');
    await desk.done(['apply', '-y', '--prune']);
    expect(await roleOf('dan@acme.test')).toBe('none');
    await desk.done(['runs', 'undo', '-y']);
    expect(await roleOf('dan@acme.test')).toBe(null);
    expect((await desk.done(['rehearse'])).stderr).toContain('0 would fail');
  });

  it('require the admin role, which the error names', async () => {
    put('members: { dan@acme.test: { role: edit } }\n');
    const token = JSON.parse(
      (await desk.done(['tokens', 'create', '--role', 'edit', '-o', 'json'])).stdout,
    ).token;
    const refused = await desk.run(['apply', '-y'], { env: { DOCSCTL_TOKEN: token } });
    expect(refused.exit).not.toBe(0);
    expect(refused.stderr).toMatch(/admin/);
    expect(await roleOf('dan@acme.test')).toBe('none');
  });
});
