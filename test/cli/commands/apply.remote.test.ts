import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Problem } from '../../../src/errors/problem.ts';
import { serve, type Serving } from '../../server/serving.ts';
import { docsctl, type CliOptions, type Ran } from '../../support/cli.ts';

let home: string;
let serving: Serving;
let url: string;
/** Runs before each call of a handler on the server. */
let before: (operation: string, body: unknown) => void;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'docsctl-manifest-'));
  before = () => {};
  serving = await serve({
    change: (core) => ({
      ...core,
      handlerOf: async (operation) => {
        const handler = (await core.handlerOf(operation)) as (
          context: unknown,
          input: { body?: unknown },
        ) => Promise<unknown>;
        const watched = (context: unknown, input: { body?: unknown }) => {
          before(operation.id, input.body);
          return handler(context, input);
        };
        return watched as never;
      },
    }),
  });
  ({ url } = await serving.server.listen({ host: '127.0.0.1', port: 0 }));
});
afterEach(async () => {
  await serving.server.close(0);
  rmSync(home, { recursive: true, force: true });
});

function run(words: readonly string[], more: Partial<CliOptions> = {}): Promise<Ran> {
  return docsctl(words, {
    home,
    env: {
      DOCSCTL_SERVER: url,
      DOCSCTL_TOKEN: serving.world.token('admin'),
      DOCSCTL_CONFIG_DIR: join(home, 'config'),
    },
    ...more,
  });
}
const put = (text: string): void =>
  writeFileSync(join(home, 'docsctl.yaml'), `version: 1\norg: { id: org_acme }\n${text}`);
const verdictOf = ({ stderr }: Ran) => stderr.trimEnd().split('\n').at(-1);

const chain = `
collections: { top: { title: Top } }
spaces:
  first: { title: First }
  second: { title: Second, parent: !ref collection.top }
  third: { title: Third }
`;

describe('docsctl plan and apply against a server', () => {
  it('work as on a store', async () => {
    put(chain);
    expect(await run(['plan', '-f', 'docsctl.yaml', '--detailed-exitcode'])).toMatchObject({
      exit: 2,
      stdout: expect.stringContaining('Plan: 4 to create.'),
      stderr: expect.stringMatching(/^Organization "Acme" \(org_acme\) on http:.*\n$/),
    });
    expect(verdictOf(await run(['apply', '-f', 'docsctl.yaml', '-y']))).toBe(
      '4 done, 0 failed, 0 skipped, 0 unsupported; 0 unchanged.',
    );
    expect(await run(['plan', '-f', 'docsctl.yaml', '--detailed-exitcode'])).toMatchObject({
      exit: 0,
      stdout: 'No changes.\n',
    });
  });

  it('apply continues with independent resources after a failure, and exits with 3', async () => {
    put(chain);
    before = (operation) => {
      if (operation === 'collections.create')
        throw new Problem('conflict', 'No room for \u001b[31mcollections.', { hint: 'Make some.' });
    };
    const ran = await run(['apply', '-y']);
    expect(ran.exit).toBe(3);
    expect(ran.stderr).toMatch(
      /\nerror: collection\.top at docsctl\.yaml:4:16: No room for \\u001b\[31mcollections\. Make some\.\n {2}2 done, 1 failed, 1 skipped, 0 unsupported; 0 unchanged\.\n$/,
    );
    expect(ran.stderr).toContain(
      'failed collection.top at docsctl.yaml:4:16: No room for \\u001b[31mcollections. Make some.\n',
    );
    expect(ran.stderr).toContain('skipped space.second, because collection.top failed\n');
    expect(ran.stdout).toContain('skipped\tcreate\tspace.second\t\tbecause collection.top failed');
    const again = await run(['apply', '-y', '-o', 'json']);
    expect(again.exit).toBe(3);
    const { rows, counts, unchanged } = JSON.parse(again.stdout);
    expect(rows).toMatchObject([
      { key: 'collection.top', status: 'failed', problem: { reason: 'conflict', hint: 'Make some.' } },
      { key: 'space.second', because: 'collection.top' },
    ]);
    expect({ counts, unchanged }).toEqual({
      counts: { done: 0, waiting: 0, failed: 1, skipped: 1, unsupported: 0, stopped: 0 },
      unchanged: 2,
    });
    expect(JSON.parse(again.stderr)).toMatchObject({
      error: {
        reason: 'partly-failed',
        message: expect.stringMatching(
          /^collection\.top at docsctl\.yaml:4:16: No room .* Make some\.\n0 done, 1 failed, 1 skipped, 0 unsupported; 2 unchanged\.$/s,
        ) as string,
      },
    });
    before = () => {};
    expect((await run(['apply', '-y'])).exit).toBe(0);
  });

  it('apply exits with 130 when it is interrupted, and the next run continues', async () => {
    put(chain);
    const stop = new AbortController();
    before = (operation, body) => {
      if (operation === 'spaces.create' && (body as { title: string }).title === 'First') stop.abort();
    };
    const ran = await run(['apply', '-y', '--jobs', '1'], { signal: stop.signal });
    expect(ran.exit).toBe(130);
    expect(verdictOf(ran)).toBe(
      'error: Interrupted: 2 done, 0 failed, 0 skipped, 0 unsupported, 2 not started; 0 unchanged. Run the command again to continue.',
    );
    expect(ran.stdout).toMatch(/^done\tcreate\tspace\.first\tspc_/m);
    const again = await run(['apply', '-y']);
    expect(again.stdout.match(/^done\tcreate\tspace\.\w+/gm)).toEqual([
      'done\tcreate\tspace.second',
      'done\tcreate\tspace.third',
    ]);
    expect(again.exit).toBe(0);
  });

  it('apply creates all resources with --jobs 3', async () => {
    put(`teams: { ${Array.from({ length: 12 }, (_, n) => `t${n}: { title: T${n} }`).join(', ')} }\n`);
    const ran = await run(['apply', '-y', '--jobs', '3']);
    expect(ran.exit).toBe(0);
    expect(ran.stdout.match(/^done\tcreate\tteam\./gm)).toHaveLength(12);
  });

  it('apply waits for or refuses a second run at the same time, and creates each resource once', async () => {
    put('teams: { one: { title: One } }\n');
    let second: Promise<Ran> | undefined;
    before = (operation) => {
      if (operation === 'teams.create') second ??= run(['apply', '-y']);
    };
    const first = await run(['apply', '-y']);
    expect(first.exit).toBe(0);
    // The second run waits for a moment, so it may succeed, but it must not create a second team.
    expect([0, 69]).toContain((await second)!.exit);
    expect(
      JSON.parse((await run(['teams', 'list', '--org', 'org_acme', '-o', 'json', '--all'])).stdout).items,
    ).toHaveLength(1);
  });

  it('apply draws progress on a terminal, and removes it at the end', async () => {
    put(chain);
    const ran = await run(['apply', '-y'], { attended: true, tty: true });
    expect(ran.exit).toBe(0);
    expect(ran.stderr).toContain('\r\u001b[2Kapplied 0 of 4 (0 %) running');
    expect(ran.stderr).not.toContain('created space.first');
    expect(ran.stderr.endsWith('\r\u001b[2K4 done, 0 failed, 0 skipped, 0 unsupported; 0 unchanged.\n')).toBe(
      true,
    );
  });
});
