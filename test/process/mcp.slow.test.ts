import { execa } from 'execa';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const bin = fileURLToPath(new URL('../../bin/docsctl.js', import.meta.url));
const node = process.env['DOCSCTL_NODE'] ?? process.execPath;
const home = mkdtempSync(join(tmpdir(), 'docsctl-mcp-'));
const env = {
  DOCSCTL_CONFIG_DIR: join(home, 'config'),
  DOCSCTL_STORE: `sqlite:${join(home, 'store.db')}`,
  NODE_OPTIONS: '',
};
const run = (words: readonly string[], input = '') =>
  execa(node, [bin, ...words], { cwd: home, env, reject: false, input });

beforeAll(async () => {
  await run(['init', '--org-title', 'Acme', '--email', 'ana@example.com']);
  expect((await run(['spaces', 'create', '--title', 'Guide'])).exitCode).toBe(0);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

interface Answer {
  readonly id?: number;
  readonly error?: { readonly message: string };
  readonly result?: {
    readonly tools?: { readonly name: string; readonly annotations: { readonly readOnlyHint?: boolean } }[];
    readonly content?: { readonly text: string }[];
    readonly structuredContent?: { readonly items?: unknown[] };
    readonly isError?: boolean;
    readonly serverInfo?: { readonly name: string };
  };
}

/** Sends requests to `docsctl mcp` like a client, and returns the answers by ID after the server has exited. */
async function converse(
  words: readonly string[],
  requests: readonly { readonly method: string; readonly params?: object }[],
): Promise<Map<number, NonNullable<Answer['result']>>> {
  const server = execa(node, [bin, 'mcp', ...words], { cwd: home, env, buffer: false });
  const answers = new Map<number, NonNullable<Answer['result']>>();
  const send = (message: object) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  send({
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  });
  for await (const line of createInterface({ input: server.stdout })) {
    const { id, result, error } = JSON.parse(line) as Answer;
    if (id === undefined) continue;
    answers.set(id, result ?? { isError: true, content: [{ text: error?.message ?? '' }] });
    if (id === 0) {
      send({ method: 'notifications/initialized' });
      for (const [index, request] of requests.entries()) send({ id: index + 1, ...request });
    }
    if (answers.size === requests.length + 1) server.stdin.end();
  }
  expect((await server).exitCode).toBe(0);
  return answers;
}

const call = (name: string, input: object = {}) => ({
  method: 'tools/call',
  params: { name, arguments: input },
});

describe('docsctl mcp', () => {
  it('offers only commands that change nothing, and returns their JSON', async () => {
    const answers = await converse(
      [],
      [
        { method: 'tools/list' },
        call('spaces_list', { limit: 5 }),
        call('spaces_list', { query: 'items[].title' }),
        call('spaces_get', { space: ['Guide'] }),
        call('spaces_get', { space: ['Nothing'] }),
        call('spaces_create', { title: 'More' }),
        call('spaces_list', { limit: 'many', nothing: 1 }),
      ],
    );
    expect(answers.get(0)?.serverInfo?.name).toBe('docsctl');
    const tools = answers.get(1)?.tools ?? [];
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['spaces_list', 'whoami', 'pages_show']),
    );
    expect(tools.every(({ annotations }) => annotations.readOnlyHint)).toBe(true);
    expect(answers.get(2)?.structuredContent?.items).toHaveLength(1);
    expect(answers.get(3)?.content?.[0]?.text).toContain('"Guide"');
    expect(answers.get(4)?.structuredContent).toMatchObject({ object: 'space', title: 'Guide' });
    expect(answers.get(5)).toMatchObject({ isError: true });
    expect(answers.get(5)?.content?.[0]?.text).toContain('"not-found"');
    expect(answers.get(6)).toMatchObject({ isError: true });
    expect(answers.get(6)?.content?.[0]?.text).toMatch(/spaces_create/);
    expect(answers.get(7)?.content?.[0]?.text).toMatch(/limit/);
  });

  it('answers all requests of an input that has ended, and then exits', async () => {
    const lines = [
      { id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } } }, // prettier-ignore
      { method: 'notifications/initialized' },
      { id: 1, ...call('spaces_list') },
      { id: 'two', ...call('spaces_get', { space: ['Guide'] }) },
      { id: 3, ...call('spaces_list') },
      { method: 'notifications/cancelled', params: { requestId: 3 } },
      { id: 4, method: 'nothing' },
      // This is not a valid request, so it is not answered.
      { id: 5, method: 'tools/call', params: 5 },
    ].map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }));
    const input = `${lines.join('\n')}\nno JSON\n`;
    const { exitCode, stdout } = await execa(node, [bin, 'mcp'], { cwd: home, env, input, timeout: 60_000 });
    expect(exitCode).toBe(0);
    const ids = stdout.split('\n').map((line) => (JSON.parse(line) as { id: unknown }).id);
    expect(ids.map(String).sort()).toEqual(expect.arrayContaining(['0', '1', '4', 'two']));
    expect(ids).not.toContain(5);
  });

  it('offers changes only with --allow-write, and passes values on literally', async () => {
    const answers = await converse(
      ['--allow-write', '--only', 'spaces,collections'],
      [
        { method: 'tools/list' },
        call('collections_create', { title: '@package.json' }),
        call('spaces_create', { title: '-' }),
        call('spaces_delete', { space: ['--yes'] }),
      ],
    );
    const names = answers.get(1)?.tools?.map(({ name }) => name) ?? [];
    expect(names).toContain('spaces_delete');
    expect(names.filter((name) => !/^(?:spaces|collections)_/.test(name))).toEqual(['help']);
    expect(names.filter((name) => /import|export|pdf|download/.test(name))).toEqual([]);
    expect(answers.get(2)?.structuredContent).toMatchObject({ title: '@package.json' });
    expect(answers.get(3)?.structuredContent).toMatchObject({ title: '-' });
    expect(answers.get(4)?.content?.[0]?.text).toContain('not-found');
  });

  it('edits pages, and returns the notes of the commands', async () => {
    const created = await converse(
      ['--allow-write'],
      [call('pages_create', { space: 'Guide', titles: ['Start'], text: '@package.json', merge: true })],
    );
    expect(created.get(1)?.structuredContent).toMatchObject({ merged: true });
    const edited = await converse(
      ['--allow-write'],
      [call('pages_edit', { space: 'Guide', page: 'start', text: '# Start\n\nNew.' })],
    );
    expect(edited.get(1)?.structuredContent).toMatchObject({ number: 2, merged: false });
    const written = await converse(
      ['--allow-write'],
      [
        call('change-requests_list', { space: 'Guide' }),
        call('pages_show', { space: 'Guide', page: 'start', 'change-request': '2' }),
        call('pages_edit', { space: 'Guide', page: 'start' }),
      ],
    );
    expect(written.get(1)?.content?.[1]?.text).toContain('there is 1 draft');
    expect(written.get(2)?.structuredContent).toMatchObject({ markdown: '# Start\n\nNew.' });
    expect(written.get(3)?.content?.[0]?.text).toContain('"text"');
    const after = await converse(
      ['--allow-write'],
      [call('change-requests_merge', { space: 'Guide', 'change-request': ['2'] })],
    );
    expect(after.get(1)?.structuredContent).toMatchObject({ result: 'merge' });
  });

  it('explains a tool like the help of its command, with the names of its fields', async () => {
    const answers = await converse(
      ['--allow-write'],
      [
        call('help', { tool: 'search' }),
        call('help', { tool: 'serach' }),
        call('help', { tool: 'change-requests_content_update' }),
      ],
    );
    expect(answers.get(1)?.content?.[0]?.text).toContain('Searches the titles and text of pages');
    expect(answers.get(1)?.content?.[0]?.text).toContain('Fields of the tool search: query (required), page');
    expect(answers.get(2)).toMatchObject({ isError: true });
    expect(answers.get(3)?.content?.[0]?.text).toContain('operation: insert_page');
  });

  it('returns the findings of a check even if it fails', async () => {
    await run(['pages', 'create', 'Guide', 'Links', '--text', '[gone](gone.md)', '--merge']);
    const answers = await converse(
      [],
      [call('spaces_links', { space: 'Guide', page: 'links', 'fail-on': 'broken', query: 'items[].href' })],
    );
    expect(answers.get(1)).toMatchObject({ isError: true });
    expect(answers.get(1)?.content?.[0]?.text).toContain('1 of 1 link is broken');
    expect(answers.get(1)?.content?.[1]?.text).toContain('"gone.md"');
  });

  it('explains how to resolve a conflict with the fields of the tool', async () => {
    await run(['spaces', 'create', '--title', 'Conflicts']);
    await run(['pages', 'create', 'Conflicts', 'A', '--text', 'one', '--merge']);
    await run(['pages', 'edit', 'Conflicts', 'a', '--text', 'two']);
    await run(['pages', 'edit', 'Conflicts', 'a', '--text', 'three', '--merge']);
    const merge = (input: object = {}) =>
      converse(
        ['--allow-write'],
        [call('change-requests_merge', { space: 'Conflicts', 'change-request': ['2'], ...input })],
      );
    const conflict = (await merge()).get(1)?.content?.[0]?.text;
    expect(conflict).toContain('`edited` /a=TEXT');
    expect(conflict).not.toMatch(/@FILE|editor/);
    const merged = (await merge({ edited: ['/a=four'] })).get(1);
    expect(merged?.structuredContent).toMatchObject({ result: 'merge' });
    expect((await run(['pages', 'show', 'Conflicts', 'a'])).stdout).toContain('four');
  });

  it('reveals nothing about this machine if a value looks like an option', async () => {
    const answers = await converse([], [call('spaces_get', { space: ['--debug'] })]);
    expect(answers.get(1)?.content).toHaveLength(1);
    expect(answers.get(1)?.content?.[0]?.text).not.toContain(' at ');
  });

  it('explains why it exits if a message is too long', async () => {
    const input = `${'x'.repeat(11 << 20)}\n`;
    const { exitCode, stderr } = await execa(node, [bin, 'mcp'], { cwd: home, env, input, reject: false });
    expect(exitCode).toBe(8);
    expect(stderr).toContain('over 10 MiB');
  });

  it('offers three tools instead of one for each command with --compact', async () => {
    const run = (name: string, tool: string, input?: object) => call(name, { tool, input });
    const requests = [
      { method: 'tools/list' },
      call('help'),
      run('run', 'search', { query: 'two words' }),
      run('run', 'spaces_get', { space: ['Guide'], body: '/etc/passwd' }),
      run('run', 'spaces_create', { title: 'Compact' }),
      run('change', 'spaces_create', { title: 'Compact' }),
      run('run', 'access_explain', { member: 'ana@example.com', type: 'space' }),
    ];
    const reading = await converse(['--compact'], requests);
    expect(reading.get(1)?.tools?.map(({ name }) => name)).toEqual(['help', 'run']);
    expect(JSON.stringify(reading.get(1)).length).toBeLessThan(4_000);
    expect(reading.get(2)?.content?.[0]?.text).toContain('spaces_list: List the spaces of an organization');
    expect(reading.get(3)?.structuredContent).toMatchObject({ items: [] });
    expect(reading.get(4)?.content?.[0]?.text).toContain('spaces_get has no field "body"');
    expect(reading.get(5)).toMatchObject({ isError: true });
    expect(reading.get(6)).toMatchObject({ isError: true });
    expect(reading.get(7)?.content?.[0]?.text).toBe('access_explain needs these fields: content.');
    const writing = await converse(['--compact', '--allow-write'], requests);
    expect(writing.get(1)?.tools?.map(({ name }) => name)).toEqual(['help', 'run', 'change']);
    expect(writing.get(2)?.content?.[0]?.text).toContain('spaces_create (changes): Create an empty space');
    expect(writing.get(5)).toMatchObject({ isError: true });
    expect(writing.get(6)?.structuredContent).toMatchObject({ title: 'Compact' });
  });

  it('refuses an unknown noun, and a token on standard input', async () => {
    expect((await run(['mcp', '--only', 'spacs'])).stderr).toContain('"spacs"');
    expect((await run(['mcp', '--token-file', '-'], 'secret')).stderr).toContain('belongs to the MCP client');
  });
});
