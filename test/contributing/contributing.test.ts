import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { embeddedApi } from '../../src/core/embedded.ts';
import { runDueJobs } from '../../src/core/workers.ts';
import { handlerOf } from '../../src/resources/index.ts';
import { noun } from '../../src/resources/noun.ts';
import { tables } from '../../src/resources/tables.ts';
import { openStore } from '../../src/stores/index.ts';
import { conformance } from '../stores/conformance.ts';
import { open } from '../stores/fixtures.ts';
import { runtimeOf } from '../support/cli.ts';
import { createWorld } from '../support/world.ts';
import { define } from './greet-command.ts';
import { createGreeting, listGreetings } from './greetings/contract.ts';
import { engine } from './greetings/engine.ts';
import { greetings } from './greetings/rows.ts';
import { openLogged } from './logged-store.ts';

/** A world that knows the noun of the examples. */
async function createGreetingWorld() {
  const world = await createWorld();
  const { contract, handlers } = noun(
    'greetings',
    'Greetings of an organization',
    () => import('./greetings/contract.ts'),
    () => import('./greetings/handlers.ts'),
  );
  const store = await openStore('memory:', { tables: [...tables, greetings] });
  // The people of the world, in a store that has the table too.
  await world.core.store.read((view) =>
    store.write(async (tx) => {
      const { organizations, users, members, memberId } =
        await import('../../src/core/rows/organizations.ts');
      await tx.insert(organizations, (await view.get(organizations, world.org))!);
      for (const who of ['edit', 'read'] as const) {
        await tx.insert(users, (await view.get(users, world.user(who)))!);
        await tx.insert(members, (await view.get(members, memberId(world.org, world.user(who))))!);
      }
    }),
  );
  const core = {
    ...world.core,
    store,
    engineOf: async () => engine,
    handlerOf: async (operation: Parameters<typeof handlerOf>[0]) => {
      const declared = Object.entries(await contract()).find(([, value]) => value === operation);
      return declared === undefined ? handlerOf(operation) : ((await handlers()) as never)[declared[0]];
    },
  };
  const emails = new Map(
    await store.read(async (view) => {
      const { users } = await import('../../src/core/rows/organizations.ts');
      const rows = [await view.get(users, world.user('edit')), await view.get(users, world.user('read'))];
      return [['edit', rows[0]!.email] as const, ['read', rows[1]!.email] as const];
    }),
  );
  const as = (who: 'edit' | 'read') => embeddedApi(core, { kind: 'member', email: emails.get(who)! });
  return { core, as, organizationId: world.org };
}

describe('the examples of CONTRIBUTING.md', () => {
  it('are the same as the tested files', () => {
    const folder = fileURLToPath(new URL('.', import.meta.url));
    const text = readFileSync(join(folder, '../../CONTRIBUTING.md'), 'utf8');
    const blocks = [...text.matchAll(/```ts\n\/\/ (test\/contributing\/\S+)\n([\s\S]*?)```/g)];
    const quoted = new Map(blocks.map(([, path, code]) => [path, code]));
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
    );
    expect([...quoted.keys()].sort()).toEqual(files.map((name) => `test/contributing/${name}`).sort());
    for (const [path, code] of quoted)
      expect(code, path).toBe(readFileSync(join(folder, '../..', path!), 'utf8'));
  });

  it('add a noun with operations and an engine', async () => {
    const { core, as, organizationId } = await createGreetingWorld();
    const params = { organizationId };
    const made = await as('edit').call(createGreeting, { params, body: { text: 'Good morning' } });
    expect(made).toMatchObject({ object: 'greeting', text: 'Good morning' });
    await expect(as('read').call(createGreeting, { params, body: { text: 'Hi' } })).rejects.toMatchObject({
      reason: 'forbidden',
    });
    await expect(as('edit').call(createGreeting, { params, body: { text: '' } })).rejects.toMatchObject({
      reason: 'invalid-input',
    });
    await runDueJobs(core, { signal: new AbortController().signal });
    const { items } = await as('read').call(listGreetings, { params });
    expect(items.map(({ text }) => text)).toEqual(['Good morning.']);
  });

  it('add a command', async () => {
    const { as, organizationId } = await createGreetingWorld();
    const api = as('edit');
    await api.call(createGreeting, { params: { organizationId }, body: { text: 'Hello!' } });
    const written: string[] = [];
    const session = {
      call: api.call,
      terminal: { stdout: { write: async (text: string) => void written.push(text) } },
    };
    const command = new Command('greet');
    define(
      command,
      (work) =>
        (...args) =>
          work(session as never, ...args),
      runtimeOf([], { home: '/' }).runtime,
    );
    await command.parseAsync([organizationId], { from: 'user' });
    expect(written).toEqual(['Hello!\n']);
  });
});

conformance('a store around another', async () => openLogged(await open('memory:'), () => {}));
