import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Problem } from '../../../src/errors/problem.ts';
import { serve, type Serving } from '../../server/serving.ts';
import { docsctl, type Ran } from '../../support/cli.ts';

let home: string;
let serving: Serving;
let url: string;
/** Runs before each call of a handler on the server. */
let before: (operation: string) => void;
let called: string[];

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'docsctl-lock-'));
  before = () => {};
  called = [];
  serving = await serve({
    change: (core) => ({
      ...core,
      handlerOf: async (operation) => {
        const handler = (await core.handlerOf(operation)) as (
          context: unknown,
          input: unknown,
        ) => Promise<unknown>;
        const watched = (context: unknown, input: unknown) => {
          called.push(`${operation.method} ${operation.id}`);
          before(operation.id);
          return handler(context, input);
        };
        return watched as never;
      },
    }),
  });
  ({ url } = await serving.server.listen({ host: '127.0.0.1', port: 0 }));
  writeFileSync(
    join(home, 'docsctl.yaml'),
    'version: 1\norg: { id: org_acme }\nteams: { t: { title: Team, members: [edit@acme.test] } }\nspaces: { guide: { title: Guide } }\nsites: { docs: { title: Docs, siteSpaces: [{ path: one, space: !ref space.guide }] } }\n',
  );
  expect((await run('apply', '-y')).exit).toBe(0);
  // After a change, the server does not answer from the reads of apply.
  expect((await run('collections', 'create', '--title', 'Other')).exit).toBe(0);
  called.length = 0;
});
afterEach(async () => {
  await serving.server.close(0);
  rmSync(home, { recursive: true, force: true });
});

function run(...words: string[]): Promise<Ran> {
  return docsctl(words, {
    home,
    env: {
      DOCSCTL_SERVER: url,
      DOCSCTL_TOKEN: serving.world.token('admin'),
      DOCSCTL_CONFIG_DIR: join(home, 'config'),
    },
  });
}
const resources = () =>
  JSON.parse(readFileSync(join(home, 'docsctl.state.json'), 'utf8')).sections[0].resources as Record<
    string,
    { id: string }
  >;

describe('docsctl drift, forget, adopt and lock against a server', () => {
  it('work as on a store, and send only GET requests', async () => {
    const owned = resources();
    expect(await run('drift', '--detailed-exitcode')).toMatchObject({
      exit: 0,
      stdout: 'No drift: 4 resources unchanged since the last apply, in the fields that the manifest sets.\n',
      stderr: expect.stringMatching(/^Organization [^\n]*\n$/),
    });
    expect(await run('forget', 'site.docs', '-y')).toMatchObject({
      exit: 0,
      stderr: '2 resources forgotten. Nothing in the organization was changed.\n',
    });
    expect((await run('adopt', 'site.docs', owned['site.docs']!.id)).exit).toBe(0);
    expect(await run('plan')).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('= site-space.docs/one'),
    });
    expect(await run('lock', 'rebuild', '-y')).toMatchObject({
      exit: 0,
      stderr: '4 resources owned. Nothing in the organization was changed.\n',
    });
    expect(resources()).toEqual(owned);
    expect(called.filter((call) => !call.startsWith('GET '))).toEqual([]);
    called.length = 0;
    expect((await run('lock', 'list')).stdout).toContain('space.guide');
    expect(called).toEqual([]);
  });

  it.each([
    ['not-implemented', 10],
    ['forbidden', 11],
  ] as const)(
    'drift reports kinds that cannot be read, and does not count them as unchanged: %s',
    async (reason, exit) => {
      before = (operation) => {
        if (operation.startsWith('sites.')) throw new Problem(reason, 'No sites for you.');
      };
      const ran = await run('drift', '--detailed-exitcode');
      expect(ran.exit).toBe(exit);
      expect(ran.stdout).toContain(
        'No drift: 2 resources unchanged since the last apply, in the fields that the manifest sets.\nCannot be read here: site (1 resource). No sites for you.\n',
      );
      expect(ran.stderr).toContain('Some resources of the state file cannot be read here: site, site-space.');
      expect(await run('drift', '--detailed-exitcode', '--skip-unsupported')).toMatchObject({
        exit: 0,
        stderr: expect.stringMatching(/^Organization [^\n]*\n$/),
      });
    },
  );

  it('stop if the token is rejected, and write nothing', async () => {
    before = (operation) => {
      if (operation === 'spaces.list') throw new Problem('unauthenticated', 'Who are you?');
    };
    expect(await run('drift')).toMatchObject({ exit: 4, stdout: '' });
    const lock = readFileSync(join(home, 'docsctl.state.json'), 'utf8');
    expect((await run('lock', 'rebuild', '-y')).exit).toBe(4);
    expect((await run('adopt', 'space.guide', 'Guide')).exit).toBe(4);
    expect(readFileSync(join(home, 'docsctl.state.json'), 'utf8')).toBe(lock);
  });
});
