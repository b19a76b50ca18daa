import { Type } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import { nearest } from '../../../src/contract/nearest.ts';
import { fieldPaths, valueAt } from '../../../src/contract/paths.ts';
import { createPrinter } from '../../../src/cli/output/printer.ts';
import { fakeTerminal } from './fake-terminal.ts';
import { listing, printedList, printedOne } from './printer.ts';

describe('--columns', () => {
  it('refuses an unknown column, and suggests the most similar one', async () => {
    await expect(printedList('tsv', [listing], { columns: ['id,titel'] })).rejects.toMatchObject({
      reason: 'invalid-input',
      message: 'There is no column "titel".',
      hint: 'Did you mean title?',
    });
    await expect(printedOne('table', listing.items[0], { columns: ['admin'] })).rejects.toMatchObject({
      hint: 'Did you mean permissions.admin?',
    });
    await expect(
      printedList('csv', [{ items: [{ id: 'a' }] }], { columns: ['zzzzzzzz'] }),
    ).rejects.toMatchObject({ hint: 'Known: id.' });
  });

  it('accepts a column of the contract even if no item has it', async () => {
    const settings = { columns: ['id,deletedAt,meta.any'], fields: ['id', 'deletedAt', 'meta', 'meta.*'] };
    expect(await printedList('tsv', [listing], settings)).toBe(
      'id\tdeletedAt\tmeta.any\nspc_1\t\t\nspc_2\t\t\n',
    );
  });

  it('accepts any column if there are no items', async () => {
    expect(await printedList('tsv', [{ items: [] }], { columns: ['titel'] })).toBe('titel\n');
  });

  it.each(['json', 'yaml', 'ndjson'] as const)(
    'is refused with -o %s, before anything is sent',
    async (format) => {
      await expect(
        createPrinter(format, {
          terminal: fakeTerminal(),
          columns: ['id'],
          defaultColumns: [],
          headers: true,
        }),
      ).rejects.toMatchObject({ reason: 'usage' });
    },
  );

  it('refuses an empty list', async () => {
    await expect(
      createPrinter('csv', { terminal: fakeTerminal(), columns: [' , '], defaultColumns: [], headers: true }),
    ).rejects.toMatchObject({ reason: 'invalid-input' });
  });
});

describe('valueAt', () => {
  it('reads own keys only, and keys with dots first', () => {
    expect(valueAt({ a: { b: [{ c: 1 }] } }, 'a.b.0.c')).toBe(1);
    expect(valueAt({ 'a.b': 1, a: { b: 2 } }, 'a.b')).toBe(1);
    expect(valueAt({}, 'constructor.name')).toBeUndefined();
    expect(valueAt({ a: null }, 'a.b')).toBeUndefined();
  });
});

describe('fieldPaths', () => {
  it('lists the fields of a schema', () => {
    const schema = Type.Object({
      id: Type.String(),
      urls: Type.Optional(Type.Object({ app: Type.String() })),
      by: Type.Union([Type.Object({ name: Type.String() }), Type.Null()]),
      meta: Type.Object({}, { additionalProperties: true }),
    });
    expect(fieldPaths(schema)).toEqual(['id', 'urls', 'urls.app', 'by', 'by.name', 'meta', 'meta.*']);
  });
});

describe('nearest', () => {
  it('returns similar words, most similar first', () => {
    expect(nearest('tittle', ['id', 'visibility', 'titles', 'title'])).toEqual(['title', 'titles']);
    expect(nearest('xyz', ['createdAt', 'visibility'])).toEqual([]);
  });
});
