import { expect, it } from 'vitest';
import { collectEffects } from '../../../src/manifest/journal/collect-effects.ts';
import type { RunStep } from '../../../src/manifest/journal/read-run.ts';
import { kinds } from '../../../src/manifest/kinds/index.ts';
import { headerAt } from './journals.ts';

const step = (key: string, more: Partial<RunStep['begun']> = {}): RunStep => ({
  begun: {
    type: 'step',
    key,
    address: `space.${key}`,
    kind: 'space',
    action: 'update',
    name: key,
    id: `spc_${key}`,
    within: [],
    changes: [],
    owned: {},
    ...more,
  },
  made: undefined,
  content: undefined,
  ended: undefined,
});

it('collectEffects omits moves in an order, which are undone together, and kinds of newer versions', () => {
  const steps = [
    step('a'),
    step('b', { kind: 'later-kind' }),
    step('c', { action: 'move', beside: 'after space.a' }),
  ];
  const effects = collectEffects(
    { head: headerAt(0), steps, orders: [], orderEnds: [], end: undefined },
    kinds,
  );
  expect(effects.map(({ address }) => address)).toEqual(['space.a']);
});
