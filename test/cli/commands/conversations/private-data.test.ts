import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { docsctl, splitWords } from '../../../support/cli.ts';
import { planted, secretsIn } from '../../../support/planted-conversations.ts';

const plans = fc.sample(planted, { numRuns: 4, seed: 14 });
const plan = {
  conversations: plans.flatMap(({ conversations }, at) =>
    conversations.map((one) => ({ ...one, id: `${at}-${one.id}` })),
  ),
  secrets: plans.flatMap(({ secrets }) => secrets),
};
let home: string;
const run = (line: string) =>
  docsctl(splitWords(line), {
    home,
    env: { DOCSCTL_STORE: `sqlite:${join(home, 'store.db')}`, DOCSCTL_CONFIG_DIR: join(home, 'config') },
  });
const json = async (line: string) => JSON.parse((await run(`${line} -o json`)).stdout);

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'docsctl-private-'));
  writeFileSync(join(home, 'all.ndjson'), plan.conversations.map((one) => JSON.stringify(one)).join('\n'));
  await run('init --org-title Acme --email owner@acme.test -o none');
  await run('spaces create --title Handbook');
  expect((await run('conversations ingest all.ndjson --wait')).exit).toBe(0);
});
afterAll(() => rmSync(home, { recursive: true }));

describe('private data of conversations', () => {
  it('is in no list, page or draft of clusters', async () => {
    const { items } = await json('conversations clusters list --all');
    expect(items.length).toBeGreaterThan(1);
    expect(secretsIn((await run('conversations clusters list --all --columns label')).stdout, plan)).toEqual(
      [],
    );
    for (const [at, { id, label }] of items.slice(0, 4).entries()) {
      expect(secretsIn((await run(`conversations clusters show ${id} -o table`)).stdout, plan)).toEqual([]);
      const { number, title } = await json(`conversations clusters draft ${id} --space Handbook`);
      expect([number, title]).toEqual([at + 1, label]);
      const request = await json(`change-requests get ${number} --space Handbook`);
      const pages = await run(`pages show Handbook "${title}" --change-request ${number} -o json`);
      const { markdown } = JSON.parse(pages.stdout);
      expect(markdown).toContain('What people say');
      expect(secretsIn(`${title}\n${request.subject}\n${markdown}`, plan)).toEqual([]);
    }
  });

  it('is in issues, unless --redact is given', async () => {
    const titles = async (more: string) =>
      (await run(`conversations issues list --all --columns issue.title --no-headers ${more}`)).stdout;
    expect(secretsIn(await titles(''), plan)).not.toEqual([]);
    expect(secretsIn(await titles('--redact'), plan)).toEqual([]);
    expect(await titles('--redact')).toContain('[name]');
  });

  it('is replaced before it is sent with --redact name,address,password', async () => {
    const { stdout, stderr } = await run(
      'conversations ingest all.ndjson --redact name,address,password,email --dry-run',
    );
    expect(secretsIn(stdout, plan)).toEqual([]);
    expect(stderr).toMatch(/Redacted \d+ name/);
  });
});
