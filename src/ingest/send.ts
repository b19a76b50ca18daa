import type { Api } from '../contract/api.ts';
import { violationsOf } from '../contract/check.ts';
import { Problem } from '../errors/problem.ts';
import { ConversationInput, ingestBatch } from '../resources/conversations/contract.ts';
import type { Entry } from './entry.ts';

/** What to do with a conversation that is there already with another content. */
export const duplicateWays = ['replace', 'skip', 'fail'] as const;
export type OnDuplicate = (typeof duplicateWays)[number];

/** A conversation on its way, and the record it was made of. */
export interface Parcel {
  readonly entry: Entry;
  readonly value: unknown;
}

export interface Counts {
  created: number;
  updated: number;
  unchanged: number;
  /** There already with another content, and left as they are. */
  kept: number;
  failed: number;
}

interface SenderOptions {
  readonly api: Api;
  readonly organizationId: string;
  readonly onDuplicate: OnDuplicate;
  readonly signal: AbortSignal;
  readonly counts: Counts;
  readonly reject: (parcel: Parcel, reason: string) => void;
}

/** Sends batches; of one that is refused, all that can be taken is. */
export function createSender({
  api,
  organizationId,
  onDuplicate,
  signal,
  counts,
  reject,
}: SenderOptions): (batch: readonly Parcel[]) => Promise<void> {
  const send = async (batch: readonly Parcel[]): Promise<void> => {
    const conversations = batch.map(({ value }) => value) as never;
    const body =
      onDuplicate === 'replace' ? { conversations } : { conversations, onDuplicate: 'keep' as const };
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
    else for (const place of kept) reject(batch[place]!, 'is there already with another content');
  };
  const sendOrSplit = async (batch: readonly Parcel[]): Promise<void> => {
    try {
      await send(batch);
    } catch (error) {
      if (!(error instanceof Problem) || (error.reason !== 'invalid-input' && error.reason !== 'too-large'))
        throw error;
      if (batch.length === 1) {
        const [violation] = error.violations;
        return reject(
          batch[0]!,
          violation === undefined
            ? error.message
            : `${violation.path.replace('/body/conversations/0', '')} ${violation.message}`.trim(),
        );
      }
      const half = batch.length >> 1;
      await sendOrSplit(batch.slice(0, half));
      await sendOrSplit(batch.slice(half));
    }
  };
  return sendOrSplit;
}

/** Refuses what the API would refuse, without a call. */
export function checkParcels(batch: readonly Parcel[], reject: SenderOptions['reject']): Parcel[] {
  return batch.filter((parcel) => {
    const [wrong] = violationsOf(ConversationInput, parcel.value, '');
    if (wrong !== undefined) reject(parcel, `${wrong.path} ${wrong.message}`.trim());
    return wrong === undefined;
  });
}
