import { describe, expect, it } from 'vitest';
import {
  addThing,
  clientsWith,
  farServer,
  getThing,
  json,
  problemOf,
  refusal,
  senders,
  START,
  thing,
} from './far-server.ts';

const fine = json(200, { id: 't_1' });
const write = { params: { organizationId: 'org_1' }, body: { title: 'One' } };
const reset = (response: { destroy(): unknown }) => void response.destroy();
/** The Date header that Node would add is from the real clock; this one is from the clock of the client. */
const at = (headers: Record<string, string>) => ({ date: new Date(START).toUTCString(), ...headers });

describe.each(senders)('with %s', (_, first) => {
  const client = clientsWith(first);

  describe('a retry', () => {
    it.each([429, 502, 503, 504])('follows %i, after a random pause of up to one second', async (status) => {
      const far = await farServer(refusal(status, 'x'), refusal(status, 'x'), refusal(status, 'x'), fine);
      const { api, pauses } = client(far.url);
      expect(await api.call(getThing, thing)).toEqual({ id: 't_1' });
      expect(pauses).toEqual([500, 1000, 2000]);
    });

    it('follows a reset connection, after a random pause of up to 50 ms, with the same idempotency key', async () => {
      const far = await farServer(reset, reset, reset, json(201, { id: 't_2' }));
      const { api, pauses } = client(far.url);
      expect(await api.call(addThing, write)).toEqual({ id: 't_2' });
      expect(pauses).toEqual([25, 50, 100]);
      expect(far.seen.map(({ headers }) => headers['idempotency-key'])).toEqual([
        'key-1',
        'key-1',
        'key-1',
        'key-1',
      ]);
      expect(new Set(far.seen.map(({ body }) => body))).toEqual(new Set(['{"title":"One"}']));
    });

    it('follows a response that was cut, by length and in chunks', async () => {
      const far = await farServer(
        (response) => {
          response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
          response.write('{"id":', () => response.destroy());
        },
        (response) => {
          response.writeHead(200, { 'content-type': 'application/json' });
          response.write('{"id":', () => response.socket?.end());
        },
        fine,
      );
      const { api, pauses } = client(far.url);
      expect(await api.call(getThing, thing)).toEqual({ id: 't_1' });
      expect(pauses).toEqual([25, 50]);
    });

    it('is given up after four attempts, which the message says', async () => {
      const far = await farServer(reset);
      const problem = await problemOf(client(far.url).api.call(getThing, thing));
      expect(problem).toMatchObject({ reason: 'unreachable', exitCode: 69 });
      expect(problem.message).toMatch(/closed the connection .* Tried 4 times\.$/);
      expect(far.seen).toHaveLength(4);
    });

    it('is made as often as configured', async () => {
      const far = await farServer(refusal(503, 'unreachable'));
      await problemOf(client(far.url, { retries: 0 }).api.call(getThing, thing));
      expect(far.seen).toHaveLength(1);
    });

    it('follows a refused connection', async () => {
      const { api, pauses } = client('http://127.0.0.1:1');
      const problem = await problemOf(api.call(getThing, thing));
      expect(problem).toMatchObject({
        reason: 'unreachable',
        message: 'http://127.0.0.1:1 refused the connection (ECONNREFUSED). Tried 4 times.',
      });
      expect(pauses).toEqual([25, 50, 100]);
    });

    it('follows a conflict with the same write in progress, but no other conflict', async () => {
      const flying = await farServer(
        refusal(409, 'conflict', { 'retry-after': '1' }),
        json(201, { id: 't_2' }),
      );
      const first = client(flying.url);
      await first.api.call(addThing, write);
      expect(first.pauses).toEqual([1000]);
      const far = await farServer(refusal(409, 'ambiguous', { 'retry-after': '1' }));
      await problemOf(client(far.url).api.call(addThing, write));
      expect(far.seen).toHaveLength(1);
    });

    it('uses a quota that failing calls share, and that successful calls refill', async () => {
      let ill = true;
      const far = await farServer((response) => (ill ? refusal(503, 'unreachable') : fine)(response));
      const { api } = client(far.url);
      for (let call = 0; call < 20; call++) await problemOf(api.call(getThing, thing));
      expect(far.seen).toHaveLength(20 + 10);
      ill = false;
      for (let call = 0; call < 2; call++) await api.call(getThing, thing);
      ill = true;
      await problemOf(api.call(getThing, thing));
      expect(far.seen).toHaveLength(30 + 2 + 3);
    });
  });

  describe('a wait that the server requests', () => {
    it('is followed exactly, and announced if it is long', async () => {
      const far = await farServer(
        refusal(429, 'rate-limited', { 'retry-after': '2' }),
        refusal(503, 'unreachable', { 'retry-after': '20' }),
        fine,
      );
      const { api, pauses, notes } = client(far.url);
      await api.call(getThing, thing);
      expect(pauses).toEqual([2000, 20_000]);
      expect(notes).toEqual(['Waiting 20 s before trying again: No: unreachable']);
    });

    it('is announced once for simultaneous requests, and again for the next wait', async () => {
      let refused = 0;
      const wait = refusal(429, 'rate-limited', { 'retry-after': '3' });
      const far = await farServer((response) => (refused-- > 0 ? wait : fine)(response));
      let clock = START;
      const waiting: (() => void)[] = [];
      const { api, notes } = client(far.url, {
        now: () => clock,
        wait: async (milliseconds) => {
          await new Promise<void>((resolve) => {
            if (waiting.push(resolve) === 2) {
              clock += milliseconds;
              for (const end of waiting.splice(0)) end();
            }
          });
        },
      });
      for (const round of [1, 2]) {
        refused = 2;
        await Promise.all([api.call(getThing, thing), api.call(getThing, thing)]);
        expect([far.seen.length, notes.length]).toEqual([4 * round, round]);
      }
    });

    it('can be a date, which is read by the clock of the server', async () => {
      const skewed = START + 3_600_000;
      const far = await farServer(
        refusal(429, 'rate-limited', {
          date: new Date(skewed).toUTCString(),
          'retry-after': new Date(skewed + 7000).toUTCString(),
        }),
        fine,
      );
      const { api, pauses } = client(far.url);
      await api.call(getThing, thing);
      expect(pauses).toEqual([7000]);
    });

    it('can be the reset of an exhausted rate limit', async () => {
      const until = String(START / 1000 + 9);
      const far = await farServer(
        refusal(429, 'x', at({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': until })),
        refusal(429, 'x', at({ 'x-ratelimit-remaining': '3', 'x-ratelimit-reset': until })),
        fine,
      );
      const { api, pauses } = client(far.url);
      await api.call(getThing, thing);
      expect(pauses).toEqual([9000, 1000]);
    });

    it.each(['soon', '-5', '', '1.5', 'Mon'])(
      'is ignored if it is %j, and replaced by the usual pause',
      async (nonsense) => {
        const far = await farServer(refusal(429, 'rate-limited', { 'retry-after': nonsense }), fine);
        const { api, pauses } = client(far.url);
        await api.call(getThing, thing);
        expect(pauses).toEqual([500]);
      },
    );

    it.each([
      [429, 'rate-limited', '21', 7, 21],
      [503, 'unreachable', '86400', 69, 86_400],
      [429, 'rate-limited', '9'.repeat(400), 7, Math.ceil(Number.MAX_SAFE_INTEGER / 1000)],
    ])(
      'of %i that is too long fails the call at once',
      async (status, reason, asked, exitCode, retryAfter) => {
        const far = await farServer(refusal(status, reason, { 'retry-after': asked }));
        const { api, pauses } = client(far.url);
        const problem = await problemOf(api.call(getThing, thing));
        expect(problem).toMatchObject({ reason, exitCode, retryAfter });
        expect(problem.message).toContain(`asks to wait ${retryAfter} s`);
        expect(problem.hint).toBe(
          `Try again in ${retryAfter} s, or wait for it with --retry-max-wait ${retryAfter}.`,
        );
        expect(pauses).toEqual([]);
      },
    );

    it('fails the call if it would exceed the deadline', async () => {
      const far = await farServer(refusal(429, 'rate-limited', { 'retry-after': '15' }));
      const { api, pauses } = client(far.url, { timeout: 40_000 });
      const problem = await problemOf(api.call(getThing, thing));
      expect(pauses).toEqual([15_000, 15_000]);
      expect(problem.message).toBe(
        'No: rate-limited. The server asks to wait 15 s, which is longer than --retry-max-wait or --timeout allows. Tried 3 times.',
      );
      expect(problem.hint).toBe('Try again in 15 s.');
    });
  });
});
