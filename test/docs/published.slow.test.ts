import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { docsctl } from '../support/cli.ts';

const docs = fileURLToPath(new URL('../../docs', import.meta.url));

describe('the documentation, published with docsctl itself', () => {
  let home: string;
  const run = (...args: readonly string[]) =>
    docsctl([...args], {
      home,
      env: { DOCSCTL_CONFIG_DIR: join(home, 'config'), DOCSCTL_STORE: `sqlite:${join(home, 'docs.db')}` },
    });
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'docsctl-docs-'));
    for (const line of [
      'init --org-title docsctl --email docs@example.com -o none',
      'spaces create --title Guide -o none',
      `spaces import Guide ${docs} -o none`,
      'sites create --title docsctl --spaces Guide -o none',
    ]) {
      const { exit, stderr } = await run(...line.split(' '));
      expect([line, exit, exit === 0 ? '' : stderr]).toEqual([line, 0, '']);
    }
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it('has no broken links, and no errors in sites check', async () => {
    const { exit, stdout } = await run('sites', 'check', 'docsctl', '-o', 'csv');
    expect([exit, stdout]).toEqual([0, expect.not.stringContaining('error')]);
  });

  it('can be built as static files with a search', async () => {
    const { exit, stderr } = await run('sites', 'build', 'docsctl', '-d', 'public', '-o', 'none');
    expect([exit, stderr]).toEqual([0, expect.stringContaining('rendered')]);
    const read = (file: string): string => readFileSync(join(home, 'public', file), 'utf8');
    expect(read('index.html')).toContain('<title>The docsctl guide');
    expect(read('reference/commands/sites/index.html')).toMatch(
      /href="\.\.\/\.\.\/\.\.\/sites\/|id="sites-build"/,
    );
    expect(read('~search/index.js')).toMatch(/^docsctlData\(\{"pages":\d\d+,/);
  });
});
