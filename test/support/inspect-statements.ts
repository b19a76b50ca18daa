import pg from 'pg';
import { afterAll, beforeAll, vi } from 'vitest';
import { factsStatement } from '../../src/stores/postgres/profile.ts';

/**
 * Collects the statements that the tests of a file send, each preceded by the name of its prepared statement. `facts`: the
 * values that the server returns for the statement that detects its features.
 */
export function inspectStatements(facts: readonly (string | null)[] = []): readonly string[] {
  const sent: string[] = [];
  const original = pg.Client.prototype.query as (...values: unknown[]) => unknown;
  beforeAll(() => {
    vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
      this: pg.Client,
      ...given: unknown[]
    ) {
      const [query] = given as [string | { text: string; name?: string }];
      const [text, name] = typeof query === 'string' ? [query] : [query.text, query.name];
      sent.push(`${name ?? ''} ${text}`);
      const answer = original.apply(this, given);
      if (text !== factsStatement) return answer as never;
      return (answer as Promise<{ rows: unknown[][] }>).then(({ rows }) => ({
        rows: rows.map((row) => row.map((value, at) => facts[at] ?? value)),
      })) as never;
    });
  });
  afterAll(() => vi.restoreAllMocks());
  return sent;
}
