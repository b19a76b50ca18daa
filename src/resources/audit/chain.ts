import type { OutputOf } from '../../contract/operation.ts';
import { defined } from '../../contract/values.ts';
import { canContinue } from '../../core/audit/continue-event.ts';
import { hashEvent } from '../../core/audit/hash-event.ts';
import type { AuditEventRow } from '../../core/rows/audit-events.ts';
import { Problem } from '../../errors/problem.ts';
import type { getAuditEvent } from './contract.ts';

export type ChainedEvent = OutputOf<typeof getAuditEvent>;

/** The number and the hash of an event that was verified earlier. */
export interface Checkpoint {
  readonly number: number;
  readonly hash: string;
}

interface VerifiedChain {
  readonly events: number;
  /** The numbers of the first and the last event. Absent if there are no events. */
  readonly first?: number;
  readonly last?: number;
  /** The last final event. The newest event may not be final yet: a series of requests may continue it. */
  readonly checkpoint?: Checkpoint;
}

/** Verifies the hash chain of the events of an organization, from the newest to the oldest. Does not store the events. */
export class ChainVerifier {
  readonly #expected: Checkpoint | undefined;
  #isExpectedFound = false;
  #events = 0;
  #last: number | undefined;
  #checkpoint: Checkpoint | undefined;
  /** The event that follows the next one. */
  #newer: ChainedEvent | undefined;

  constructor(expected?: Checkpoint) {
    this.#expected = expected;
  }

  /** Verifies the next older event. @throws Problem(store-failed) */
  add(event: ChainedEvent): void {
    const { number, hash } = event.payload.chain;
    const newer = this.#newer?.payload.chain;
    if (hashEvent(rowOf(event)) !== hash) throw broken(event, 'its content does not match its hash');
    if (newer !== undefined && number !== newer.number - 1)
      throw broken(event, `event ${newer.number} follows it, so events are missing or out of order`);
    if (newer !== undefined && newer.previous !== hash)
      throw broken(event, `event ${newer.number} holds a different hash for it`);
    if (number === 1 && event.payload.chain.previous !== null)
      throw broken(event, 'it is the first event, but refers to one before it');
    if (number === this.#expected?.number) {
      if (hash !== this.#expected.hash) throw broken(event, 'its hash differs from the checkpoint');
      this.#isExpectedFound = true;
    }
    this.#last ??= number;
    if (newer !== undefined || !canContinue(event.action)) this.#checkpoint ??= { number, hash };
    this.#events += 1;
    this.#newer = event;
  }

  /**
   * Finishes after the oldest event.
   *
   * @throws Problem(store-failed), or Problem(not-found) if the expected checkpoint was not among the events
   */
  end(): VerifiedChain {
    const first = this.#newer?.payload.chain.number;
    if (this.#expected !== undefined && !this.#isExpectedFound)
      throw missingCheckpoint(this.#expected, first, this.#last);
    return { events: this.#events, ...defined({ first, last: this.#last, checkpoint: this.#checkpoint }) };
  }
}

/** Returns the row that the hash of an event covers. */
function rowOf(event: ChainedEvent): Omit<AuditEventRow, 'hash'> {
  const { id, occurredAt, action, actor, target, source, executionId, correlationId, payload, urls } = event;
  const { chain, ...content } = payload;
  return {
    id,
    organization: /\/orgs\/([^/]+)\/audit-events\/[^/]+$/.exec(urls.location)?.[1] ?? '',
    number: chain.number,
    occurredAt,
    action,
    actor: actor.id,
    who: actor,
    target: target.id,
    what: target,
    source,
    ...defined({ execution: executionId, correlation: correlationId }),
    payload: content,
    previous: chain.previous,
  } as Omit<AuditEventRow, 'hash'>;
}

function broken({ id, payload }: ChainedEvent, why: string): Problem {
  return new Problem(
    'store-failed',
    `The chain of audit events is broken at event ${payload.chain.number} (${id}): ${why}.`,
    { hint: 'Compare the event with an earlier export, and find out who can write to the store.' },
  );
}

function missingCheckpoint(
  { number }: Checkpoint,
  first: number | undefined,
  last: number | undefined,
): Problem {
  if (last === undefined || last < number)
    return new Problem(
      'store-failed',
      last === undefined
        ? `There are no events, but the checkpoint is event ${number}.`
        : `The newest event is number ${last}, but the checkpoint is event ${number}: later events were removed.`,
      {
        hint: 'Check that the checkpoint belongs to this organization, and find out who can write to the store.',
      },
    );
  return new Problem(
    'not-found',
    `The checkpoint is event ${number}, but the oldest event is number ${first}, so the events cannot be compared with the checkpoint.`,
    {
      hint: 'Older events were removed at the end of the period that `docsctl audit retention` shows. Use a newer checkpoint, or verify an export: `docsctl audit verify FILE`.',
    },
  );
}
