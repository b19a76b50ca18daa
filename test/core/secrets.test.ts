import fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createVault } from '../../src/core/secrets.ts';

const keyOf = (byte: number) => async () => new Uint8Array(32).fill(byte);
const vault = createVault(keyOf(1), randomBytes);

describe('a vault', () => {
  it('opens every sealed text, and never seals a text the same way twice', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        fc.string({ maxLength: 20 }),
        async (text, about) => {
          const [one, two] = [await vault.seal(text, about), await vault.seal(text, about)];
          expect(one).not.toBe(two);
          expect(await vault.open(one, about)).toBe(text);
          expect(one).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]{16}\.[\w-]{22}\.[\w-]*$/);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('refuses sealed texts that were changed, cut, or sealed for another purpose', async () => {
    const sealed = await vault.seal('canary', 'the secrets of bot');
    const place = sealed.indexOf('.', 3) + 1;
    for (let at = place; at < sealed.length; at++) {
      if (sealed[at] === '.') continue;
      const other = sealed[at] === 'A' ? 'Q' : 'A';
      await expect(
        vault.open(sealed.slice(0, at) + other + sealed.slice(at + 1), 'the secrets of bot'),
        String(at),
      ).rejects.toMatchObject({ reason: 'store-failed' });
    }
    for (const wrong of [
      sealed.slice(0, -1),
      '',
      'v1',
      sealed.replace('v1', 'v2'),
      sealed.split('.').slice(0, 4).join('.'),
    ])
      await expect(vault.open(wrong, 'the secrets of bot')).rejects.toMatchObject({ reason: 'store-failed' });
    await expect(vault.open(sealed, 'the secrets of other')).rejects.toMatchObject({
      reason: 'store-failed',
    });
  });

  it('reports a wrong key without revealing the text', async () => {
    const sealed = await vault.seal('canary', 'x');
    const error = await createVault(keyOf(2), randomBytes)
      .open(sealed, 'x')
      .catch((problem: Error) => problem);
    expect(error).toMatchObject({
      reason: 'store-failed',
      message: expect.stringContaining('but docsctl has the key'),
      hint: expect.stringContaining('DOCSCTL_SECRET_KEY'),
    });
    expect(sealed + JSON.stringify(error)).not.toContain('canary');
    expect((error as Error).cause).toBeUndefined();
  });

  it('reads its key only when there is something to seal', async () => {
    let asked = 0;
    const lazy = createVault(async () => (asked++, new Uint8Array(32)), randomBytes);
    expect(asked).toBe(0);
    await lazy.seal('x', 'y');
    expect(asked).toBe(1);
  });
});
