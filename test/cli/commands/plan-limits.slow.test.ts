import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serve } from '../../server/serving.ts';
import { docsctl, type CliOptions, type Ran } from '../../support/cli.ts';
import { openGuideStore, type GuideStore } from '../guide-store.ts';

interface Place {
  readonly run: (words: readonly string[], more?: Partial<CliOptions>) => Promise<Ran>;
  readonly put: (text: string) => void;
  readonly end: () => Promise<void> | void;
}

async function embedded(): Promise<Place> {
  const desk: GuideStore = await openGuideStore();
  return {
    run: (words, more) => desk.run([...words], more),
    put: (text) => writeFileSync(desk.at('docsctl.yaml'), `version: 1\n${text}`),
    end: () => desk.discard(),
  };
}

async function remote(): Promise<Place> {
  const home = mkdtempSync(join(tmpdir(), 'docsctl-manifest-'));
  const serving = await serve();
  const { url } = await serving.server.listen({ host: '127.0.0.1', port: 0 });
  const env = {
    DOCSCTL_SERVER: url,
    DOCSCTL_TOKEN: serving.world.token('admin'),
    DOCSCTL_ORG: 'org_acme',
    DOCSCTL_CONFIG_DIR: join(home, 'config'),
  };
  return {
    run: (words, more) => docsctl(words, { home, env, ...more }),
    put: (text) => writeFileSync(join(home, 'docsctl.yaml'), `version: 1\n${text}`),
    end: async () => {
      await serving.server.close(0);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

const chain =
  'collections: { top: { title: Top } }\nspaces: { one: { title: One, parent: !ref collection.top }, two: { title: Two } }\n';
const keysOf = ({ stdout }: Ran): string[] =>
  (JSON.parse(stdout) as { steps: { key: string; action: string }[] }).steps
    .filter(({ action }) => action !== 'none')
    .map(({ key, action }) => `${action} ${key}`);

describe.each([
  ['on a store', embedded],
  ['on a server', remote],
])('docsctl plan and apply %s', (_, open) => {
  let place: Place;
  beforeEach(async () => void (place = await open()));
  afterEach(() => place.end());

  it('print the organization and the store first, on a terminal and in a pipe', async () => {
    place.put(chain);
    for (const more of [{}, { tty: true, attended: true }])
      expect((await place.run(['plan'], more)).stderr).toMatch(
        /^Organization "Acme" \(org_\w+\) on\s+(json:|http:)\S+\n/,
      );
    expect((await place.run(['plan', '-o', 'json'])).stderr).toBe('');
    expect((await place.run(['apply', '-y'])).stderr).toMatch(/^Organization "Acme"/);
  });

  it('are limited to some resources with --only and --exclude', async () => {
    place.put(chain);
    const plan = (...words: string[]) => place.run(['plan', '-o', 'json', ...words]);
    expect(keysOf(await plan('--only', 'space.two'))).toEqual(['create space.two']);
    expect(keysOf(await plan('--only', 'space.*', '--exclude', 'space.one'))).toEqual(['create space.two']);
    expect(keysOf(await plan('--exclude', 'space.one'))).toEqual([
      'create collection.top',
      'create space.two',
    ]);
    const left = 'Changes left out by --only or --exclude:';
    expect((await place.run(['plan', '--exclude', 'space.*'])).stdout).toContain(
      `Plan: 1 to create. At most 1 request.\n${left} space.one, space.two.\n`,
    );
    expect((await place.run(['plan', '--only', '*.t*', '-o', 'markdown'])).stdout).toContain(
      `${left} space.one.`,
    );
    expect((await place.run(['plan'])).stdout).not.toContain(left);
    expect((await place.run(['plan', '--exclude', '*'])).stdout).toMatch(
      /^No changes\.\nChanges left out by /,
    );
    expect(await place.run(['plan', '--only', 'space.one'])).toMatchObject({
      exit: 64,
      stderr: expect.stringContaining('The selected steps need collection.top, which is not selected.'),
    });
    expect(await place.run(['plan', '--only', 'space.on'])).toMatchObject({
      exit: 8,
      stderr: expect.stringContaining('Did you mean space.one?'),
    });
    expect(await place.run(['apply', '-y', '--only', 'collection.*'])).toMatchObject({ exit: 0 });
    // References to existing resources that are not selected are allowed.
    expect(await place.run(['apply', '-y', '--only', 'space.one'])).toMatchObject({ exit: 0 });
    expect(keysOf(await plan())).toEqual(['create space.two']);
    expect((await place.run(['state', 'list', '-o', 'id'])).stdout).toBe('collection.top\nspace.one\n');
  });

  it('delete only selected resources, and no resource that contains an unselected one', async () => {
    place.put(
      `${chain}sites: { s: { title: Site, siteSpaces: [{ path: guide, space: !ref space.two }] } }\n`,
    );
    expect(await place.run(['apply', '-y'])).toMatchObject({ exit: 0 });
    place.put('collections: {}\nspaces: { two: { title: Two } }\nsites: {}\n');
    const plan = (...words: string[]) => place.run(['plan', '--prune', '-o', 'json', ...words]);
    expect(keysOf(await plan('--only', 'space.*'))).toEqual(['delete space.one']);
    expect(await plan('--exclude', 'site-space.*')).toMatchObject({
      exit: 64,
      stderr: expect.stringContaining('site-space.s/guide'),
    });
  });

  it('drift finds changes of selected resources only', async () => {
    place.put(chain);
    await place.run(['apply', '-y']);
    await place.run(['spaces', 'update', 'One', '--title', 'Uno']);
    const drift = (...words: string[]) => place.run(['drift', '--detailed-exitcode', ...words]);
    expect(await drift('--only', 'space.one')).toMatchObject({ exit: 2 });
    expect(await drift('--exclude', 'space.one')).toMatchObject({ exit: 0 });
    expect(await drift('--only', 'x')).toMatchObject({ exit: 8 });
  });

  it('accept deprecated options and fields with warnings', async () => {
    place.put(`${chain}jobs: { conversations: [] }\n`);
    const plan = (...words: string[]) =>
      place.run(['plan', '-o', 'id', '--jobs', '2', '--lock', 's.json', ...words]);
    const { exit, stderr } = await plan();
    expect(exit).toBe(0);
    expect(stderr.match(/^warning: .*$/gm)).toEqual([
      'warning: --jobs is deprecated. Use --concurrency instead.',
      'warning: --lock is deprecated. Use --state instead.',
      expect.stringMatching(/the field "jobs" is deprecated. Rename it to "imports"/),
    ]);
    expect(await plan('--quiet')).toMatchObject({ exit: 0, stderr: '' });
  });

  it('drift reads another manifest and another state file', async () => {
    place.put(chain);
    await place.run(['apply', '-y', '--state', 'elsewhere.json']);
    await place.run(['spaces', 'update', 'One', '--title', 'Uno']);
    const drift = (...words: string[]) => place.run(['drift', '--detailed-exitcode', ...words]);
    expect(await drift('-f', 'docsctl.yaml', '--state', 'elsewhere.json')).toMatchObject({ exit: 2 });
    expect(await drift('-f', 'docsctl.yaml')).toMatchObject({ exit: 5 });
    expect(await drift('-f', 'none.yaml')).toMatchObject({ exit: 8 });
  });

  it('allow later steps of a new resource with --allow create', async () => {
    place.put(
      'spaces: { one: { title: One } }\nsites: { docs: { title: Docs, visibility: unlisted, siteSpaces: [{ path: one, space: !ref space.one }] } }\n',
    );
    const { stdout, exit } = await place.run(['plan', '--allow', 'create']);
    expect(stdout).toContain('~ site.docs (at the end)');
    expect(exit).toBe(0);
  });

  it('refuse actions that --allow does not list, and change nothing', async () => {
    place.put('spaces: { one: { title: One } }\n');
    expect(await place.run(['apply', '-y', '--allow', 'update'])).toMatchObject({
      exit: 9,
      stderr: expect.stringContaining('--allow update does not allow: create space.one.'),
    });
    expect(await place.run(['plan', '--allow', 'update'])).toMatchObject({
      exit: 9,
      stdout: expect.stringContaining('+ space.one'),
    });
    expect(await place.run(['apply', '-y', '--allow', 'create,update'])).toMatchObject({ exit: 0 });
    expect(await place.run(['plan', '--allow', 'change'])).toMatchObject({
      exit: 8,
      stderr: expect.stringContaining('--allow does not take "change".'),
    });
  });

  it('start nothing more after the first failure with --fail-fast', async () => {
    // A site without spaces cannot be published.
    place.put('sites: { one: { title: One, published: true }, two: { title: Two, published: true } }\n');
    const applied = async (...words: string[]) => {
      const ran = await place.run(['apply', '-y', '--concurrency', '1', '-o', 'json', ...words]);
      const { rows } = JSON.parse(ran.stdout) as { rows: { key: string; status: string }[] };
      return [ran.exit, ...rows.map(({ key, status }) => `${key} ${status}`)];
    };
    expect((await applied('--fail-fast')).toSorted()).toEqual([
      3,
      'site.one (last) failed',
      'site.one done',
      'site.two (last) skipped',
      'site.two skipped',
    ]);
    expect((await applied()).toSorted()).toEqual([
      3,
      'site.one (last) failed',
      'site.two (last) failed',
      'site.two done',
    ]);
  });

  it('skip deletions of protected resources, do everything else, and exit with 9', async () => {
    place.put('spaces: { safe: { title: Safe, protect: true }, old: { title: Old }, new: { title: N } }\n');
    await place.run(['apply', '-y']);
    place.put('spaces: { new: { title: New } }\n');
    const planned = await place.run(['plan', '--prune']);
    expect(planned).toMatchObject({
      exit: 9,
      stdout: expect.stringMatching(/No longer in the manifest, but protected: space\.safe \(spc_\w+\)\.\n$/),
    });
    expect(planned.stderr).toContain('error: Not deleted: space.safe is protected.');
    const applied = await place.run(['apply', '--prune', '-y']);
    expect(applied).toMatchObject({
      exit: 9,
      stderr: expect.stringContaining(
        'error: Not deleted: space.safe is protected. 2 done, 0 failed, 0 skipped, 0 unsupported; 0 unchanged.',
      ),
    });
    expect((await place.run(['state', 'list', '-o', 'id'])).stdout).toBe('space.new\nspace.safe\n');
    expect(await place.run(['plan'])).toMatchObject({ exit: 0 });
  });
});

describe('docsctl plan and apply with one manifest', () => {
  it('warn if the manifest was applied to another organization before', async () => {
    const desk = await openGuideStore();
    try {
      writeFileSync(desk.at('docsctl.yaml'), 'version: 1\nspaces: { one: { title: One } }\n');
      await desk.done(['apply', '-y']);
      expect((await desk.run(['plan'])).stderr).not.toContain('warning');
      await desk.done(['orgs', 'create', '--title', 'Labs', '--email', 'lee@labs.test']);
      for (const words of [['plan'], ['apply', '--dry-run']])
        expect((await desk.run([...words, '--org', 'Labs', '--as', 'lee@labs.test'])).stderr).toMatch(
          /^Organization "Labs" .*\nwarning: the manifest was last applied to organization org_\w+, never to "Labs" \(org_\w+\)\./,
        );
    } finally {
      await desk.discard();
    }
  });

  it('do not print "No changes" with exit code 2', async () => {
    const desk = await openGuideStore();
    try {
      writeFileSync(
        desk.at('docsctl.yaml'),
        'version: 1\nimports: { conversations: [{ files: a.ndjson }] }\n',
      );
      writeFileSync(desk.at('a.ndjson'), '{"id":"1","messages":[]}\n');
      const ran = await desk.run(['plan', '--detailed-exitcode']);
      expect(ran).toMatchObject({ exit: 2, stdout: expect.stringMatching(/^Plan: only imports\.\n/) });
      expect(ran.stdout).not.toContain('No changes');
    } finally {
      await desk.discard();
    }
  });
});
