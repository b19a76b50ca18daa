import type { Api } from '../contract/api.ts';
import { describeViolations, violationsOf } from '../contract/check.ts';
import { isRecord } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import { ConversationInput, getConversation, ingestBatch } from '../resources/conversations/contract.ts';
import type { SourceRecord } from './source-record.ts';

/** What to do with a conversation that already exists with different content. */
export const duplicatePolicies = ['replace', 'skip', 'fail'] as const;
export type DuplicatePolicy = (typeof duplicatePolicies)[number];

/** A conversation to send, and the record from which it was made. */
export interface PreparedRecord {
  readonly record: SourceRecord;
  readonly value: unknown;
  /** Why the record is rejected before it is sent. Then the value has only the ID. */
  readonly problem?: string;
  /** Set if the record has no message and does not ask to delete those that the conversation already has. */
  readonly lacksMessages?: true;
}

/** Returns the ID of a conversation, if it has one. */
export function idOf(value: unknown): string | undefined {
  return isRecord(value) && typeof value['id'] === 'string' ? value['id'] : undefined;
}

type Reject = (prepared: PreparedRecord, reason: string) => void;

/** Numbers of conversations by their outcome. */
export interface IngestCounts {
  created: number;
  updated: number;
  unchanged: number;
  /** Number of existing conversations with different content that were kept. */
  kept: number;
  failed: number;
}

interface SenderOptions {
  readonly api: Api;
  readonly organizationId: string;
  readonly onDuplicate: DuplicatePolicy;
  readonly signal: AbortSignal;
  readonly counts: IngestCounts;
}

/**
 * Creates a function that sends batches. A rejected batch is split until only the invalid records are rejected. A record without
 * messages never replaces a conversation with messages.
 */
export function createSender({
  api,
  organizationId,
  onDuplicate,
  signal,
  counts,
}: SenderOptions): (batch: readonly PreparedRecord[], reject: Reject) => Promise<void> {
  const send = async (batch: readonly PreparedRecord[], reject: Reject, replaces: boolean): Promise<void> => {
    const conversations = batch.map(({ value }) => value) as never;
    const body = replaces ? { conversations } : { conversations, onDuplicate: 'keep' as const };
    const {
      created,
      updated,
      unchanged,
      kept = [],
    } = await api.call(ingestBatch, { params: { organizationId }, body }, { signal });
    counts.created += created;
    counts.updated += updated;
    counts.unchanged += unchanged;
    if (onDuplicate === 'skip') counts.kept += kept.length;
    else
      for (const prepared of kept.flatMap((index) => batch[index] ?? []))
        if (onDuplicate === 'fail') reject(prepared, 'already exists with different content');
        else if (await hasMessages(prepared)) reject(prepared, wouldDelete);
        else await send([prepared], reject, true);
  };
  const hasMessages = async ({ value }: PreparedRecord): Promise<boolean> => {
    const params = { organizationId, conversationId: idOf(value) ?? '' };
    return (await api.call(getConversation, { params }, { signal })).parts.length > 0;
  };
  const sendOrSplit = async (
    batch: readonly PreparedRecord[],
    reject: Reject,
    replaces: boolean,
  ): Promise<void> => {
    if (batch.length === 0) return;
    try {
      await send(batch, reject, replaces);
    } catch (error) {
      if (!(error instanceof Problem) || (error.reason !== 'invalid-input' && error.reason !== 'too-large'))
        throw error;
      const [first] = batch;
      if (batch.length === 1 && first !== undefined) {
        const [violation] = error.violations;
        return reject(
          first,
          violation === undefined ? error.message : describeViolations([violation], '/body/conversations/0'),
        );
      }
      const half = batch.length >> 1;
      await sendOrSplit(batch.slice(0, half), reject, replaces);
      await sendOrSplit(batch.slice(half), reject, replaces);
    }
  };
  return async (batch, reject) => {
    if (onDuplicate !== 'replace') return sendOrSplit(batch, reject, false);
    const incomplete = batch.filter(({ lacksMessages }) => lacksMessages);
    const complete = batch.filter(({ lacksMessages }) => !lacksMessages);
    await sendOrSplit(complete, reject, true);
    await sendOrSplit(incomplete, reject, false);
  };
}

const wouldDelete =
  'the record has no message, but the conversation already has messages; to delete them, ingest its ID with "parts": []';

/** Returns the records that match the schema of the API, and rejects the others. Sends nothing. */
export function checkRecords(batch: readonly PreparedRecord[], reject: Reject): PreparedRecord[] {
  return batch.filter((prepared) => {
    const { value, problem } = prepared;
    const [violation] = problem === undefined ? violationsOf(ConversationInput, value, '') : [];
    const reason = violation === undefined ? problem : describeViolations([violation]);
    if (reason !== undefined) reject(prepared, reason);
    return reason === undefined;
  });
}
