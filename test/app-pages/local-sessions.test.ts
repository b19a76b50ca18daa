import { expect, it } from 'vitest';
import { localSessions } from '../../src/app-pages/app-sessions.ts';

let time = Date.parse('2026-01-05T10:00:00Z');
let seed = 0;
const core = {
  clock: () => time,
  randomBytes: (count: number) =>
    Uint8Array.from({ length: count }, () => (seed = (seed * 48_271 + 11) % 2_147_483_647) % 256),
};
const from = { origin: { kind: 'local' } } as const;

it('a local session opens each link once, within two minutes, with the credential of the store owner', async () => {
  const { sessions, createCode } = localSessions(core, { kind: 'owner' });
  const [first, late] = [createCode('/o/a'), createCode('/o/b')];
  const started = await sessions.redeem(first, from);
  expect(started).toMatchObject({ path: '/o/a', expiresAt: '2026-01-05T18:00:00.000Z' });
  expect(await sessions.redeem(first, from)).toBeUndefined();
  expect(sessions.credentialOf(started!.session)).toEqual({ kind: 'owner' });
  time += 2 * 60_000;
  expect(await sessions.redeem(late, from)).toBeUndefined();
  for (const other of [first, late, '', 'x'.repeat(32)]) expect(sessions.credentialOf(other)).toBeUndefined();
});

it('a local session cannot be ended or started by a token, so it ends with the program', () => {
  const { sessions } = localSessions(core, { kind: 'owner' });
  expect([sessions.end, sessions.startOfToken]).toEqual([undefined, undefined]);
});
