import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createVault } from '../../../src/core/secrets.ts';
import { createRequest, readRequest } from '../../../src/resources/saml/requests.ts';

let seed = 0;
const randomBytes = (count: number): Uint8Array =>
  Uint8Array.from({ length: count }, () => (seed = (seed * 48_271 + 11) % 2_147_483_647) % 256);
const vaultOf = (key: number) => createVault(async () => new Uint8Array(32).fill(key), randomBytes);
const publicUrl = 'https://api.test';
const core = { vault: vaultOf(7), randomBytes, publicUrl };
const time = Date.parse('2026-01-05T10:00:00Z');
const back = {
  redirect: 'http://127.0.0.1:43210/callback',
  state: 's'.repeat(64),
  challenge: 'c'.repeat(43),
};
const refused = { reason: 'forbidden', status: 403 };

describe('a sign-in request', () => {
  it('stores in its ID and RelayState where to return to, and when it expires', async () => {
    const word = fc.stringMatching(/^[\w-]{16,64}$/);
    const place = fc.record({
      redirect: fc.oneof(
        fc.constant('https://api.test/o/~session'),
        fc
          .tuple(fc.constantFrom('127.0.0.1', '[::1]'), fc.integer({ min: 1000, max: 65_535 }))
          .map(([host, port]) => `http://${host}:${port}/callback`),
      ),
      state: word,
      challenge: fc.stringMatching(/^[\w-]{43}$/),
    });
    await fc.assert(
      fc.asyncProperty(fc.option(place), async (given) => {
        const request = await createRequest(core, 'saml_1', given, time);
        // An xs:ID, and a RelayState of the length that SAML allows.
        expect(request.id).toMatch(/^[A-Za-z_][\w.-]{0,199}$/);
        expect(request.relayState).toMatch(/^[\w.-]{16,80}$/);
        expect(await readRequest(core, 'saml_1', request, time + 1)).toEqual({
          return: given,
          expiresAt: time + 10 * 60_000,
        });
      }),
    );
  });

  it('is different each time', async () => {
    const all = await Promise.all(
      [back, back, null, null].map((given) => createRequest(core, 'saml_1', given, time)),
    );
    expect(new Set(all.map(({ id }) => id)).size).toBe(4);
    expect(all[2]!.relayState).not.toBe(all[3]!.relayState);
  });

  it('expires after ten minutes', async () => {
    const request = await createRequest(core, 'saml_1', back, time);
    expect(await readRequest(core, 'saml_1', request, time + 10 * 60_000 - 1)).toMatchObject({
      return: back,
    });
    await expect(readRequest(core, 'saml_1', request, time + 10 * 60_000)).rejects.toMatchObject({
      ...refused,
      message: 'The sign-in took longer than 10 minutes.',
    });
  });

  it('is valid only for its provider, with its RelayState and on the server that created it', async () => {
    const [request, other] = [
      await createRequest(core, 'saml_1', back, time),
      await createRequest(core, 'saml_1', { ...back, state: 't'.repeat(43) }, time),
    ];
    await expect(readRequest(core, 'saml_2', request, time)).rejects.toMatchObject(refused);
    await expect(
      readRequest(core, 'saml_1', { ...request, relayState: other.relayState }, time),
    ).rejects.toMatchObject(refused);
    await expect(
      readRequest(
        core,
        'saml_1',
        { ...request, relayState: request.relayState.replace('43210', '43211') },
        time,
      ),
    ).rejects.toMatchObject(refused);
    await expect(readRequest({ ...core, vault: vaultOf(8) }, 'saml_1', request, time)).rejects.toMatchObject(
      refused,
    );
  });

  it('cannot be forged or changed at any position', async () => {
    const { id, relayState } = await createRequest(core, 'saml_1', back, time);
    for (const made of ['', '_', '_x', id.slice(1), `_${id}`, `x${id.slice(1)}`, `${id}A`, id.slice(0, -1)])
      await expect(readRequest(core, 'saml_1', { id: made, relayState }, time)).rejects.toMatchObject(
        refused,
      );
    for (let at = 0; at < id.length; at++) {
      const bits = Buffer.from(id, 'latin1');
      bits[at]! ^= 4;
      await expect(
        readRequest(core, 'saml_1', { id: bits.toString('latin1'), relayState }, time),
        id.slice(0, at),
      ).rejects.toMatchObject(refused);
    }
  });

  it('reports that the key of the server cannot be read', async () => {
    const vault = createVault(() => Promise.reject(new Error('no key')), randomBytes);
    await expect(
      readRequest({ ...core, vault }, 'saml_1', { id: '_x', relayState: 'x' }, time),
    ).rejects.toThrow('no key');
  });
});
