import lz from 'lz-string';
import { expect } from 'vitest';
import { defined } from '../../src/contract/values.ts';
import type { Outgoing } from '../../src/core/outgoing.ts';
import { runDueJobs } from '../../src/core/workers.ts';
import { getEvent, listEvents } from '../../src/resources/integration-events/contract.ts';
import { render, renderCompressed } from '../../src/resources/integrations/live/contract.ts';
import {
  enableDev,
  getIntegration,
  listIntegrations,
  verifyIntegration,
} from '../../src/resources/integrations/contract.ts';
import { updateMember } from '../../src/resources/members/contract.ts';
import { createSpace, deleteSpace } from '../../src/resources/spaces/contract.ts';
import type { Who } from '../support/world.ts';
import { install, publish } from '../resources/integrations/support.ts';
import { permissionIsKept, roles, type Bench, type Try } from './bench.ts';

const at = { integrationName: 'bot' };
const body = { tunnelUrl: 'https://tunnel.example', all: true };

/** A tunnel that gives these answers in order and then repeats the last one. After an error it requests a pause. */
const tunnel = (...answers: readonly (readonly [status: number, body?: object])[]): Outgoing => {
  let count = 0;
  return async ({ url }) => {
    const [status, answer] = answers[Math.min(count++, answers.length - 1)] ?? [500];
    const headers: Record<string, string> = status >= 500 ? { 'retry-after': '200' } : {};
    return { status, headers, bytes: Buffer.from(JSON.stringify(answer ?? {})), url };
  };
};
const deliver = ({ world }: Bench) =>
  runDueJobs(world.core, { kind: 'events', signal: new AbortController().signal });
const eventOf = async ({ call }: Bench) => (await call(listEvents, at)).items[0];

export const tries: readonly Try[] = [
  {
    of: 'integration-event',
    fields: [
      'status',
      'delivery.state',
      'delivery.attempts',
      'delivery.status',
      'delivery.duration',
      'delivery.error',
      'delivery.receiver',
      'delivery.nextAttemptAt',
    ],
    outside: () => ({ outgoing: tunnel([500], [204], [406]) }),
    run: async (bench) => {
      const { world, call } = bench;
      await publish(world);
      await call(enableDev, at, { body });
      await install(world);
      expect(await eventOf(bench)).toMatchObject({
        payload: { type: 'installation_setup' },
        status: 'failed',
        delivery: { state: 'waiting', attempts: 0 },
      });
      await deliver(bench);
      const failed = await eventOf(bench);
      expect(failed).toMatchObject({
        status: 'failed',
        delivery: {
          state: 'waiting',
          receiver: 'tunnel',
          attempts: 1,
          status: 500,
          duration: expect.any(Number),
          error: 'The tunnel answered 500.',
          nextAttemptAt: expect.any(String),
        },
      });
      expect(failed?.delivery.duration).toBeGreaterThan(0);
      // The next attempt is made when it is due, not earlier.
      world.pass(Date.parse(failed?.delivery.nextAttemptAt ?? '') - world.core.clock() + 1);
      await deliver(bench);
      const delivered = await eventOf(bench);
      expect(delivered).toMatchObject({
        status: 'success',
        delivery: { state: 'delivered', attempts: 2, status: 204 },
      });
      expect(delivered?.delivery).not.toHaveProperty('error');
      expect(delivered?.delivery).not.toHaveProperty('nextAttemptAt');
      await publish(world, 'deaf');
      const deaf = { integrationName: 'deaf' };
      await call(enableDev, deaf, { body });
      await install(world, 'deaf');
      await deliver(bench);
      expect((await call(listEvents, deaf)).items).toMatchObject([
        { status: 'success', delivery: { state: 'ignored', status: 406 } },
      ]);
    },
  },
  {
    of: 'integration-event',
    fields: ['delivery.state', 'status'],
    run: async (bench) => {
      await publish(bench.world);
      await install(bench.world);
      await deliver(bench);
      expect(await eventOf(bench)).toMatchObject({
        status: 'failed',
        delivery: { state: 'no-endpoint', attempts: 0 },
      });
    },
  },
  {
    of: 'integrations.events.get',
    fields: ['event', 'trace.logs.level', 'trace.logs.message', 'trace.logs.timestamp'],
    outside: () => ({ outgoing: tunnel([503], [200]) }),
    run: async (bench) => {
      const { world, call } = bench;
      await publish(world);
      await call(enableDev, at, { body });
      await install(world);
      const look = async () => call(getEvent, { ...at, eventId: (await eventOf(bench))?.id ?? '' });
      const logs = async () => (await look()).trace?.logs ?? [];
      expect(await logs()).toEqual([]);
      await deliver(bench);
      expect(await logs()).toMatchObject([
        { level: 'warn', message: 'The tunnel answered 503. Attempt 1; trying again in 200 s.' },
      ]);
      world.pass(200_000);
      await deliver(bench);
      const [first, second] = await logs();
      expect(second).toMatchObject({ level: 'info', message: expect.stringMatching(/^Delivered: 200/) });
      expect((second?.timestamp ?? '') > (first?.timestamp ?? '')).toBe(true);
      expect((await look()).event).toEqual(await eventOf(bench));
    },
  },
  ...(['integrations.render', 'integrations.render-compressed'] as const).map((of): Try => ({
    of,
    fields: ['type'],
    outside: () => ({
      outgoing: tunnel(
        [200, { type: 'element', element: { type: 'block', children: [] } }],
        [200, { type: 'complete', returnValue: 1 }],
      ),
    }),
    run: async (bench) => {
      const { world, call } = bench;
      await publish(world, 'bot', { blocks: [{ id: 'card', title: 'Card' }] });
      await install(world);
      await call(enableDev, at, { body });
      const spaceId = (await call(createSpace, bench.org, { body: {} })).id;
      const request = { componentId: 'card', props: {}, context: { type: 'document', spaceId } };
      const draw = () =>
        of === 'integrations.render'
          ? call(render, at, { body: request })
          : call(renderCompressed, at, {
              query: { request: lz.compressToBase64(JSON.stringify(request)) },
            });
      expect([await draw(), await draw()]).toMatchObject([
        { type: 'element', element: { type: 'block' } },
        { type: 'complete', returnValue: 1 },
      ]);
      const drawn = (await call(listEvents, at)).items.filter(({ payload }) => payload.type === 'ui_render');
      expect(drawn).toHaveLength(2);
      await call(deleteSpace, { spaceId }, { query: { now: true } });
      await expect(draw()).rejects.toMatchObject({ reason: 'not-found' });
    },
  })),
  {
    of: 'integration',
    fields: ['permissions.admin'],
    run: async (bench) => {
      const { world, call } = bench;
      await publish(world, 'bot', { visibility: 'public' });
      const may = async (who: Who) =>
        (await call(listIntegrations, {}, {}, who)).items.find(({ name }) => name === 'bot')?.permissions
          .admin;
      await permissionIsKept([...roles, 'outsider'], may, (who) =>
        bench.reason(enableDev, at, { body }, who),
      );
      await call(updateMember, { ...bench.org, userId: 'usr_create' }, { body: { role: 'admin' } });
      expect(await may('create')).toBe(true);
      expect(await bench.reason(enableDev, at, { body }, 'create')).toBe('done');
    },
  },
  {
    of: 'integration',
    fields: ['verified'],
    run: async (bench) => {
      const { world, call, reason } = bench;
      await publish(world, 'bot', { visibility: 'public' });
      const listed = async (verified: boolean) =>
        (await call(listIntegrations, {}, { query: { verified } }, 'read')).items.map(({ name }) => name);
      const verify = (given?: boolean) => call(verifyIntegration, at, { body: defined({ verified: given }) });
      expect([await listed(true), await listed(false)]).toEqual([[], ['bot']]);
      // The publisher cannot verify an integration. Only the operator of the server can.
      await call(updateMember, { ...bench.org, userId: 'usr_create' }, { body: { role: 'admin' } });
      expect(await reason(verifyIntegration, at, { body: {} }, 'create')).toBe('forbidden');
      await verify();
      expect([await listed(true), await listed(false)]).toEqual([['bot'], []]);
      await verify(false);
      expect(await listed(true)).toEqual([]);
      await verify(true);
      expect((await call(getIntegration, at, {}, 'outsider')).verified).toBe(true);
      // A new version has to be verified again.
      await publish(world, 'bot', { visibility: 'public' });
      expect([await listed(true), (await call(getIntegration, at)).verified]).toEqual([[], false]);
    },
  },
];
