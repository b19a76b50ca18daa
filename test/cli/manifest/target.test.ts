import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '../../../src/cli/session/session.ts';
import { targetAt } from '../../../src/cli/manifest/target.ts';
import { Problem } from '../../../src/errors/problem.ts';
import { me } from '../../../src/resources/users/contract.ts';
import { openGuideStore, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
beforeAll(async () => void (desk = await openGuideStore()));
afterAll(() => desk.discard());

describe('a member in a manifest', () => {
  it('who does not exist is reported with the variable that contains the address', async () => {
    const write = (member: string) =>
      writeFileSync(
        desk.at('people.yaml'),
        `version: 1\nvars: { editor: zoe@acme.test, domain: acme.test }\nteams: { t: { title: T, members: [${member}] } }\n`,
      );
    const stderr = async () => (await desk.run(['plan', '-f', 'people.yaml', '--org', 'Acme'])).stderr;
    write('"${var.editor}"');
    expect(await stderr()).toContain(
      '"zoe@acme.test" is not a member of the organization; invite them with `docsctl members invite EMAIL --org Acme` or add them to "members"; it comes from var.editor, so set --var editor=EMAIL',
    );
    write('{ email: "zoe@${var.domain}", role: owner }');
    expect(await stderr()).toContain('; it comes from var.domain, so set --var domain=EMAIL');
    write('zoe@acme.test');
    expect(await stderr()).toContain('docsctl members invite EMAIL');
  });
});

describe('the organization of a manifest', () => {
  const plan = async (org: string, ...words: string[]) => {
    writeFileSync(desk.at('org.yaml'), `version: 1\n${org}\nteams: { t: { title: Writers } }\n`);
    return desk.run(['plan', '-f', 'org.yaml', ...words]);
  };

  it('is found by ID, hostname or title, and the state file contains its ID', async () => {
    const { items } = JSON.parse((await desk.done(['orgs', 'list', '-o', 'json'])).stdout) as {
      items: { id: string; hostname: string }[];
    };
    const { id, hostname } = items[0]!;
    for (const name of [id, hostname, 'Acme', 'acme'])
      expect(await plan(`org: { id: ${name} }`)).toMatchObject({
        exit: 0,
        stdout: expect.stringContaining('1 to create') as string,
      });
    await desk.done(['apply', '-f', 'org.yaml', '-y', '--lock', 'org.lock.json']);
    expect(JSON.parse(readFileSync(desk.at('org.lock.json'), 'utf8')).sections).toMatchObject([
      { organization: id },
    ]);
  });

  it('is reported with a hint if it is written in a wrong way', async () => {
    expect((await plan('organization: Acme')).stderr).toContain(
      '"organization" is not a known field; did you mean "org"?',
    );
    expect((await plan('org: Acme')).stderr).toContain('such as { id: … }');
    expect((await plan('org: { id: Nobody }')).stderr).toContain('has this ID, hostname or title');
  });

  it('is ambiguous if two have the title, and both are listed with the position', async () => {
    await desk.done(['orgs', 'create', '--title', 'Twin']);
    await desk.done(['orgs', 'create', '--title', 'Twin']);
    const { exit, stderr } = await plan('org: { id: Twin }');
    expect([exit, stderr]).toEqual([
      5,
      expect.stringMatching(
        /^error: org\.yaml:2:12: "Twin" matches 2 organizations: org_\w+ \(Twin, twin, created [^)]+\), org_\w+ \(Twin, twin-2, created [^)]+\)\.$/m,
      ),
    ]);
  });
});

it('targetAt stops waiting for a rate-limited server when it is interrupted', async () => {
  const stop = new AbortController();
  const call = () => Promise.reject(new Problem('rate-limited', 'Too many requests.', { retryAfter: 60 }));
  const session = {
    flags: {},
    runtime: { clock: Date.now, signal: stop.signal },
    note: () => stop.abort('SIGINT'),
    api: async () => ({ place: 'https://docs.example.com', call }),
  } as unknown as Session;
  const { api } = await targetAt(session, 'org_1', 'docsctl.state.json');
  await expect(api.call(me, {})).rejects.toMatchObject({ reason: 'interrupted' });
});
