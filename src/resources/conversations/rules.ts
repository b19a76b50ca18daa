import type { Static } from '../../contract/schema.ts';
import { Problem } from '../../errors/problem.ts';
import type { ConversationInput } from './contract.ts';
import { conversationId, type ConversationRow } from './rows.ts';
import { defined, sizeText } from '../../contract/values.ts';

export type IngestedConversation = Static<typeof ConversationInput>;

/** Maximum size of the text of one conversation, in bytes. */
export const maxBytes = 2_000_000;

type IngestDecision =
  | { readonly kind: 'created' | 'updated'; readonly row: ConversationRow }
  | { readonly kind: 'unchanged' };

/**
 * Decides how ingesting changes an existing conversation with the same ID. If the content is equal, nothing changes. Other
 * content replaces it and is analyzed again. The time of the first ingestion is kept; the source and the start time are kept
 * unless the new content sets them.
 */
export function decideIngest(
  known: ConversationRow | undefined,
  conversation: IngestedConversation,
  organization: string,
  now: string,
  defaultSource = 'email',
): IngestDecision {
  const { subject, parts } = conversation;
  const createdAt = toUtc(conversation.metadata?.createdAt) ?? known?.metadata?.createdAt;
  const metadata = createdAt === undefined ? conversation.metadata : { ...conversation.metadata, createdAt };
  const source = conversation.source ?? known?.source ?? defaultSource;
  if (known !== undefined && hasSameContent(known, defined({ source, subject, metadata, parts })))
    return { kind: 'unchanged' };
  const row: ConversationRow = defined({
    id: known?.id ?? conversationId(organization, conversation.id),
    organization,
    source,
    ingestedAt: known?.ingestedAt ?? now,
    subject,
    metadata,
    parts,
  });
  return { kind: known === undefined ? 'created' : 'updated', row };
}

/** Converts a time to UTC, because times are sorted as texts. Returns other texts unchanged. */
function toUtc(time: string | undefined): string | undefined {
  return time === undefined || /z$/i.test(time) || Number.isNaN(Date.parse(time))
    ? time
    : new Date(time).toISOString();
}

/** Whether a conversation still exists, is not analyzed yet, and has the same content as before. */
export function isUnchanged(now: ConversationRow | undefined, before: ConversationRow): boolean {
  return now !== undefined && now.processedAt === undefined && hasSameContent(now, before);
}

type Attributes = Readonly<Record<string, string>>;
type Content = Pick<ConversationRow, 'source' | 'subject' | 'metadata' | 'parts'>;

function hasSameContent(one: Content, other: Content): boolean {
  return (
    one.source === other.source &&
    one.subject === other.subject &&
    one.metadata?.url === other.metadata?.url &&
    one.metadata?.createdAt === other.metadata?.createdAt &&
    hasSameAttributes(one.metadata?.attributes ?? {}, other.metadata?.attributes ?? {}) &&
    one.parts.length === other.parts.length &&
    one.parts.every(({ body, role }, at) => body === other.parts[at]?.body && role === other.parts[at]?.role)
  );
}

/** Compares own properties only, because redaction returns attributes without a prototype. */
function hasSameAttributes(one: Attributes, other: Attributes): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && one[name] === other[name])
  );
}

/** Checks the size of a conversation. `path` is its JSON pointer in the body. @throws Problem(too-large) */
export function checkSize({ id, subject = '', metadata, parts }: IngestedConversation, path: string): void {
  let bytes = Buffer.byteLength(subject);
  for (const part of parts) bytes += Buffer.byteLength(part.body);
  for (const [name, value] of Object.entries(metadata?.attributes ?? {}))
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value);
  if (bytes <= maxBytes) return;
  const message = `has ${sizeText(bytes, maxBytes)} of text; the limit is ${sizeText(maxBytes)}`;
  throw new Problem('too-large', `The conversation "${id.slice(0, 120)}" ${message}.`, {
    violations: [{ path, message }],
    hint: 'Leave out quoted history and attachments.',
  });
}
