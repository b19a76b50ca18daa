import { expect, it } from 'vitest';
import { createToken, identify, isToken } from '../../src/core/callers.ts';
import { tokens } from '../../src/core/rows/organizations.ts';
import { createWorld } from '../support/world.ts';

it('a token is valid until just before the millisecond in which it expires', async () => {
  const { core, token } = await createWorld();
  const expiresAt = '2026-02-01T00:00:00.000Z';
  await core.store.write((tx) => tx.update(tokens, 'tok_read', { expiresAt }));
  const callerAt = (now: string) =>
    core.store.read((view) => identify(view, { kind: 'token', token: token('read') }, now));
  expect(await callerAt('2026-01-31T23:59:59.999Z')).toMatchObject({ token: 'tok_read', owner: false });
  for (const late of [expiresAt, '2026-02-01T00:00:00.001Z'])
    await expect(callerAt(late)).rejects.toMatchObject({ reason: 'unauthenticated' });
});

it('isToken checks the prefix, length and checksum', () => {
  const token = createToken((count) => new Uint8Array(count).fill(7));
  expect(token).toMatch(/^dctl_[\w-]{38}$/);
  expect(isToken(token)).toBe(true);
  for (const other of [token.slice(0, -1), `${token}x`, `x${token.slice(1)}`, token.replace(/.$/, '~'), ''])
    expect(isToken(other), other).toBe(false);
});
