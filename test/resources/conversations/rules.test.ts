import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConversationRow } from '../../../src/resources/conversations/rows.ts';
import { decideIngest, type IngestedConversation } from '../../../src/resources/conversations/rules.ts';

describe('decideIngest', () => {
  const text = fc.string({ maxLength: 5 });
  const given: fc.Arbitrary<IngestedConversation> = fc
    .record(
      {
        id: fc.constant('a'),
        parts: fc.array(
          fc.record({
            type: fc.constant('message' as const),
            role: fc.constantFrom('user' as const, 'assistant' as const),
            body: text,
          }),
          { maxLength: 3 },
        ),
        subject: text,
        metadata: fc.record(
          {
            url: text,
            attributes: fc.dictionary(text, text, { maxKeys: 3 }),
            createdAt: fc.constantFrom('2025-01-01T00:00:00Z', '2025-01-02T00:00:00Z'),
          },
          { requiredKeys: [] },
        ),
      },
      { requiredKeys: ['id', 'parts'] },
    )
    .map((value) => JSON.parse(JSON.stringify(value)) as IngestedConversation);
  const stored = (row: ConversationRow): ConversationRow =>
    JSON.parse(JSON.stringify(row)) as ConversationRow;
  const rowOf = (
    known: ConversationRow | undefined,
    next: IngestedConversation,
    now = '2026-01-01T00:00:00Z',
  ): ConversationRow => {
    const decision = decideIngest(known, next, 'org', now);
    return stored(decision.kind === 'unchanged' ? known! : decision.row);
  };

  it('returns unchanged for a conversation that it stored before', () => {
    fc.assert(
      fc.property(given, (one) => {
        expect(decideIngest(rowOf(undefined, one), one, 'org', '2027-01-01T00:00:00Z')).toEqual({
          kind: 'unchanged',
        });
      }),
      { seed: 1 },
    );
  });

  it('compares attributes without a prototype, which redaction creates', () => {
    const attributes = Object.assign(Object.create(null) as Record<string, string>, { plan: 'pro' });
    const one: IngestedConversation = { id: 'a', parts: [], metadata: { attributes } };
    const decision = decideIngest(rowOf(undefined, one), one, 'org', '2027-01-01T00:00:00Z');
    expect(decision).toEqual({ kind: 'unchanged' });
  });

  it('stores the latest content, after which the same content is unchanged', () => {
    fc.assert(
      fc.property(fc.array(given, { minLength: 1, maxLength: 4 }), given, (before, last) => {
        let row: ConversationRow | undefined;
        for (const one of before) row = rowOf(row, one);
        const end = rowOf(row, last, '2027-01-01T00:00:00Z');
        const began = last.metadata?.createdAt ?? row!.metadata?.createdAt;
        expect({ subject: end.subject, parts: end.parts, ingestedAt: end.ingestedAt }).toEqual({
          subject: last.subject,
          parts: last.parts,
          ingestedAt: row!.ingestedAt,
        });
        expect(end.metadata ?? {}).toEqual({
          ...last.metadata,
          ...(began === undefined ? {} : { createdAt: began }),
        });
        expect(decideIngest(end, last, 'org', '2028-01-01T00:00:00Z').kind).toBe('unchanged');
      }),
      { seed: 1 },
    );
  });
});
