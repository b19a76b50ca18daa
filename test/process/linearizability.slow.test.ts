import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { afterAll, expect, it } from 'vitest';
import { emptyPostgres } from '../support/postgres.ts';
import { hasPostgres } from '../support/postgres-server.ts';
import { createServed, send } from './serving.ts';

/** The number of changes of tokens, roles and rows. */
const changes = Number(process.env['LINEARIZABILITY_CHANGES'] ?? 100);
/** One of this many changes is made by a command on the store. */
const commandEvery = 100;

const stores: readonly { name: string; create?: () => Promise<string> }[] = [
  { name: 'SQLite' },
  ...(hasPostgres() ? [{ name: 'PostgreSQL', create: emptyPostgres }] : []),
];

const agent = new Agent({ keepAlive: true, maxSockets: 16 });
afterAll(() => agent.destroy());

interface Span {
  readonly value: string;
  /** Positions in the order of all starts and ends. */
  readonly begun: number;
  readonly ended: number;
}

/** A value that one client changes while others read it. */
interface Register {
  readonly writes: Span[];
  readonly reads: Span[];
}

let time = 0;
const spanOf = async (value: string | Promise<string>, begun = time++): Promise<Span> => ({
  value: await value,
  begun,
  ended: time++,
});

/**
 * Returns the stale reads: their value was not written before the read ended, or it was certainly replaced before the read
 * began.
 */
function staleReads({ writes, reads }: Register): Span[] {
  return reads.filter(
    (read) =>
      !writes.some(
        ({ value, begun }, at) =>
          value === read.value && begun < read.ended && (writes[at + 1]?.ended ?? Infinity) > read.begun,
      ),
  );
}

it('staleReads finds stale reads, and no others', () => {
  const writes = [
    { value: 'a', begun: 0, ended: 1 },
    { value: 'b', begun: 4, ended: 7 },
  ];
  const of = (value: string, begun: number, ended: number) =>
    staleReads({ writes, reads: [{ value, begun, ended }] }).length;
  expect([of('a', 2, 3), of('a', 5, 6), of('b', 5, 6), of('b', 8, 9), of('a', 6, 9)]).toEqual([
    0, 0, 0, 0, 0,
  ]);
  expect([of('a', 8, 9), of('b', 2, 3), of('c', 5, 6)]).toEqual([1, 1, 1]);
});

it.each(stores)(
  'two servers and commands on one store in $name return no stale tokens, roles or rows',
  { timeout: 60_000 + changes * 100 },
  async ({ create }) => {
    const { serve, run, token, organization } = await createServed(await create?.());
    const noLimits = ['--rate-limit', '0', '--rate-limit-organization', '0'];
    const servers = await Promise.all([serve('--processes', '2', ...noLimits), serve(...noLimits)]);
    let requests = 0;
    /** Sends a request to the servers in turn, or to one of them. */
    const call = async (
      method: string,
      path: string,
      { body, bearer = token }: { readonly body?: unknown; readonly bearer?: string } = {},
    ) => {
      const at = requests++ % servers.length;
      const headers = { 'idempotency-key': randomUUID() };
      const answer = await send(`${servers[at]!.url}/v1${path}`, {
        method,
        token: bearer,
        agent,
        ...(body === undefined ? {} : { body }),
        ...(method === 'GET' ? {} : { headers }),
      });
      expect(answer.status).toBeLessThan(500);
      return answer;
    };
    const command = async (...words: string[]): Promise<void> => {
      const { exitCode, stderr } = await run(...words);
      expect(exitCode, stderr).toBe(0);
    };
    const org = `/orgs/${organization}`;
    let done = 0;
    let commands = 0;
    /** Whether the next change is made by a command. */
    const byCommand = (): boolean => {
      const isDue = ++done % commandEvery === 0;
      if (isDue) commands++;
      return isDue;
    };
    const registers: Register[] = [];
    /** Writes one value after another. Reads all the time, and after each write from each server. */
    const check = async (
      read: () => Promise<string>,
      writes: () => AsyncGenerator<{ value: string; write: () => Promise<unknown> }>,
    ): Promise<void> => {
      const register: Register = { writes: [], reads: [] };
      registers.push(register);
      let isOver = false;
      const reader = async (): Promise<void> => {
        while (!isOver) register.reads.push(await spanOf(read()));
      };
      const reading = reader();
      for await (const { value, write } of writes()) {
        const begun = time++;
        // Reads that end before the write ends may see the new value already.
        const span = { value, begun, ended: Infinity };
        register.writes.push(span);
        await write();
        span.ended = time++;
        register.reads.push(...(await Promise.all(servers.map(() => spanOf(read())))));
      }
      isOver = true;
      await reading;
    };

    const rows = async (): Promise<void> => {
      const made = await call('POST', `${org}/spaces`, { body: { title: 'w0' } });
      const space = String(made.body['id']);
      let count = 0;
      await check(
        async () => String((await call('GET', `/spaces/${space}`)).body['title']),
        async function* () {
          yield { value: 'w0', write: async () => undefined };
          while (done < changes) {
            const value = `w${++count}`;
            const isCommand = byCommand();
            yield {
              value,
              write: () =>
                isCommand
                  ? command('spaces', 'update', space, '--title', value)
                  : call('PATCH', `/spaces/${space}`, { body: { title: value } }),
            };
          }
        },
      );
    };

    const roles = async (name: string): Promise<void> => {
      const email = `${name}@acme.test`;
      await command('members', 'invite', email, '--role', 'admin');
      const made = await call('POST', `${org}/tokens`, { body: { role: 'admin', user: email } });
      const bearer = String(made.body['token']);
      const members = (await call('GET', `${org}/members?limit=1000`)).body['items'] as {
        id: string;
        user: { email: string };
      }[];
      const { id } = members.find(({ user }) => user.email === email)!;
      let isAdmin = true;
      await check(
        // Only administrators see tokens.
        async () => ((await call('GET', `${org}/tokens`, { bearer })).status === 200 ? 'admin' : 'read'),
        async function* () {
          yield { value: 'admin', write: async () => undefined };
          while (done < changes) {
            isAdmin = !isAdmin;
            const value = isAdmin ? 'admin' : 'read';
            const isCommand = byCommand();
            yield {
              value,
              write: () =>
                isCommand
                  ? command('members', 'update', email, '--role', value)
                  : call('PATCH', `${org}/members/${id}`, { body: { role: value } }),
            };
          }
        },
      );
    };

    const tokens = async (): Promise<void> => {
      while (done < changes) {
        const made = await call('POST', `${org}/tokens`, { body: { role: 'read' } });
        const [id, bearer] = [String(made.body['id']), String(made.body['token'])];
        const isCommand = byCommand();
        await check(
          async () => String((await call('GET', org, { bearer })).status),
          async function* () {
            yield { value: '200', write: async () => undefined };
            yield {
              value: '401',
              write: () =>
                isCommand ? command('tokens', 'delete', id, '--yes') : call('DELETE', `${org}/tokens/${id}`),
            };
          },
        );
      }
    };

    await Promise.all([rows(), rows(), roles('bea'), roles('cid'), tokens(), tokens()]);
    expect(registers.flatMap(staleReads)).toEqual([]);
    const [written, read] = [
      registers.reduce((sum, { writes }) => sum + writes.length - 1, 0),
      registers.reduce((sum, { reads }) => sum + reads.length, 0),
    ];
    expect(written).toBeGreaterThanOrEqual(changes);
    expect(read).toBeGreaterThan(2 * written);
    expect(commands).toBeGreaterThan(0);
    // Both processes of the first server have answered.
    const answering = new Set<unknown>();
    for (const entry of servers[0].entries())
      if (entry['event'] === 'request') answering.add(entry['process']);
    expect(answering).toEqual(new Set([1, 2]));
    if (process.env['LINEARIZABILITY_CHANGES'] !== undefined)
      console.log(`${written} changes, ${commands} of them by commands; ${read} reads, 0 stale`);
  },
);
