import { expect, it } from 'vitest';
import { hashEvent } from '../../../src/core/audit/hash-event.ts';
import { ChainVerifier, type ChainedEvent } from '../../../src/resources/audit/chain.ts';

/** Returns events of one organization, newest first, with valid hashes. */
function chainOf(actions: readonly string[], start = 1, before: string | null = null): ChainedEvent[] {
  let previous = before;
  const events = actions.map((action, at) => {
    const row = {
      id: `event-${start + at}`,
      organization: 'org_1',
      number: start + at,
      occurredAt: '2026-01-05T09:00:00.000Z',
      action,
      actor: 'usr_1',
      who: { type: 'user' as const, id: 'usr_1' },
      target: 'spc_1',
      what: { type: 'space', id: 'spc_1' },
      source: 'api' as const,
      execution: 'req_1',
      payload: { origin: { kind: 'local' as const } },
      previous,
    };
    const hash = hashEvent(row);
    const event = {
      object: 'audit-event' as const,
      id: row.id,
      occurredAt: row.occurredAt,
      action,
      actor: row.who,
      target: row.what,
      source: row.source,
      urls: { location: `http://localhost:8080/v1/orgs/org_1/audit-events/${row.id}` },
      executionId: row.execution,
      schemaVersion: 1,
      payload: { ...row.payload, chain: { number: row.number, previous, hash } },
    };
    previous = hash;
    return event;
  });
  return events.reverse();
}

const verify = (events: readonly ChainedEvent[], verifier = new ChainVerifier()) => {
  for (const event of events) verifier.add(event);
  return verifier.end();
};

it('returns the newest event as checkpoint, but skips an open series of requests', () => {
  const final = chainOf(['spaces.create', 'spaces.update']);
  expect(verify(final)).toEqual({
    events: 2,
    first: 1,
    last: 2,
    checkpoint: { number: 2, hash: final[0]!.payload.chain.hash },
  });
  const open = chainOf(['spaces.create', 'conversations.ingest-batch']);
  expect(verify(open).checkpoint).toEqual({ number: 1, hash: open[1]!.payload.chain.hash });
  expect(verify(chainOf(['conversations.ingest-batch']))).toEqual({ events: 1, first: 1, last: 1 });
  expect(verify([])).toEqual({ events: 0 });
});

it('accepts a chain whose older events were removed, but refuses a predecessor of event 1', () => {
  expect(verify(chainOf(['a', 'b'], 7, 'f'.repeat(64)))).toMatchObject({ events: 2, first: 7, last: 8 });
  expect(() => verify(chainOf(['a', 'b'], 1, 'f'.repeat(64)))).toThrow('refers to one before it');
});

it('detects an event that was replaced together with its own hash', () => {
  const events = chainOf(['a', 'b', 'c']);
  const forged = chainOf(['a', 'x', 'c']);
  expect(() => verify([events[0]!, forged[1]!, events[2]!])).toThrow(
    'broken at event 2 (event-2): event 3 holds a different hash for it',
  );
});

it('detects a recalculated chain only if a checkpoint is given', () => {
  const { checkpoint } = verify(chainOf(['a', 'b']));
  expect(verify(chainOf(['a', 'b', 'c']), new ChainVerifier(checkpoint)).events).toBe(3);
  const forged = chainOf(['a', 'x', 'c']);
  expect(verify(forged).events).toBe(3);
  expect(() => verify(forged, new ChainVerifier(checkpoint))).toThrow('its hash differs from the checkpoint');
  expect(() => verify([], new ChainVerifier(checkpoint))).toThrow('There are no events');
  expect(() => verify(chainOf(['a']), new ChainVerifier(checkpoint))).toThrow('later events were removed');
  expect(() => verify(chainOf(['c'], 3, checkpoint!.hash), new ChainVerifier(checkpoint))).toThrow(
    'the oldest event is number 3, so the events cannot be compared with the checkpoint',
  );
});
