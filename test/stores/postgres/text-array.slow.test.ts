import fc from 'fast-check';
import { expect, test } from 'vitest';
import pg from 'pg';
import { textArray } from '../../../src/stores/postgres/text-array.ts';
import { serverUrl } from '../../support/postgres-server.ts';

test('the database reads the encoded texts of an array unchanged', async () => {
  const client = new pg.Client({ connectionString: await serverUrl() });
  await client.connect();
  const text = fc.oneof(
    fc.string({ unit: 'binary' }).map((given) => given.replaceAll('\0', '')),
    fc.constantFrom('', 'NULL', '{"a": "b\\"c"}', '{}', ',', ' ', '資料', '😀'),
    fc.integer(),
  );
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 20 }), async (values) => {
        const { rows } = await client.query({
          text: 'SELECT text FROM unnest($1::text[]) WITH ORDINALITY AS u (text, at) ORDER BY at',
          values: [textArray(values)],
          rowMode: 'array',
        });
        expect(rows.flat()).toEqual(values.map(String));
      }),
      { numRuns: 200, seed: 7 },
    );
  } finally {
    await client.end();
  }
});
