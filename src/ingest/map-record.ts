import { checkDepth } from '../contract/limits.ts';
import type { Mapping, MessageRole, MappingTarget } from './mapping.ts';
import { valueAtPath, type FieldPath } from './field-path.ts';
import { defined, isRecord } from '../contract/values.ts';
import { isDateTime } from '../contract/date-time.ts';

/** The conversation of a record, or the reason why there is none. */
type MappedRecord = { readonly value: Record<string, unknown> } | { readonly problem: string };

export interface RecordMapper {
  map(record: unknown): MappedRecord;
  /** Returns the ID of a record if it is a text. */
  idOf(record: unknown): string | undefined;
  /** The paths that have not matched any record so far, each with its target. */
  readonly unmatchedPaths: ReadonlyMap<FieldPath, string>;
}

interface MapperOptions {
  readonly mapping: Mapping;
  /** Accepts records without an ID, which get one later. */
  readonly withoutId: boolean;
}

/** A record that cannot be mapped. Its message is the rest of a sentence that begins with the record: "has no ID". */
class UnmappableRecord extends Error {}

/**
 * Creates a mapper. A field without a path is read from the field of the same name: id, subject, parts, metadata and
 * so on.
 */
export function createMapper({ mapping, withoutId }: MapperOptions): RecordMapper {
  const { paths, attributes } = mapping;
  const unmatchedPaths = new Map(
    [...paths, ...[...attributes].map(([name, path]) => [`attributes.${name}`, path] as const)].map(
      ([target, path]) => [path, target],
    ),
  );
  if (paths.has('parts'))
    for (const target of ['body', 'role'] as const) {
      const path = paths.get(target);
      if (path !== undefined) unmatchedPaths.delete(path);
    }
  const readPath = (record: unknown, path: FieldPath): unknown => {
    const value = valueAtPath(record, path);
    if (value !== undefined && unmatchedPaths.size > 0) unmatchedPaths.delete(path);
    return value;
  };
  const readField = (
    record: Record<string, unknown>,
    target: MappingTarget,
    mayBeMetadata = false,
  ): unknown => {
    const path = paths.get(target);
    if (path !== undefined) return readPath(record, path);
    const value = record[target];
    return value === undefined && mayBeMetadata && isRecord(record['metadata'])
      ? record['metadata'][target]
      : value;
  };
  const idOf = (record: Record<string, unknown>): string | undefined => textOf(readField(record, 'id'));
  const metadataOf = (record: Record<string, unknown>): Record<string, unknown> | undefined => {
    const unmapped = isRecord(record['attributes'])
      ? record['attributes']
      : isRecord(record['metadata']) && isRecord(record['metadata']['attributes'])
        ? record['metadata']['attributes']
        : {};
    const texts = new Map<string, string>();
    const add = (name: string, value: unknown) => {
      const text = attributeOf(name, value);
      if (text !== undefined) texts.set(name, text);
    };
    for (const [name, value] of Object.entries(unmapped)) add(name, value);
    const sourcePath = paths.get('source');
    add('source', sourcePath === undefined ? mapping.source : readPath(record, sourcePath));
    for (const [name, path] of attributes) add(name, readPath(record, path));
    const url = textOf(readField(record, 'url', true));
    const time = readField(record, 'createdAt', true);
    const createdAt = isEmpty(time) ? undefined : parseTime(time);
    if (!isEmpty(time) && createdAt === undefined)
      throw new UnmappableRecord(
        `has no date and time at ${paths.get('createdAt')?.text ?? 'createdAt'}; write it as 2026-02-24T15:02:39Z`,
      );
    if (url === undefined && texts.size === 0 && createdAt === undefined) return undefined;
    return defined({ url, attributes: texts.size === 0 ? undefined : Object.fromEntries(texts), createdAt });
  };
  const conversationOf = (record: Record<string, unknown>): Record<string, unknown> => {
    const id = idOf(record);
    if (id === undefined && !withoutId)
      throw new UnmappableRecord(`has no ID (${paths.get('id')?.text ?? 'id'})`);
    return defined({
      id,
      subject: textOf(readField(record, 'subject')),
      metadata: metadataOf(record),
      parts: partsOf(record),
    });
  };
  const partsOf = (record: Record<string, unknown>): object[] => {
    const list = paths.get('parts');
    const body = paths.get('body');
    const role = paths.get('role');
    const isOneMessage = list === undefined && (body !== undefined || record['parts'] === undefined);
    const readMessage = (message: unknown, path: FieldPath | undefined, name: string): unknown => {
      if (path === undefined) return isRecord(message) ? message[name] : undefined;
      return isOneMessage ? readPath(message, path) : valueAtPath(message, path);
    };
    const partOf = (message: unknown): object[] => {
      const text = typeof message === 'string' ? message : textOf(readMessage(message, body, 'body'));
      return text === undefined || text === ''
        ? []
        : [
            {
              type: 'message',
              role: roleOf(typeof message === 'string' ? undefined : readMessage(message, role, 'role')),
              body: text,
            },
          ];
    };
    if (!isOneMessage) {
      const messages = listOf(list === undefined ? record['parts'] : readPath(record, list));
      if (messages === undefined)
        throw new UnmappableRecord(`has no list of messages (${list?.text ?? 'parts'})`);
      return messages.flatMap(partOf);
    }
    const parts = partOf(record);
    // Many tickets consist of a subject alone.
    if (parts.length === 0 && isEmpty(readField(record, 'subject')))
      throw new UnmappableRecord(`has no message (${body?.text ?? 'body'})`);
    return parts;
  };
  const roleOf = (value: unknown): MessageRole => {
    const word = textOf(value);
    if (word === undefined) return 'user';
    const role = mapping.roles.get(word.toLowerCase()) ?? mapping.roles.get('*');
    if (role !== undefined) return role;
    const shown = word.slice(0, 60);
    throw new UnmappableRecord(
      `has a message of "${shown}", which is not a role; add --role ${JSON.stringify(shown)}=user, or --role "*"=user for all others`,
    );
  };
  return {
    unmatchedPaths,
    idOf: (record) => {
      const id = isRecord(record) ? readField(record, 'id') : undefined;
      return typeof id === 'string' ? id : undefined;
    },
    map: (record) => {
      if (!isRecord(record)) return { problem: 'the record is not an object' };
      try {
        return { value: conversationOf(record) };
      } catch (error) {
        if (error instanceof UnmappableRecord) return { problem: `the record ${error.message}` };
        throw error;
      }
    },
  };
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** Returns a text, number or boolean as text; undefined for an empty value. */
function textOf(value: unknown): string | undefined {
  if (isEmpty(value)) return undefined;
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new UnmappableRecord('has a list or an object instead of a text');
}

/** Returns the text of an attribute. The texts of a list, such as tags, are joined. */
function attributeOf(name: string, value: unknown): string | undefined {
  if (!Array.isArray(value)) {
    if (typeof value === 'object' && value !== null)
      throw new UnmappableRecord(`has an object as the attribute "${name.slice(0, 100)}"`);
    return textOf(value);
  }
  const texts = value.flatMap((item) => textOf(item) ?? []);
  return texts.length === 0 ? undefined : texts.join(', ');
}

/** Returns a value that is a list, or a list in JSON, as in a column of CSV; undefined for any other value. */
function listOf(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value as unknown[];
  if (typeof value !== 'string' || !value.trimStart().startsWith('[')) return undefined;
  try {
    checkDepth(value, { nodes: 100_000 });
    const list: unknown = JSON.parse(value);
    return Array.isArray(list) ? (list as unknown[]) : undefined;
  } catch {
    return undefined;
  }
}

const dateTimePattern =
  /^(?:(\d{4})([-/])(\d\d)\2(\d\d)|(\d\d?)\.(\d\d?)\.(\d{4}))(?:[T ](\d?\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|UTC|[+-]\d\d:?\d\d)?)?$/i;
/** "Fri, 24 Feb 2026 15:02:39 +0100" of mails, "Feb 24, 2026 3:02 PM" of exports. */
const namedMonth =
  /^(?:[a-z]{3,9}, )?(?:\d{1,2} [a-z]{3,9},?|[a-z]{3,9} \d{1,2},) \d{4}(?:,? (?:at )?\d?\d:\d\d(?::\d\d)?(?: ?[ap]m)?)?( (?:Z|UTC|GMT|[+-]\d{4}))?$/i;

/**
 * Converts a time to RFC 3339. Accepts RFC 3339, `2026-02-24 15:02:39` and `24.02.2026 15:02`, dates, English names of months, and
 * Unix time in seconds or milliseconds. A time without a time zone is UTC. Returns undefined for any other value.
 */
export function parseTime(value: unknown): string | undefined {
  if (typeof value === 'number' || (typeof value === 'string' && /^\d{9,13}(?:\.\d{1,9})?$/.test(value)))
    return timeFromEpoch(Number(value));
  if (typeof value !== 'string') return undefined;
  const given = value.trim();
  const named = namedMonth.exec(given);
  if (named !== null) {
    const time = Date.parse(`${given.replace(/,? at /i, ' ')}${named[1] === undefined ? ' UTC' : ''}`);
    return Number.isNaN(time) ? undefined : new Date(time).toISOString();
  }
  const [, year, , month, day, ownDay, ownMonth, ownYear, clock = '00:00', zone = 'Z'] =
    dateTimePattern.exec(given) ?? [];
  const date = [year ?? ownYear, month ?? ownMonth?.padStart(2, '0'), day ?? ownDay?.padStart(2, '0')];
  const time = clock.padStart(clock.length + Number(/^\d:/.test(clock)), '0');
  const offset = /^(z|utc)$/i.test(zone) ? 'Z' : zone.replace(/(\d\d):?(\d\d)$/, '$1:$2');
  const text = `${date.join('-')}T${time.length === 5 ? `${time}:00` : time}${offset}`;
  return isDateTime(text) ? text : undefined;
}

function timeFromEpoch(count: number): string | undefined {
  const milliseconds = count >= 1e11 ? count : count * 1000;
  const isInRange = Number.isFinite(milliseconds) && milliseconds > 0 && milliseconds < 253_402_300_800_000;
  return isInRange ? new Date(milliseconds).toISOString() : undefined;
}
