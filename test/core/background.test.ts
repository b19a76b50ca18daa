import { expect, it } from 'vitest';
import { backgroundEnded, continueInBackground } from '../../src/core/background.ts';

it('backgroundEnded waits for all background work of one core, and for no other core', async () => {
  const [core, other] = [{ vault: {} }, { vault: {} }];
  expect(await backgroundEnded(core)).toBe(true);
  let end = (): void => {};
  let fail: (error: Error) => void = () => {};
  continueInBackground(core, new Promise<void>((resolve) => (end = resolve)));
  continueInBackground(core, new Promise<void>((_, reject) => (fail = reject)));
  expect([await backgroundEnded(other), await backgroundEnded(core, 1)]).toEqual([true, false]);
  const order: string[] = [];
  const ended = backgroundEnded(core).then((all) => order.push(`ended ${all}`));
  end();
  await backgroundEnded(core, 1);
  order.push('one failed');
  fail(new Error('on purpose'));
  await ended;
  expect(order).toEqual(['one failed', 'ended true']);
  expect(await backgroundEnded(core, 0)).toBe(true);
});
