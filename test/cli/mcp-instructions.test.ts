import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { docsctl } from '../support/cli.ts';

const home = mkdtempSync(join(tmpdir(), 'docsctl-mcp-'));
const store = `--store=sqlite:${join(home, 'store.db')}`;
const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

beforeAll(async () => {
  await docsctl(['init', store, '--org-title', 'Acme', '--email', 'ana@example.com'], { home });
  await docsctl(['spaces', 'create', store, '--title', 'Guide'], { home });
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Returns the instructions that `docsctl mcp` sends when a client connects. */
async function instructions(...flags: string[]): Promise<string> {
  const { stdout } = await docsctl(['mcp', ...flags], { home, input: `${JSON.stringify(initialize)}\n` });
  return (JSON.parse(stdout) as { result: { instructions: string } }).result.instructions;
}

it('the MCP server sends the instructions of the organization to agents', async () => {
  expect(await instructions(store)).not.toContain('Instructions of the organization');
  const text = 'Write **short** sentences.';
  const { exit } = await docsctl(['agent-instructions', 'update', store, '--instructions', text], { home });
  expect(exit).toBe(0);
  expect(await instructions(store)).toContain(`Instructions of the organization for agents:\n${text}`);
});

it('the MCP server starts without a store', async () => {
  expect(await instructions(`--store=sqlite:${join(home, 'none.db')}`)).toContain('Administers');
});

it.each([
  [['--server=https://docs.example.test', '--ca-file=none.pem'], 'none.pem (from --ca-file)'],
  [['--server=http://93.184.216.34', '--allow-http'], 'on the public internet'],
  [
    ['--server=https://docs.example.test', '--retry-max-wait=x'],
    '--retry-max-wait takes a number of seconds',
  ],
])('tools of the MCP server use the connection options %s', async (flags, text) => {
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'spaces_list', arguments: {} },
  };
  const { stdout } = await docsctl(['mcp', ...flags, '--only', 'spaces'], {
    home,
    env: { DOCSCTL_TOKEN: 'dctl_0123456789abcdefghij' },
    input: [initialize, call].map((message) => `${JSON.stringify(message)}\n`).join(''),
  });
  expect(stdout).toContain(text);
});

it('tools of the MCP server report unknown and missing fields in plain words', async () => {
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'spaces_get', arguments: { x: 1, spce: 'Guide' } },
  };
  const { stdout } = await docsctl(['mcp', store, '--only', 'spaces'], {
    home,
    input: [initialize, call].map((message) => `${JSON.stringify(message)}\n`).join(''),
  });
  const [, answer = ''] = stdout.trim().split('\n');
  expect((JSON.parse(answer) as { result: { content: unknown } }).result.content).toEqual([
    {
      type: 'text',
      text: 'Input validation error: Invalid arguments for tool spaces_get: "space" is required; "x" is not a known field; "spce" is not a known field; did you mean "space"?',
    },
  ]);
});

it('the MCP server tells agents whether it offers only tools that read', async () => {
  expect(await instructions(store)).toContain('Only tools that read are offered');
  expect(await instructions(store, '--allow-write')).not.toContain('Only tools');
});

it('the MCP server refuses to start if it would offer no tools', async () => {
  const refused = await docsctl(['mcp', '--only', 'apply', '--allow-write'], { home, input: '' });
  expect(refused).toMatchObject({ exit: 8, stderr: expect.stringContaining('None of the commands') });
  const writing = await docsctl(['mcp', '--only', 'invites'], { home, input: '' });
  expect(writing).toMatchObject({ exit: 8, stderr: expect.stringContaining('add --allow-write') });
});

/** Calls tools that read and write, and returns the answers in the order of the calls. */
async function callTools(calls: readonly (readonly [name: string, input: object])[]) {
  const requests = calls.map(([name, input], index) => ({
    jsonrpc: '2.0',
    id: index + 1,
    method: 'tools/call',
    params: { name, arguments: input },
  }));
  const { stdout } = await docsctl(
    ['mcp', store, '--allow-write', '--only', 'spaces,pages,change-requests'],
    {
      home,
      input: [initialize, ...requests].map((message) => `${JSON.stringify(message)}\n`).join(''),
    },
  );
  interface Answer {
    readonly id: number;
    readonly result: { readonly isError?: boolean; readonly content: readonly { readonly text: string }[] };
  }
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Answer);
  return requests.map(({ id }) => answers.find((answer) => answer.id === id)!.result);
}

it('the MCP server answers many calls at once, and accepts a single value for a list', async () => {
  const calls = Array.from(
    { length: 12 },
    (_, index) => ['spaces_create', { title: `Space ${index}` }] as const,
  );
  const [got, ...created] = await callTools([['spaces_get', { space: 'Guide' }], ...calls]);
  expect(got).toMatchObject({ structuredContent: { title: 'Guide' } });
  expect(created.map(({ isError }) => isError)).toEqual(calls.map(() => undefined));
});

it('errors of tools contain texts of pages unchanged, and their hints mention no files', async () => {
  const run = (...words: string[]) => docsctl([...words, store], { home });
  await run('pages', 'create', 'Guide', 'Start', '--text', 'One', '--merge');
  await run('pages', 'edit', 'Guide', 'start', '--text', 'Give @FILE');
  await run('pages', 'edit', 'Guide', 'start', '--text', 'Two', '--merge');
  const [merged] = await callTools([['change-requests_merge', { space: 'Guide', 'change-request': '2' }]]);
  const { error } = JSON.parse(merged!.content[0]!.text) as {
    error: { hint: string; violations: readonly { readonly message: string }[] };
  };
  expect(error.violations[0]!.message).toContain('Give @FILE');
  expect(error.hint).toContain('`edited` /start=TEXT');
  expect(error.hint).not.toContain('--edit`');
});

it('a tool of the MCP server refuses to return more than 200000 characters, and says how to get less', async () => {
  const run = (...words: string[]) => docsctl([...words, store], { home });
  await run('pages', 'create', 'Guide', 'Long', '--text', 'word '.repeat(25_000), '--merge');
  await run('pages', 'create', 'Guide', 'Longer', '--text', 'word '.repeat(50_000), '--merge');
  const [long, longer] = await callTools([
    ['pages_show', { space: 'Guide', page: 'long' }],
    ['pages_show', { space: 'Guide', page: 'longer' }],
  ]);
  expect([long!.isError, long!.content[0]!.text.length > 100_000]).toEqual([undefined, true]);
  expect(longer).toEqual({
    isError: true,
    content: [
      { type: 'text', text: expect.stringMatching(/^The result has \d+ characters, more than 200000\. /) },
    ],
  });
});
