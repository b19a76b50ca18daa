import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serve } from '../../server/serving.ts';
import { docsctl } from '../../support/cli.ts';
import { openGuideStore, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
beforeEach(async () => void (desk = await openGuideStore()));
afterEach(() => desk.discard());

const put = (text: string): void => writeFileSync(desk.at('docsctl.yaml'), `version: 1\n${text}`);
const bring = async (text: string): Promise<void> => {
  put(text);
  await desk.done(['apply', '-y']);
};
/** Standard output without IDs, which differ from run to run. */
const plain = (text: string) => text.replaceAll(/\b[a-z]+_[0-9A-Z]{26}\b/g, 'ID');

describe('the field protect in a manifest', () => {
  it('is shown as an update without requests when it is set to false', async () => {
    await bring('collections: { a: { title: A, protect: true } }\n');
    put('collections: { a: { title: A, protect: false } }\n');
    const shown =
      '~ collection.a "A"  docsctl.yaml:2:16\n    protect: true → false (in the state file only)\n\nPlan: 1 to update. No requests.\n';
    expect(await desk.run(['plan', '--detailed-exitcode'])).toMatchObject({ exit: 2, stdout: shown });
    expect((await desk.done(['plan', '-o', 'markdown'])).stdout).toContain(
      '! collection.a "A" (docsctl.yaml:2:16)\n-     protect: true (in the state file only)\n+     protect: false\n',
    );
    expect((await desk.done(['plan', '-o', 'csv', '--columns', 'ref,fields'])).stdout).toBe(
      'ref,fields\r\ncollection.a,protect\r\n',
    );
    await desk.done(['apply', '-y']);
    expect(await desk.run(['plan', '--detailed-exitcode'])).toMatchObject({
      exit: 0,
      stdout: 'No changes.\n',
    });
    put('collections: {}\n');
    expect((await desk.run(['apply', '--prune', '-y'])).exit).toBe(0);
  });

  it('can be set to false by a saved plan, and this can be undone', async () => {
    await bring('collections: { a: { title: A, protect: true } }\n');
    put('collections: { a: { title: A, protect: false } }\n');
    await desk.done(['plan', '--out', 'plan.json']);
    await desk.done(['apply', 'plan.json', '-y']);
    const run = JSON.parse((await desk.done(['runs', 'list', '-o', 'json'])).stdout).items[0].id;
    await desk.done(['runs', 'undo', run, '-y']);
    expect((await desk.run(['plan'])).stdout).toContain('protect: true → false (in the state file only)');
  });
});

describe('a field that was removed from the manifest', () => {
  it('is a note in every format of the plan, but not a change', async () => {
    await bring('collections: { a: { title: A, defaultLevel: edit } }\n');
    put('collections: { a: { title: A } }\n');
    expect(await desk.run(['plan', '--detailed-exitcode'])).toMatchObject({
      exit: 0,
      stdout: 'No changes.\nNo longer in the manifest, value kept: collection.a defaultLevel.\n',
    });
    expect((await desk.done(['plan', '-o', 'markdown'])).stdout).toContain(
      '\nNo longer in the manifest, value kept: collection.a defaultLevel.\n',
    );
    expect(JSON.parse((await desk.done(['plan', '-o', 'json'])).stdout)).toMatchObject({
      steps: [{ action: 'none' }],
      unstated: [{ address: 'collection.a', field: 'defaultLevel' }],
    });
    expect(await desk.run(['apply'])).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining('No longer in the manifest, value kept: collection.a defaultLevel.'),
    });
    expect((await desk.done(['plan'])).stdout).toBe('No changes.\n');
    expect(
      JSON.parse((await desk.done(['collections', 'list', '-o', 'json'])).stdout).items[0],
    ).toMatchObject({ title: 'A', defaultLevel: 'edit' });
  });
});

describe('a resource with a new address in the manifest', () => {
  it('is kept by the forget and adopt commands that the plan suggests', async () => {
    await bring('collections: { old: { title: Old } }\n');
    put('collections: { new: { title: New } }\n');
    const { stdout } = await desk.done(['plan']);
    const [, forget = '', adopt = ''] =
      /\n {4}If this is collection\.old with a new name, run `docsctl (.+)` and `docsctl (.+)`\.\n/.exec(
        stdout,
      ) ?? [];
    expect((await desk.done(['plan', '-o', 'markdown'])).stdout).toContain(
      '#     If this is collection.old with a new name, run `docsctl forget collection.old` and `',
    );
    await desk.done([...forget.split(' '), '-y']);
    await desk.done([...adopt.split(' '), '-y']);
    expect(plain((await desk.done(['plan'])).stdout)).toBe(
      '~ collection.new "New"  docsctl.yaml:2:16\n    title: "Old" → "New"\n\nPlan: 1 to update. At most 1 request.\n',
    );
  });
});

describe('apply --prune', () => {
  it('names the resources and their number in the confirmation', async () => {
    await bring(
      'spaces: { a: { title: A } }\nsites: { s: { title: Site, sections: [{ path: x, space: !ref space.a }] } }\n',
    );
    put('spaces: { a: { title: A } }\nsites: {}\n');
    expect(await desk.run(['apply', '--prune'])).toMatchObject({
      exit: 9,
      stderr: expect.stringContaining(
        'to apply the manifest to "Acme", but there is no terminal to ask on. Plan: 1 to delete (and 2 inside it) (site.s "Site").',
      ),
    });
  });
});

describe('a step at the end of a plan', () => {
  it('shows what it waits for', async () => {
    put(
      'spaces: { a: { title: A } }\nsites: { s: { title: Site, published: true, sections: [{ path: x, space: !ref space.a }] } }\n',
    );
    expect((await desk.done(['plan'])).stdout).toContain(
      '~ site.s (at the end) "Site"; after everything inside it  docsctl.yaml:3:10\n',
    );
  });

  it('is not also counted as unchanged', async () => {
    const site = (color: string): void =>
      put(
        `sites: { s: { title: Site, customization: { styling: { primaryColor: { light: "${color}", dark: "#000000" } } } } }\n`,
      );
    site('#ff0000');
    await desk.done(['apply', '-y']);
    site('#00ff00');
    expect((await desk.done(['plan'])).stdout).toMatch(/\nPlan: 1 to update\. /);
    expect((await desk.done(['apply', '-y'])).stderr).toContain(
      '1 done, 0 failed, 0 skipped, 0 unsupported; 0 un',
    );
  });
});

describe('docsctl plan with a token with the read role', () => {
  it('leaves out resources that it cannot read with --skip-unsupported', async () => {
    const home = mkdtempSync(join(tmpdir(), 'docsctl-plan-'));
    const serving = await serve({});
    try {
      const { url } = await serving.server.listen({ host: '127.0.0.1', port: 0 });
      const run = (who: 'admin' | 'read', ...words: string[]) =>
        docsctl(words, {
          home,
          env: {
            DOCSCTL_SERVER: url,
            DOCSCTL_TOKEN: serving.world.token(who),
            DOCSCTL_CONFIG_DIR: join(home, 'config'),
          },
        });
      const write = (title: string) =>
        writeFileSync(
          join(home, 'docsctl.yaml'),
          `version: 1\norg: { id: org_acme }\nsites: { s: { title: ${title}, shareLinks: { press: { name: Press } } } }\n`,
        );
      write('Site');
      expect(await run('admin', 'apply', '-y')).toMatchObject({ exit: 0 });
      write('Site 2');
      const told =
        '! share-link.s/press "Press"  docsctl.yaml:3:44\n    To list the share links of a site, you need the create role on the site';
      expect(await run('read', 'plan')).toMatchObject({
        exit: 11,
        stdout: expect.stringContaining(told),
        stderr: expect.stringContaining(
          'Use a token with a higher role, remove the listed part from the manifest, or add --skip-unsupported.',
        ),
      });
      expect(await run('read', 'plan', '--skip-unsupported', '--detailed-exitcode')).toMatchObject({
        exit: 2,
        stdout: expect.stringContaining('title: "Site" → "Site 2"'),
        stderr: expect.stringMatching(/^Organization "Acme" .*\n$/),
      });
      expect(await run('admin', 'apply', '-y')).toMatchObject({ exit: 0 });
      // Only skipped resources are left, so nothing is pending and no confirmation is needed.
      expect(await run('read', 'plan', '--skip-unsupported', '--detailed-exitcode')).toMatchObject({
        exit: 0,
        stdout: expect.stringContaining(told),
        stderr: expect.stringMatching(/^Organization "Acme" .*\n$/),
      });
      expect(await run('read', 'apply', '--skip-unsupported', '-o', 'json')).toMatchObject({
        exit: 0,
        stderr: expect.stringContaining('0 done, 0 failed, 0 skipped, 1 unsupported'),
      });
      expect(await run('read', 'plan', '--detailed-exitcode')).toMatchObject({ exit: 11 });
    } finally {
      await serving.server.close(0);
      rmSync(home, { recursive: true, force: true });
    }
  });
});
