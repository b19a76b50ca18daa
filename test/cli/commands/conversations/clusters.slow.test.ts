import { createServer, type Server } from 'node:http';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conversationAt } from '../../../resources/conversations/analysis-support.ts';
import { docsctl, splitWords, type CliOptions, type Ran } from '../../../support/cli.ts';
import { sparkline } from '../../../../src/cli/output/cell.ts';
import { drawPulse } from '../../../../src/cli/commands/conversations/cluster-rows.ts';

let home: string;
const run = (line: string, more: Partial<CliOptions> = {}): Promise<Ran> =>
  docsctl(splitWords(line), {
    home,
    ...more,
    env: {
      DOCSCTL_STORE: `sqlite:${join(home, 'store.db')}`,
      DOCSCTL_CONFIG_DIR: join(home, 'config'),
      ...more.env,
    },
  });
const json = async (line: string) => JSON.parse((await run(`${line} -o json`)).stdout);
const hostile =
  'The webhook \u001b[31mis **late** [x](javascript:alert(1)) {% hint %} <script> for eve@shop.test';

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'docsctl-clusters-'));
  const recent = (at: number) => ({
    ...conversationAt(at),
    metadata: { createdAt: new Date().toISOString() },
  });
  const lines = [
    ...Array.from({ length: 60 }, (_, at) => recent(at)),
    { id: 'hostile', parts: [{ type: 'message', role: 'user', body: hostile }] },
  ];
  writeFileSync(join(home, 'all.ndjson'), lines.map((line) => JSON.stringify(line)).join('\n'));
  writeFileSync(
    join(home, 'more.ndjson'),
    JSON.stringify({
      id: 'more',
      parts: [{ type: 'message', role: 'user', body: 'My card was declined at the shop, can you help?' }],
    }),
  );
  expect((await run('init --org-title Acme --email ana@acme.test -o none')).exit).toBe(0);
  await run('spaces create --title Handbook');
});
afterAll(() => rmSync(home, { recursive: true }));

describe('conversations ingest', () => {
  it('notes that new conversations are not analyzed yet, and analyzes them with --wait', async () => {
    const { stderr } = await run('conversations ingest all.ndjson');
    expect(stderr).toBe(
      'The conversations are not analyzed yet. If a server uses this store, the server analyzes them. Otherwise, run `docsctl jobs run`.\n61 new, 0 changed, 0 unchanged, 0 failed.\n',
    );
    expect(await json('conversations analysis')).toMatchObject({ state: 'waiting', batches: 1 });
    const waited = await run('conversations ingest all.ndjson --wait');
    expect(waited).toMatchObject({ exit: 0, stdout: '' });
    expect(await json('conversations analysis')).toMatchObject({ state: 'idle' });
    const counts = [
      (await json('conversations issues list --limit 0')).count,
      (await json('conversations clusters list')).count,
    ];
    expect(waited.stderr).toBe(
      `0 new, 0 changed, 61 unchanged, 0 failed.\nAnalyzed: ${counts[0]} issues in ${counts[1]} clusters.\n`,
    );
    expect((await json('conversations clusters list')).count).toBeGreaterThan(2);
  });
});

describe('conversations clusters', () => {
  it('are listed with bars for their sizes on a terminal only', async () => {
    const { stdout } = await run('conversations clusters list', { tty: true });
    expect(stdout).toMatch(/^label +impact +issues +share +pulse/);
    expect(stdout.split('\n')[2]).toMatch(/ {2}██████ {2}/);
    expect((await run('conversations clusters list')).stdout).not.toContain('█');
  });

  it('are listed with their weekly pulse, and in color only with --color', async () => {
    const drawn = (
      await run('conversations clusters list --order-by issues --color always', { tty: true, columns: 120 })
    ).stdout;
    expect(drawn).toMatch(/▁{12}▇ +\d{4}-\d\d-\d\d /);
    expect(drawn).toMatch(/\u001b\[(?:36m|2m|31m)\S/);
    expect((await run('conversations clusters list', { tty: true })).stdout).not.toContain('\u001b');
    const csv = (await run('conversations clusters list --order-by issues -o csv')).stdout.split('\r\n');
    expect(csv[0]).toBe('label,impact,issues,pulse,latest,muted,id');
    expect(csv[1]).toMatch(/,(?:0 ){12}\d+,/);
    expect((await json('conversations clusters list')).items[0].weeklyPulse).toHaveLength(13);
  });

  it('are listed with the largest first, unless another order is given', async () => {
    const sizes = async (more = '') =>
      (await json(`conversations clusters list --all ${more}`)).items.map(
        (item: { stats: { issues: number } }) => item.stats.issues,
      ) as number[];
    const counts = await sizes();
    expect(counts).toEqual(counts.toSorted((one, other) => other - one));
    expect(await sizes('--order asc')).toEqual(counts.toReversed());
    expect(await sizes('--order-by updatedAt')).toHaveLength(counts.length);
  });

  it('are sorted by the heading of a table column', async () => {
    const counts = (
      await run('conversations clusters list --all --sort-by=-issues --columns issues --no-headers')
    ).stdout
      .trim()
      .split('\n')
      .map(Number);
    expect(counts).toEqual(counts.toSorted((one, other) => other - one));
    const sorted = (await json('conversations clusters list --all --sort-by=-issues')).items.map(
      (item: { stats: { issues: number } }) => item.stats.issues,
    );
    expect(sorted).toEqual(counts);
  });

  it('are shown by label, with their latest issues', async () => {
    const { items } = await json('conversations clusters list --order-by issues');
    const label = items
      .map((one: { label: string }) => one.label)
      .find(
        (one: string, at: number, all: string[]) =>
          all.filter((other) => other.toLowerCase() === one.toLowerCase()).length === 1,
      );
    const cluster = items.find((one: { label: string }) => one.label === label);
    const { stdout, exit } = await run(`conversations clusters show "${label}"`);
    expect([exit, stdout]).toEqual([0, expect.stringContaining(cluster.id)]);
    expect(stdout).toContain(`${cluster.stats.issues} issue`);
    expect(stdout).toContain('Latest issues');
    expect(stdout).not.toContain('muted');
    const shown = await json(`conversations clusters show ${cluster.id}`);
    expect(shown.cluster).toEqual(cluster);
    expect(shown.issues[0].cluster).toBe(cluster.id);
    expect((await run('conversations clusters show "No such thing"')).exit).toBe(5);
    const other = items.find((one: { id: string }) => one.id !== cluster.id);
    const both = await json(`conversations clusters show ${other.id} ${cluster.id}`);
    expect(both.items).toMatchObject([{ cluster: { id: other.id } }, { cluster: { id: cluster.id } }]);
  });

  it('are drafted as a page in a change request, with texts of users escaped and redacted', async () => {
    const { items } = await json('conversations issues list --conversation hostile');
    const { cluster } = items[0].issue;
    expect(await run(`conversations clusters draft "Card $(x) it's"`)).toMatchObject({
      exit: 64,
      stderr: expect.stringContaining(`draft 'Card $(x) it'\\''s' --space SPACE`),
    });
    expect(
      (await run(`conversations clusters draft ${cluster} --space Handbook --dry-run`)).stderr,
    ).toContain('nothing was sent');
    const made = await json(
      `conversations clusters draft ${cluster} --space Handbook --title "Late webhooks"`,
    );
    expect(made).toMatchObject({ number: 1, cluster, title: 'Late webhooks' });
    const page = await json(`pages show Handbook "Late webhooks" --change-request 1`);
    expect(page.markdown).toContain('What people say');
    expect(page.markdown).not.toContain('…');
    expect(page.markdown).toContain('is late \\[x]\\(javascript:alert(1))');
    expect(page.markdown).toMatch(/for \\?\[email\\?\]/);
    expect(page.markdown).not.toMatch(/eve\\?@/);
    expect(page.markdown).not.toMatch(/(?!\n)\p{Cc}|\p{Bidi_Control}/u);
    expect(page.markdown).not.toMatch(/(?<!\\)\[x\]\(|^{% hint|(?<!\\)<script>/m);
    expect((await json(`conversations clusters get ${cluster}`)).stats).toMatchObject({
      tasksTotal: 1,
      tasksBacklog: 1,
    });
    expect(
      (await json(`change-requests list Handbook --status draft --conversations-issues-cluster ${cluster}`))
        .count,
    ).toBe(1);
    const second = await run(`conversations clusters draft ${cluster} --space Handbook`);
    expect([second.exit, second.stdout]).toEqual([9, '']);
    expect(second.stderr).toContain('already has change request 1 (draft)');
    expect(second.stderr).toContain('--again');
    expect(await json(`conversations clusters draft ${cluster} --space Handbook --again`)).toMatchObject({
      number: 2,
      cluster,
    });
    for (const number of [1, 2])
      await run(`change-requests update ${number} --space Handbook --status archived`);
    const third = await run(`conversations clusters draft ${cluster} --space Handbook`);
    expect([third.exit, third.stderr]).toEqual([
      0,
      expect.stringContaining('This cluster has earlier change requests: 0 merged, 2 archived.'),
    ]);
    const { number } = await json(
      `conversations clusters draft ${cluster} --space Handbook --again --title Kept --no-redact`,
    );
    const kept = await json(`pages show Handbook Kept --change-request ${number}`);
    expect(kept.markdown).toMatch(/eve\\?@shop\.test/);
    await run(`conversations clusters update ${cluster} --muted`);
    expect((await run(`conversations clusters show ${cluster} -o table`)).stdout).toContain('· muted');
    expect((await run(`conversations clusters draft ${cluster} --space Handbook --again`)).exit).toBe(6);
  });
});

describe('a language model for conversations', () => {
  const asked: { auth: string | undefined; body: { model: string; messages: { content: string }[] } }[] = [];
  let answer: () => { status: number; content: string };
  let server: Server;
  let env: Record<string, string>;
  beforeAll(async () => {
    server = createServer((request, response) => {
      let text = '';
      request.on('data', (more) => (text += more));
      request.on('end', () => {
        asked.push({ auth: request.headers.authorization, body: JSON.parse(text) });
        const { status, content } = answer();
        response
          .writeHead(status, { 'content-type': 'application/json' })
          .end(JSON.stringify({ choices: [{ message: { content } }] }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    env = {
      DOCSCTL_ANALYSIS: 'openai',
      DOCSCTL_OPENAI_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      DOCSCTL_OPENAI_MODEL: 'tiny',
      DOCSCTL_OPENAI_KEY: 'sk-canary',
    };
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('names clusters if it is configured, and its answer is shortened and stored as plain text', async () => {
    answer = () => ({
      status: 200,
      content: `Sure: {"label": "${'Cards that are declined '.repeat(9)}", "summary": "People \\u001b[31m are\\n\\u202e<b>shut</b> out."}`,
    });
    expect((await run('conversations ingest more.ndjson --wait', { env })).exit).toBe(0);
    expect(asked.length).toBe(1);
    expect(asked[0]).toMatchObject({ auth: 'Bearer sk-canary', body: { model: 'tiny' } });
    expect(asked[0]!.body.messages[1]!.content).toContain('declined');
    const { issue } = (await json('conversations issues list --conversation more')).items[0];
    const { label, summary } = await json(`conversations clusters get ${issue.cluster}`);
    expect([...label].length).toBeLessThanOrEqual(60);
    expect(label).toMatch(/^Cards that are declined/);
    expect(JSON.stringify(summary.nodes[0])).toContain('People [31m are <b>shut</b> out.');
  });

  it('is not called again for clusters that hardly changed, and if it fails, computed labels are used', async () => {
    asked.length = 0;
    writeFileSync(
      join(home, 'again.ndjson'),
      JSON.stringify({
        id: 'again',
        parts: [{ type: 'message', role: 'user', body: 'My card was declined at the shop, can you help?' }],
      }),
    );
    expect((await run('conversations ingest again.ndjson --wait', { env })).exit).toBe(0);
    expect(asked).toEqual([]);
    answer = () => ({ status: 500, content: 'sk-canary' });
    writeFileSync(
      join(home, 'new.ndjson'),
      ['Where are your shops in Portugal?', 'Do you sell ladders made of wood?']
        .map((body, at) =>
          JSON.stringify({ id: `n-${at}`, parts: [{ type: 'message', role: 'user', body }] }),
        )
        .join('\n'),
    );
    const { exit, stderr } = await run('conversations ingest new.ndjson --wait', { env });
    expect([exit, stderr.includes('sk-canary')]).toEqual([0, false]);
    expect(asked.length).toBe(1);
    const { issue } = (await json('conversations issues list --conversation n-0')).items[0];
    expect((await json(`conversations clusters get ${issue.cluster}`)).label.length).toBeGreaterThan(2);
    expect(
      (await run('conversations ingest again.ndjson --wait', { env: { DOCSCTL_ANALYSIS: 'magic' } })).exit,
    ).toBe(0);
  });
});

describe('conversations issues get', () => {
  it('shows an issue as a page, with its impact, its cluster and its conversation', async () => {
    const { items } = await json('conversations issues list --conversation hostile');
    const { issue } = items[0];
    const { label } = await json(`conversations clusters get ${issue.cluster}`);
    const { stdout, exit } = await run(`conversations issues get ${issue.id}`, { tty: true });
    const flat = stdout.replace(/\s+/g, ' ');
    expect(exit).toBe(0);
    expect(flat).toMatch(new RegExp(`${issue.id} · ${issue.impact} impact \\(.+\\) · \\d{4}-\\d\\d-\\d\\d`));
    expect(flat).toContain(`cluster "${label}" (${issue.cluster}) · conversation hostile`);
    expect(flat).toContain('webhook');
    expect(stdout).not.toMatch(/[\u001b\u0007]/);
    const rows = (await run(`conversations issues get ${issue.id}`)).stdout.split('\n');
    expect(rows[0]).toBe(
      'issue.title\tissue.impact\tissue.createdAt\tissue.cluster\tconversation.id\tissue.id',
    );
    expect(rows[1]).toMatch(new RegExp(`\t${issue.id}$`));
    expect(
      (await run(`conversations issues get ${issue.id} --columns title,date`, { tty: true })).stdout,
    ).toMatch(/^title +date/);
  });
});

describe('conversations get', () => {
  it('shows who wrote each message on a terminal, and prints rows in a pipe', async () => {
    const subject = 'Red \u001b[31mand\u0007 \u202e';
    const parts = [
      { type: 'message', role: 'user', body: 'My card\r\nis \u001b[2Jgone' },
      { type: 'message', role: 'user', body: 'Please help' },
      { type: 'message', role: 'team-member', body: 'It is on its way.' },
    ];
    const metadata = {
      createdAt: '2026-02-01T01:30:00+02:00',
      attributes: { 'pl\nan': '\u001b]0;x' },
      url: 'https://support.example.com/1',
    };
    writeFileSync(
      join(home, 'talk.ndjson'),
      [
        JSON.stringify({ id: 'talk', subject, metadata, parts }),
        JSON.stringify({ id: 'silent', parts: [] }),
      ].join('\n'),
    );
    await run('conversations ingest talk.ndjson');
    const { stdout } = await run('conversations get talk silent', { tty: true });
    expect(stdout).toContain('\ntalk · 2026-01-31 23:30Z · email · not analyzed yet · pl an: \\u001b]0;x ·');
    expect(stdout).toContain(
      '╭ user\n│ My card\n│ is \\u001b[2Jgone\n│\n│ Please help\n\n╭ team-member\n│ It is on its way.\n',
    );
    expect(stdout).toContain('No messages.');
    expect(stdout).not.toMatch(/[\u001b\u0007\u202e]/);
    const rows = (await run('conversations get talk')).stdout.split('\n');
    expect(rows[0]).toBe('conversation\tcreatedAt\trole\ttext');
    expect(rows[1]).toBe('talk\t2026-01-31T23:30:00.000Z\tuser\tMy card\\r\\nis \\u001b[2Jgone');
    expect(
      (await run('conversations get talk silent -o csv')).stdout.trim().split(/\r\n(?=talk|silent)/),
    ).toHaveLength(5);
    expect((await run('conversations get talk --columns role,text', { tty: true })).stdout).toMatch(
      /^role +text/,
    );
    expect(await json('conversations get talk')).toMatchObject({
      conversation: { id: 'talk', subject },
      parts,
    });
    expect((await run('conversations get talk silent -o id')).stdout).toBe('talk\nsilent\n');
  });
});

it('sparkline and drawPulse scale to the largest value, and show the last month of old issues', () => {
  expect(sparkline([0, 1, 2, 3, 4])).toBe('▁▂▃▅▇');
  expect(sparkline([0, 0])).toBe('▁▁');
  const lastIssueAt = '2026-01-31T23:30:00.000Z';
  expect(drawPulse({ weeklyPulse: [0, 1], latestPulse: [2, 1], lastIssueAt })).toBe('▁▇');
  expect(drawPulse({ weeklyPulse: [0, 0], latestPulse: [1, 4], lastIssueAt })).toBe('▂▇ to 2026-01');
  expect(drawPulse({ weeklyPulse: [0, 0], lastIssueAt })).toBe('quiet since 2026-01');
  expect(drawPulse({ weeklyPulse: [0, 0] })).toBe('quiet');
});
