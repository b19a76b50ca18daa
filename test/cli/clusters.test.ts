import { createServer, type Server } from 'node:http';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawPulse } from '../../src/cli/pulse.ts';
import { conversationAt } from '../resources/conversations-analysis-support.ts';
import { docsctl, splitWords, type CliOptions, type Ran } from '../support/cli.ts';

let home: string;
const run = (line: string, more: Partial<CliOptions> = {}): Promise<Ran> =>
  docsctl(splitWords(line), { home, ...more, env: { DOCSCTL_STORE: `sqlite:${join(home, 'store.db')}`, DOCSCTL_CONFIG_DIR: join(home, 'config'), ...more.env } });
const json = async (line: string) => JSON.parse((await run(`${line} -o json`)).stdout);
const hostile = 'The webhook \u001b[31mis **late** [x](javascript:alert(1)) {% hint %} <script>';

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'docsctl-clusters-'));
  const recent = (at: number) => ({ ...conversationAt(at), metadata: { createdAt: new Date().toISOString() } });
  const lines = [...Array.from({ length: 60 }, (_, at) => recent(at)), { id: 'hostile', parts: [{ type: 'message', role: 'user', body: hostile }] }];
  writeFileSync(join(home, 'all.ndjson'), lines.map((line) => JSON.stringify(line)).join('\n'));
  writeFileSync(join(home, 'more.ndjson'), JSON.stringify({ id: 'more', parts: [{ type: 'message', role: 'user', body: 'My card was declined at the shop, can you help?' }] }));
  expect((await run('init --org-title Acme --email ana@acme.test -o none')).exit).toBe(0);
  await run('spaces create --title Handbook');
});
afterAll(() => rmSync(home, { recursive: true }));

describe('conversations ingest', () => {
  it('says that what was taken in waits, and does it with --wait', async () => {
    const { stderr } = await run('conversations ingest all.ndjson', { attended: true });
    expect(stderr).toContain('`docsctl jobs run` does it');
    expect(await json('conversations analysis')).toMatchObject({ state: 'waiting', batches: 1 });
    expect((await run('conversations ingest all.ndjson --wait')).exit).toBe(0);
    expect(await json('conversations analysis')).toMatchObject({ state: 'idle' });
    expect((await json('conversations clusters list')).count).toBeGreaterThan(2);
  });
});

describe('conversations clusters', () => {
  it('are listed with their pulse, and with the gravest in colour', async () => {
    const drawn = (await run('conversations clusters list --order-by issues --color always', { tty: true })).stdout;
    expect(drawn).toMatch(/▁{12}▇/);
    expect(drawn).toMatch(/\u001b\[(?:36m|2m|31m)\S/);
    expect((await run('conversations clusters list', { tty: true })).stdout).not.toContain('\u001b');
    const csv = (await run('conversations clusters list --order-by issues -o csv')).stdout.split('\r\n');
    expect(csv[0]).toBe('id,label,impact,issues,pulse,muted');
    expect(csv[1]).toMatch(/,(?:0 ){12}\d+,/);
    expect((await json('conversations clusters list')).items[0].weeklyPulse).toHaveLength(13);
  });

  it('are shown by their label, with what they are about and their latest issues', async () => {
    const { items } = await json('conversations clusters list --order-by issues');
    const label = items
      .map((one: { label: string }) => one.label)
      .find((one: string, at: number, all: string[]) => all.filter((other) => other.toLowerCase() === one.toLowerCase()).length === 1);
    const cluster = items.find((one: { label: string }) => one.label === label);
    const { stdout, exit } = await run(`conversations clusters show "${label}"`);
    expect([exit, stdout]).toEqual([0, expect.stringContaining(cluster.id)]);
    expect(stdout).toContain(`${cluster.stats.issues} issue`);
    expect(stdout).toContain('Latest issues');
    const shown = await json(`conversations clusters show ${cluster.id}`);
    expect(shown.cluster).toEqual(cluster);
    expect(shown.issues[0].cluster).toBe(cluster.id);
    expect((await run('conversations clusters show "No such thing"')).exit).toBe(5);
  });

  it('are drafted an answer for, in a change request of theirs, with what people wrote as plain text', async () => {
    const { items } = await json('conversations issues list --conversation hostile');
    const { cluster } = items[0].issue;
    expect((await run(`conversations clusters draft ${cluster}`)).exit).toBe(64);
    expect((await run(`conversations clusters draft ${cluster} --space Handbook --dry-run`)).stderr).toContain('nothing was sent');
    const made = await json(`conversations clusters draft ${cluster} --space Handbook --title "Late webhooks"`);
    expect(made).toMatchObject({ number: 1, cluster, title: 'Late webhooks' });
    const page = await json(`pages show Handbook "Late webhooks" --change-request 1`);
    expect(page.markdown).toContain('What people say');
    expect(page.markdown).toContain('is late \\[x]\\(javascript:alert(1))');
    expect(page.markdown).not.toMatch(/(?<!\\)\[x\]\(|^{% hint|(?<!\\)<script>/m);
    expect((await json(`conversations clusters get ${cluster}`)).stats).toMatchObject({ tasksTotal: 1, tasksBacklog: 1 });
    expect((await json(`change-requests list Handbook --status draft --conversations-issues-cluster ${cluster}`)).count).toBe(1);
    await run(`conversations clusters update ${cluster} --muted`);
    expect((await run(`conversations clusters draft ${cluster} --space Handbook`)).exit).toBe(6);
  });
});

describe('a language model', () => {
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
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ choices: [{ message: { content } }] }));
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

  it('names clusters when it is asked to; what it says is plain text of a bounded length', async () => {
    answer = () => ({ status: 200, content: `Sure: {"label": "${'Cards that are declined '.repeat(9)}", "summary": "People \\u001b[31m are\\n\\u202e<b>shut</b> out."}` });
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

  it('is not asked again of what has hardly changed, and its failure leaves the words of the analysis', async () => {
    asked.length = 0;
    writeFileSync(join(home, 'again.ndjson'), JSON.stringify({ id: 'again', parts: [{ type: 'message', role: 'user', body: 'My card was declined at the shop, can you help?' }] }));
    expect((await run('conversations ingest again.ndjson --wait', { env })).exit).toBe(0);
    expect(asked).toEqual([]);
    answer = () => ({ status: 500, content: 'sk-canary' });
    writeFileSync(
      join(home, 'new.ndjson'),
      ['Where are your shops in Portugal?', 'Do you sell ladders made of wood?']
        .map((body, at) => JSON.stringify({ id: `n-${at}`, parts: [{ type: 'message', role: 'user', body }] }))
        .join('\n'),
    );
    const { exit, stderr } = await run('conversations ingest new.ndjson --wait', { env });
    expect([exit, stderr.includes('sk-canary')]).toEqual([0, false]);
    expect(asked.length).toBe(1);
    const { issue } = (await json('conversations issues list --conversation n-0')).items[0];
    expect((await json(`conversations clusters get ${issue.cluster}`)).label.length).toBeGreaterThan(2);
    expect((await run('conversations ingest again.ndjson --wait', { env: { DOCSCTL_ANALYSIS: 'magic' } })).exit).toBe(0);
  });
});

it('draws a pulse by its greatest', () => {
  expect(drawPulse([0, 1, 2, 3, 4])).toBe('▁▂▃▅▇');
  expect(drawPulse([0, 0])).toBe('▁▁');
});
