import { describe, expect, it } from 'vitest';
import { roles } from '../../src/contract/shapes.ts';
import { can, contentRole, minRole } from '../../src/core/permissions.ts';
import { collections } from '../../src/core/rows/spaces.ts';
import type { ReadTransaction, Table } from '../../src/core/store.ts';

it('ranks the roles in the order in which they are listed', () => {
  const levels = [...roles].reverse();
  for (const [rank, role] of levels.entries()) {
    expect(levels.map((level) => can(role, level))).toEqual(levels.map((_, other) => other <= rank));
    for (const [other, lower] of levels.entries())
      expect(minRole(role, lower)).toBe(levels[Math.min(rank, other)]);
    expect(minRole(role, null)).toBeNull();
    expect(minRole(null, role)).toBeNull();
    expect(can(null, role)).toBe(false);
  }
  for (const level of ['any', 'caller', 'member'] as const) expect(can(null, level)).toBe(true);
});

describe('the role over content', () => {
  /** A chain of collections: c1 lies in c2, c2 in c3, and so on; the last one has the level. */
  const chain = (length: number, defaultLevel: string): ReadTransaction =>
    ({
      get: async (table: Table, id: string) => {
        expect(table).toBe(collections);
        const at = Number(id.slice(1));
        return at < length
          ? { id, parent: `c${at + 1}`, defaultLevel: 'inherit' }
          : { id, parent: null, defaultLevel };
      },
    }) as unknown as ReadTransaction;
  const content = { parent: 'c1', defaultLevel: null } as const;

  it('is the nearest level, which 63 collections may hand down and no more', async () => {
    expect(await contentRole(chain(1, 'edit'), 'read', 'admin', content)).toBe('edit');
    expect(await contentRole(chain(63, 'edit'), 'read', 'admin', content)).toBe('edit');
    expect(await contentRole(chain(64, 'edit'), 'read', 'admin', content)).toBe('read');
  });

  it('is at most that of the token, stays with administrators, and is none for guests', async () => {
    expect(await contentRole(chain(1, 'edit'), 'read', 'comment', content)).toBe('comment');
    expect(await contentRole(chain(1, 'read'), 'admin', 'create', content)).toBe('create');
    expect(await contentRole(chain(1, 'edit'), null, 'admin', content)).toBeNull();
    expect(await contentRole(chain(1, 'edit'), 'read', null, content)).toBeNull();
  });
});
