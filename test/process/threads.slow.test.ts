import { execa } from 'execa';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const bin = fileURLToPath(new URL('../../bin/docsctl.js', import.meta.url));
const node = process.env['DOCSCTL_NODE'] ?? process.execPath;
const home = mkdtempSync(join(tmpdir(), 'docsctl-threads-'));

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

describe('calls in threads', { timeout: 60_000 }, () => {
  const run = (...words: string[]) =>
    execa(node, [bin, ...words], {
      cwd: home,
      env: {
        DOCSCTL_CONFIG_DIR: join(home, 'config'),
        DOCSCTL_STORE: `sqlite:${join(home, 'threads.db')}`,
        NODE_OPTIONS: '',
      },
      reject: false,
    });
  let url = '';
  let metricsUrl = '';
  let sitesUrl = '';
  let token = '';
  let organization = '';
  let serving: ReturnType<typeof run>;
  const ask = async (
    method: string,
    path: string,
    { body, headers = {} }: { body?: string; headers?: Record<string, string> } = {},
  ): Promise<Answer> => {
    const answer = await fetch(`${url}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body }),
    });
    return {
      status: answer.status,
      headers: answer.headers,
      bytes: Buffer.from(await answer.arrayBuffer()),
    };
  };
  const jsonOf = ({ bytes }: Answer) => JSON.parse(bytes.toString());
  /** The number of calls that threads got so far. */
  const calls = async (): Promise<number> =>
    Number(
      /^docsctl_thread_calls_total (\d+)$/m.exec(await (await fetch(metricsUrl)).text())?.[1] ?? Number.NaN,
    );
  /** Returns conversations that are too large for the thread that answers requests. */
  const large = (ids: readonly string[]): string =>
    JSON.stringify({
      conversations: ids.map((id) => ({
        id,
        parts: [{ type: 'message', role: 'user', body: 'word '.repeat(40_000) }],
      })),
    });

  beforeAll(async () => {
    const made = await run('init', '--org-title', 'Acme', '--email', 'ana@acme.test', '-o', 'json');
    ({
      token,
      organization: { id: organization },
    } = JSON.parse(made.stdout));
    serving = run(
      'serve',
      '--port',
      '0',
      '--sites-port',
      '0',
      '--metrics-port',
      '0',
      '--workers',
      '0',
      '-o',
      'json',
    );
    const line = await new Promise<string>((resolve) =>
      serving.stdout?.once('data', (data) => resolve(String(data))),
    );
    ({ url, metricsUrl, sitesUrl } = JSON.parse(line));
  }, 60_000);
  afterAll(async () => {
    serving.kill('SIGTERM');
    const { exitCode } = await serving;
    rmSync(home, { recursive: true, force: true });
    expect(exitCode).toBe(0);
  }, 60_000);

  it('do not include small requests', async () => {
    expect((await ask('GET', `/orgs/${organization}`)).status).toBe(200);
    expect(await calls()).toBe(0);
  });

  it('include large bodies, which have the same effects and are recorded', async () => {
    const path = `/orgs/${organization}/conversations/batch`;
    const headers = { 'idempotency-key': 'once', 'user-agent': 'tester' };
    const made = await ask('POST', path, { body: large(['c1']), headers });
    expect(made.status).toBe(200);
    expect(jsonOf(made)).toEqual({ created: 1, updated: 0, unchanged: 0 });
    expect(made.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await calls()).toBe(1);
    expect((await ask('POST', path, { body: large(['c1']), headers })).bytes).toEqual(made.bytes);
    const reused = await ask('POST', path, { body: large(['c2']), headers });
    expect([reused.status, jsonOf(reused).error.reason]).toEqual([422, 'key-reused']);
    expect(await calls()).toBe(3);
    const kept = await ask('GET', `/orgs/${organization}/conversations/c1`);
    expect([kept.status, kept.bytes.toString()]).toEqual([200, expect.stringContaining('"c1"')]);
    const added = await ask('POST', `/orgs/${organization}/openapi`, {
      body: JSON.stringify({ slug: 'large', source: { text: 'word '.repeat(40_000) } }),
      headers: { 'user-agent': 'tester' },
    });
    expect([added.status, added.bytes.toString()]).toEqual([201, expect.stringContaining('large')]);
    expect(await calls()).toBe(4);
    const { items } = jsonOf(await ask('GET', `/orgs/${organization}/audit-events`));
    const event = jsonOf(await ask('GET', `/orgs/${organization}/audit-events/${items[0].id}`));
    expect(event).toMatchObject({
      action: 'openapi.create',
      executionId: added.headers.get('request-id'),
      payload: { origin: { kind: 'remote', userAgent: 'tester' } },
    });
  });

  it('return the same errors as other calls', async () => {
    const path = `/orgs/${organization}/conversations/batch`;
    const before = await calls();
    const headers = { authorization: `Bearer ${token}0` };
    expect((await ask('POST', path, { body: large(['c3']), headers })).status).toBe(401);
    expect((await ask('POST', '/orgs/org_other/conversations/batch', { body: large(['c3']) })).status).toBe(
      404,
    );
    expect(await calls()).toBe(before);
    const broken = await ask('POST', path, { body: large(['c3']).slice(0, -1) });
    expect([broken.status, jsonOf(broken).error.message]).toEqual([
      400,
      expect.stringContaining('not valid JSON'),
    ]);
    const unknown = await ask('POST', path, { body: large(['c3']).replace('"parts"', '"pieces"') });
    expect([unknown.status, jsonOf(unknown).error.violations.length]).toEqual([400, 2]);
    expect(jsonOf(unknown).error.requestId).toBe(unknown.headers.get('request-id'));
  });

  it('include calls that create files', async () => {
    const { id } = jsonOf(
      await ask('POST', `/orgs/${organization}/spaces`, { body: JSON.stringify({ title: 'Guide' }) }),
    );
    const before = await calls();
    const pdf = await ask('GET', `/spaces/${id}/pdf/download`);
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(pdf.bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(pdf.headers.get('content-disposition')).toContain('Guide.pdf');
    expect(await calls()).toBe(before + 1);
  });

  it('include calls that read long texts', async () => {
    const folder = join(home, 'long');
    mkdirSync(folder);
    writeFileSync(join(folder, 'README.md'), `# Long\n\n${'Some *words* here. '.repeat(2000)}\n`);
    const { stdout: id } = await run('spaces', 'create', '--title', 'Long', '-o', 'id');
    expect(await run('spaces', 'import', id, folder, '--yes')).toMatchObject({ exitCode: 0 });
    const site = jsonOf(
      await ask('POST', `/orgs/${organization}/sites`, {
        body: JSON.stringify({ title: 'Docs', spaces: [id] }),
      }),
    );
    await ask('POST', `/orgs/${organization}/sites/${site.id}/publish`);
    const [page] = jsonOf(await ask('GET', `/spaces/${id}/content/pages`)).pages;
    const before = await calls();
    const read = jsonOf(await ask('GET', `/spaces/${id}/content/page/${page.id}?format=document`));
    expect(read.document.nodes).toHaveLength(2);
    expect(await calls()).toBe(before + 1);
    const address = `${sitesUrl}/sites/acme/docs/`;
    const shown = await Promise.all([address, address].map(async (each) => (await fetch(each)).text()));
    expect(shown.map((text) => text.split('<em>words</em>').length)).toEqual([2001, 2001]);
    expect(await calls()).toBe(before + 2);
    await (await fetch(address)).text();
    expect(await calls()).toBe(before + 2);
  });
});
