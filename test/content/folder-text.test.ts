import { expect, it } from 'vitest';
import { readSpaceVariables } from '../../src/content/folder-text.ts';
import { damagedStore } from '../../src/core/damage.ts';
import type { ReadTransaction } from '../../src/core/store.ts';
import { interruptedProblem } from '../../src/contract/event-loop.ts';

const entry = { role: 'variables', blob: 'b', git: { path: '.gitbook/vars.yaml' } } as never;

it.each([
  ['damaged', damagedStore('a text does not have its hash')],
  ['not completely read', interruptedProblem()],
])('throws if variables are %s, instead of returning no variables', async (_, problem) => {
  const view = { get: () => Promise.reject(problem) } as unknown as ReadTransaction;
  await expect(readSpaceVariables(view, [entry])).rejects.toBe(problem);
});
