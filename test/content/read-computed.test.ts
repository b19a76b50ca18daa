import { expect, it } from 'vitest';
import { addressOfComputed, readComputed, titleOfComputed } from '../../src/content/read-computed.ts';

it('names generated pages after their specification, or the last part of their source', () => {
  const named = (value: unknown) => {
    const source = readComputed(value)!;
    return [addressOfComputed(source), titleOfComputed(source)];
  };
  const ref = { kind: 'openapi', spec: 'billing' };
  expect(named({ type: 'builtin:openapi', dependencies: { spec: { ref } } })).toEqual([
    'openapi:billing',
    'billing',
  ]);
  expect(named({ type: 'integration:tickets:list', props: {} })).toEqual([
    'integration:tickets:list',
    'list',
  ]);
});
