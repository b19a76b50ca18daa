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
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** What a client of `docsctl mcp` is told at the start. */
async function instructions(...flags: string[]): Promise<string> {
  const { stdout } = await docsctl(['mcp', ...flags], { home, input: `${JSON.stringify(initialize)}\n` });
  return (JSON.parse(stdout) as { result: { instructions: string } }).result.instructions;
}

it('agents get the instructions of the organization with the tools', async () => {
  expect(await instructions(store)).not.toContain('Instructions of the organization');
  const text = 'Write **short** sentences.';
  const { exit } = await docsctl(['agent-instructions', 'update', store, '--instructions', text], { home });
  expect(exit).toBe(0);
  expect(await instructions(store)).toContain(`Instructions of the organization for agents:\n${text}`);
});

it('the tools work without a store to read them from', async () => {
  expect(await instructions(`--store=sqlite:${join(home, 'none.db')}`)).toContain('Administers');
});
