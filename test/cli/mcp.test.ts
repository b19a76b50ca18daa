import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../src/cli/program.ts';
import { compositeCommands } from '../../src/cli/commands/index.ts';
import { listCommands } from '../../src/cli/commands/commands.ts';
import { argvOf, isCallable, isReading, toolOf } from '../../src/cli/mcp/tools.ts';
import { runtimeOf } from '../support/cli.ts';
import { openGuideStore, type GuideStore } from './guide-store.ts';

let desk: GuideStore;
beforeAll(async () => {
  desk = await openGuideStore();
});
afterAll(() => desk.discard());

interface Answer {
  readonly id?: number;
  readonly error?: { readonly message: string };
  readonly result?: {
    readonly tools?: { readonly name: string; readonly annotations: { readonly readOnlyHint: boolean } }[];
    readonly content?: { readonly text: string }[];
    readonly structuredContent?: { readonly items?: unknown[] };
    readonly isError?: boolean;
    readonly serverInfo?: { readonly name: string };
  };
}

/** Sends requests to `docsctl mcp` and gives the answers by their ids, when the client has gone. */
async function converse(
  words: readonly string[],
  requests: readonly { readonly method: string; readonly params?: object }[],
): Promise<Map<number, NonNullable<Answer['result']>>> {
  const stdin = new PassThrough();
  const answers = new Map<number, NonNullable<Answer['result']>>();
  let open = requests.length + 1;
  const { runtime } = runtimeOf(['mcp', ...words], desk.options);
  const send = (message: object) => stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const take = (text: string) => {
    for (const line of text.split('\n').filter(Boolean)) {
      const { id, result, error } = JSON.parse(line) as Answer;
      if (id === undefined) continue;
      answers.set(id, result ?? { isError: true, content: [{ text: error?.message ?? '' }] });
      if (id === 0) {
        send({ method: 'notifications/initialized' });
        for (const [index, request] of requests.entries()) send({ id: index + 1, ...request });
      }
      if (--open === 0) stdin.end();
    }
  };
  send({
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  });
  const stdout = {
    write: (text: string | Uint8Array) => take(text.toString()),
    flush: async () => {},
    closed: false,
  };
  const exit = await run({ ...runtime, terminal: { ...runtime.terminal, stdin, stdout } });
  expect(exit).toBe(0);
  return answers;
}

const call = (name: string, input: object = {}) => ({
  method: 'tools/call',
  params: { name, arguments: input },
});

describe('docsctl mcp', () => {
  it('offers the commands that change nothing, and answers with their JSON', async () => {
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

  it('changes things with --allow-write only, and takes values as they are', async () => {
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
    expect(names.filter((name) => !/^(?:spaces|collections)_/.test(name))).toEqual([]);
    expect(names.filter((name) => /import|export|pdf|download/.test(name))).toEqual([]);
    expect(answers.get(2)?.structuredContent).toMatchObject({ title: '@package.json' });
    expect(answers.get(3)?.structuredContent).toMatchObject({ title: '-' });
    expect(answers.get(4)?.content?.[0]?.text).toContain('not-found');
  });

  it('refuses a terminal, an unknown noun, and a token on standard input', async () => {
    expect(await desk.run(['mcp'], { attended: true })).toMatchObject({ exit: 64 });
    expect((await desk.run(['mcp', '--only', 'spacs'])).stderr).toContain('"spacs"');
    expect((await desk.run(['mcp', '--token-file', '-'])).exit).toBe(64);
  });
});

describe('tools', async () => {
  const { commands } = await listCommands(runtimeOf([], { home: '/nowhere' }).runtime);
  const offered = commands.filter(isCallable);

  it('have names and fields that clients accept', () => {
    expect(offered.length).toBeGreaterThan(190);
    for (const command of offered) {
      const { name, inputSchema } = toolOf(command);
      expect(name).toMatch(/^[\w-]{1,64}$/);
      for (const key of Object.keys(inputSchema.properties)) expect(key).toMatch(/^[\w-]{1,64}$/);
      for (const key of inputSchema.required) expect(inputSchema.properties).toHaveProperty(key);
    }
  });

  it('never work on files or settings of this machine', () => {
    const composites = new Set(compositeCommands.map(({ words }) => words));
    expect(offered.filter(({ id }) => composites.has(id)).map(({ id }) => id)).toEqual([
      'change-requests diff',
      'commands',
      'conversations clusters show',
      'pages show',
      'saml get',
      'sites structure',
      'spaces links',
      'whoami',
    ]);
    const properties = offered.flatMap((command) => Object.keys(toolOf(command).inputSchema.properties));
    expect(properties.filter((name) => ['body', 'out', 'force'].includes(name))).toEqual([]);
  });

  it('say which ones only read', () => {
    expect(offered.filter(isReading).length).toBeGreaterThan(90);
    for (const command of offered)
      if (/ (?:create|update|delete|merge|add|move|invite)$/.test(command.id))
        expect(isReading(command)).toBe(false);
  });

  it('put arguments behind "--", so that no value is taken for a flag', () => {
    const command = offered.find(({ id }) => id === 'sites sections add')!;
    expect(argvOf(command, { space: '--body=x', site: 'Docs', title: 'A b' })).toEqual([
      '--site=Docs',
      '--title=A b',
      '--',
      '--body=x',
    ]);
  });
});
