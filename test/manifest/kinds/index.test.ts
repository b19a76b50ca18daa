import { describe, expect, it } from 'vitest';
import { kinds } from '../../../src/manifest/kinds/index.ts';

describe('the table of kinds', () => {
  it('has each name once, and lists each kind after its parents and the kinds that it refers to', () => {
    const names = kinds.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const [index, { name, slots, fields }] of kinds.entries()) {
      const before = [...names.slice(0, index), name];
      for (const { within } of slots) if (within !== undefined) expect(before).toContain(within);
      for (const { refersTo } of Object.values(fields))
        if (refersTo !== undefined) expect(before).toContain(refersTo);
    }
  });

  it('has a call for each field that can change', () => {
    const lost = kinds.flatMap(({ name, fields, calls }) =>
      Object.entries(fields).flatMap(([field, { call = 'update', create }]) =>
        create === 'only' || calls[call] !== undefined ? [] : [`${name}.${field}`],
      ),
    );
    expect(lost).toEqual([]);
  });
});
