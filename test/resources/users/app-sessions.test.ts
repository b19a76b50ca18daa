import { expect, it } from 'vitest';
import type { CallSource } from '../../../src/core/audit/record-call.ts';
import { createLink, startSessionOfToken } from '../../../src/resources/users/app-sessions.ts';
import { createWorld } from '../../support/world.ts';

it('a sign-in link expires after two minutes, and its session after eight hours', async () => {
  const world = await createWorld();
  const { store, randomBytes } = world.core;
  const now = '2026-01-05T10:00:00.000Z';
  const path = '/o/org_acme';
  const link = await store.write((tx) => createLink({ tx, now, randomBytes }, { token: 'tok_read', path }));
  expect(link.expiresAt).toBe('2026-01-05T10:02:00.000Z');
  const core = { store, randomBytes, clock: () => Date.parse(now) };
  const from: CallSource = { origin: { kind: 'local' } };
  const session = await startSessionOfToken(core, world.token('read'), { path, from });
  expect(session?.expiresAt).toBe('2026-01-05T18:00:00.000Z');
});
