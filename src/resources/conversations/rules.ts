import type { Static } from '../../contract/schema.ts';
import { Problem } from '../../errors/problem.ts';
import type { ConversationInput } from './contract.ts';
import {
  type ConversationMetadata,
  type ConversationPart,
  type ConversationRow,
  conversationId,
} from './rows.ts';
import { defined } from '../../contract/values.ts';

export type GivenConversation = Static<typeof ConversationInput>;

/** Bytes of text that one conversation has at most. */
export const maxBytes = 2_000_000;

export type Verdict =
  | { readonly kind: 'created' | 'updated'; readonly row: ConversationRow }
  | { readonly kind: 'unchanged' };

/**
 * What ingesting does to what is known under the same id: an equal conversation changes nothing; another content
 * replaces it, is to be analysed anew, and keeps the time it was first taken in and, if it states none, the time it began.
 */
export function decideIngest(
  known: ConversationRow | undefined,
  context: GivenConversation,
  organization: string,
  now: string,
): Verdict {
  const { subject, parts } = context;
  const began = inUtc(context.metadata?.createdAt) ?? known?.metadata?.createdAt;
  const metadata = began === undefined ? context.metadata : { ...context.metadata, createdAt: began };
  if (
    known !== undefined &&
    known.subject === subject &&
    sameMetadata(known.metadata, metadata) &&
    sameParts(known.parts, parts)
  )
    return { kind: 'unchanged' };
  const row: ConversationRow = defined({
    id: known?.id ?? conversationId(organization, context.id),
    organization,
    source: known?.source ?? 'email',
    ingestedAt: known?.ingestedAt ?? now,
    subject,
    metadata,
    parts,
  });
  return { kind: known === undefined ? 'created' : 'updated', row };
}

/** Times are put in order as texts, so they have to be of one zone. */
function inUtc(time: string | undefined): string | undefined {
  return time === undefined || /z$/i.test(time) || Number.isNaN(Date.parse(time))
    ? time
    : new Date(time).toISOString();
}

/** Whether a conversation is there still, not analysed, and says what it said. */
export function sameContent(now: ConversationRow | undefined, then: ConversationRow): boolean {
  return (
    now !== undefined &&
    now.processedAt === undefined &&
    now.subject === then.subject &&
    sameMetadata(now.metadata, then.metadata) &&
    sameParts(now.parts, then.parts)
  );
}

function sameParts(one: readonly ConversationPart[], other: readonly ConversationPart[]): boolean {
  return (
    one.length === other.length &&
    one.every((part, at) => part.body === other[at]!.body && part.role === other[at]!.role)
  );
}

function sameMetadata(one: ConversationMetadata = {}, other: ConversationMetadata = {}): boolean {
  return (
    one.url === other.url &&
    one.createdAt === other.createdAt &&
    sameAttributes(one.attributes ?? {}, other.attributes ?? {})
  );
}

function sameAttributes(
  one: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && one[name] === other[name])
  );
}

/** Refuses a conversation with more text than one row should carry; `path` says which of the body it is. */
export function checkSize({ id, subject = '', metadata, parts }: GivenConversation, path: string): void {
  let bytes = Buffer.byteLength(subject);
  for (const part of parts) bytes += Buffer.byteLength(part.body);
  for (const [name, value] of Object.entries(metadata?.attributes ?? {}))
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value);
  if (bytes <= maxBytes) return;
  const message = `has ${bytes} bytes of text; a conversation has at most ${maxBytes}`;
  throw new Problem('too-large', `The conversation "${id.slice(0, 120)}" ${message}.`, {
    violations: [{ path, message }],
    hint: 'Leave out quoted history and attachments.',
  });
}
