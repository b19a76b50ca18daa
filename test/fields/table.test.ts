import { beforeAll, describe, expect, it } from 'vitest';
import { allOperations, fieldsOf, publishedOperations, type AnswerFields } from './answer-fields.ts';
import { covers, leavesOf, operationsInTable, readTable } from './read-table.ts';

let fields: AnswerFields;
let table: ReadonlyMap<string, readonly string[]>;
let ids: ReadonlySet<string>;
beforeAll(async () => {
  fields = fieldsOf(await publishedOperations());
  table = readTable();
  ids = new Set((await allOperations()).map(({ id }) => id.replaceAll('.', ' ')));
});

describe('docs/fields.md', () => {
  it('lists every field of every answer of the API exactly once', () => {
    const missing = [...fields.keys()].flatMap((owner) =>
      leavesOf(fields, owner)
        .filter((field) => !(table.get(owner) ?? []).some((row) => covers(row, field)))
        .map((field) => `${owner}: ${field}`),
    );
    expect(missing).toEqual([]);
    const twice = [...fields.keys()].flatMap((owner) =>
      leavesOf(fields, owner)
        .filter((field) => (table.get(owner) ?? []).filter((row) => covers(row, field)).length > 1)
        .map((field) => `${owner}: ${field}`),
    );
    expect(twice).toEqual([]);
    for (const [owner, rows] of table) expect([owner, rows.length]).toEqual([owner, new Set(rows).size]);
  });

  it('lists no field that no answer has', () => {
    const stale = [...table].flatMap(([owner, rows]) =>
      rows
        .filter((row) => ![...(fields.get(owner) ?? [])].some((field) => covers(row, field)))
        .map((row) => `${owner}: ${row}`),
    );
    expect(stale).toEqual([]);
  });

  it('names only existing operations', () => {
    // A command that is not an operation, but changes content by operations.
    const names = new Set([...ids, 'spaces import']);
    expect(operationsInTable().filter((name) => !names.has(name))).toEqual([]);
  });

  it('is compared with the declared answers', () => {
    expect([...(fields.get('space') ?? [])]).toContain('permissions.triggerGitSync');
    expect([...(fields.get('comment') ?? [])]).toContain('target.node.id');
    expect(covers('layout.*', 'layout.width')).toBe(true);
    expect(covers('title', 'titles')).toBe(false);
  });
});
