import { isRecord } from '../contract/values.ts';
import { parsePath, type FieldPath } from './field-path.ts';
import type { MappingTarget, MessageRole } from './mapping.ts';

/** A form of records in which the first message is outside of the list of the others. */
export interface RecordForm {
  /** Where its fields are if they are not mapped and do not have the names of the targets. */
  readonly paths: ReadonlyMap<MappingTarget, FieldPath>;
  readonly first: ReadonlyMap<'body' | 'role', FieldPath>;
  readonly roles: ReadonlyMap<string, MessageRole>;
  /** Whether an item of the list is a note that only the team can read. */
  readonly isNote: (message: Record<string, unknown>) => boolean;
}

const pathsOf = <Target extends string>(paths: Readonly<Partial<Record<Target, string>>>) =>
  new Map(
    Object.entries<string>(paths as never).map(([target, text]) => [target as Target, parsePath(text)!]),
  );

const intercom: RecordForm = {
  paths: pathsOf<MappingTarget>({
    subject: '.source.subject',
    createdAt: '.created_at',
    parts: '.conversation_parts.conversation_parts',
    role: '.author.type',
  }),
  first: pathsOf({ body: '.source.body', role: '.source.author.type' }),
  roles: new Map(),
  isNote: (message) => message['part_type'] === 'note',
};

const freshdesk: RecordForm = {
  paths: pathsOf<MappingTarget>({
    createdAt: '.created_at',
    parts: '.conversations',
    body: '.body_text',
    role: '.incoming',
  }),
  first: pathsOf({ body: '.description_text' }),
  roles: new Map([
    ['true', 'user'],
    ['false', 'team-member'],
  ]),
  isNote: (message) => message['private'] === true,
};

/** Returns the form of a conversation of the API of Intercom, or of a ticket of the API of Freshdesk; undefined for others. */
export function formOf(record: unknown): RecordForm | undefined {
  if (!isRecord(record)) return undefined;
  if (isRecord(record['source']) && 'body' in record['source']) return intercom;
  return 'description_text' in record && Array.isArray(record['conversations']) ? freshdesk : undefined;
}
