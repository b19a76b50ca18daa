import { expect, it } from 'vitest';
import { createVerifier } from '../../../examples/verify-event.js';
import { installations, integrations, type InstallationRow } from '../../../src/core/rows/integrations.ts';
import type { Outgoing } from '../../../src/core/outgoing.ts';
import { claimJob } from '../../../src/core/claim-job.ts';
import { runJob } from '../../../src/core/run-job.ts';
import { Problem } from '../../../src/errors/problem.ts';
import { recordEvent } from '../../../src/resources/integration-events/record.ts';
import { enableDev, renewSigningSecret } from '../../../src/resources/integrations/contract.ts';
import { createWorld } from '../../support/world.ts';
import { publish } from '../integrations/support.ts';
import { integrationEvents } from '../../../src/resources/integration-events/rows.ts';

const [organizations, each] = [50, 100] as const;

/** Returns a generator of numbers from 0 to 1 that is the same in every run. */
function chance(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

it('delivers 5,000 events at least once and in order per installation, with 30% network faults', async () => {
  const random = chance(7919);
  const came = new Map<string, number[]>();
  const controller = { current: new AbortController() };
  let secret = '';
  let forged = 0;
  let time = 0;
  const verify = async (headers: Readonly<Record<string, string>>, body: string): Promise<void> => {
    const { event } = await verifier(headers, body, () => {});
    const orders = came.get(event.installationId) ?? [];
    came.set(event.installationId, orders);
    const order = Number(event.eventId.split('_').at(-1));
    // The same number is a repeated delivery. Another number is the next event.
    if (orders.at(-1) !== order) orders.push(order);
  };
  const outgoing: Outgoing = async (request) => {
    const { headers, body, url } = request as {
      headers: Record<string, string>;
      body: string;
      url: string;
    };
    time = Number(headers['docsctl-timestamp']);
    const fault = random();
    if (fault < 0.05) return { status: 503, headers: {}, bytes: new Uint8Array(), url };
    if (fault < 0.1) throw new Problem('unreachable', 'Refused.');
    if (fault < 0.15) {
      // An attacker in the network changes the message.
      const { length } = body;
      const at = Math.floor(random() * length);
      await verify(headers, `${body.slice(0, at)}${body[at] === 'x' ? 'y' : 'x'}${body.slice(at + 1)}`).then(() => forged++, () => undefined); // prettier-ignore
      return { status: 400, headers: {}, bytes: new Uint8Array(), url };
    }
    await verify(headers, body);
    if (fault < 0.2) throw new Problem('timed-out', 'The answer was lost.');
    if (fault < 0.25) return { status: 502, headers: {}, bytes: new Uint8Array(), url };
    if (fault < 0.3) {
      // The process stops before it can record the delivery.
      controller.current.abort();
      throw new Problem('interrupted', 'Stopped.');
    }
    return { status: 204, headers: {}, bytes: new Uint8Array(), url };
  };
  const world = await createWorld('memory:', { outgoing });
  await publish(world, 'bot', { visibility: 'public' });
  const params = { integrationName: 'bot' };
  await world
    .as('admin')
    .call(enableDev, { params, body: { tunnelUrl: 'https://tunnel.example', all: true } });
  secret = (await world.as('admin').call(renewSigningSecret, { params })).signingSecret;
  const verifier = createVerifier({ secret, now: () => time });
  const now = () => new Date(world.core.clock()).toISOString();
  const row = (index: number): InstallationRow => ({
    id: `ins_${index}`,
    integration: 'bot',
    organization: `org_${index}`,
    status: 'active',
    spaceSelection: 'all',
    siteSelection: 'all',
    configuration: {},
    externalIds: [],
    events: 0,
    createdAt: now(),
    updatedAt: now(),
  });
  await world.core.store.write(async (tx) => {
    const integration = (await tx.get(integrations, 'bot'))!;
    for (let index = 0; index < organizations; index++) {
      let installation = row(index);
      await tx.insert(installations, installation);
      for (let count = 0; count < each; count++)
        installation = await recordEvent({ tx, now: now() }, integration, installation, {
          type: 'task',
          count,
        });
    }
  });
  const waiting = () => world.core.store.read(async (view) => (await Promise.all(Array.from({ length: organizations }, (_, index) => view.count(integrationEvents, 'byQueue', [`ins_${index}`])))).reduce((sum, count) => sum + count, 0)); // prettier-ignore
  while ((await waiting()) > 0) {
    for (let job = await claimJob(world.core); job !== undefined; job = await claimJob(world.core)) {
      controller.current = new AbortController();
      await runJob(world.core, job, { signal: controller.current.signal });
    }
    world.pass(60_000);
  }
  expect(forged).toBe(0);
  const all = Array.from({ length: each }, (_, index) => index + 1);
  expect([...came.keys()].length).toBe(organizations);
  for (const orders of came.values()) expect(orders).toEqual(all);
  const states = new Map<string, number>();
  await world.core.store.read(async (view) => {
    for (const { state } of await view.find(integrationEvents, {
      index: 'byIntegration',
      equals: ['bot'],
      limit: 10_000,
    }))
      states.set(state, (states.get(state) ?? 0) + 1);
  });
  expect(Object.fromEntries(states)).toEqual({ delivered: organizations * each });
  await world.core.store.close();
}, 60_000);

it('the sample verifier refuses an empty signing secret', () => {
  for (const secret of ['', undefined])
    expect(() => createVerifier({ secret: secret as string })).toThrow('The signing secret is not set');
});
