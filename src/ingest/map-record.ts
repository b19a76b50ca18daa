import { checkDepth } from '../contract/limits.ts';
import type { Mapping, MessageRole, MappingTarget } from './mapping.ts';
import { valueAtPath, type FieldPath } from './field-path.ts';
import { defined, isRecord } from '../contract/values.ts';
import { isDateTime } from '../contract/date-time.ts';

/** A conversation made of a record, or why none could be made. */
type Mapped = { readonly value: Record<string, unknown> } | { readonly problem: string };

/** Makes conversations of records. */
export interface RecordMapper {
  map(record: unknown): Mapped;
  /** The id that a record has, where it is a text. */
  idOf(record: unknown): string | undefined;
  /** Paths that no record had so far, and what each is for. */
  readonly unmatchedPaths: ReadonlyMap<FieldPath, string>;
}

interface MapperOptions {
  readonly mapping: Mapping;
  /** Records without an id get one later. */
  readonly withoutId: boolean;
}

/** What a record cannot be made a conversation for: half a sentence. */
class UnmappableRecord extends Error {}

/** What is not mapped is taken from the field of the same name, as the API has it: id, subject, parts, metadata… */
export function createMapper({ mapping, withoutId }: MapperOptions): RecordMapper {
  const { paths, attributes } = mapping;
  const unseen = new Map(
    [...paths, ...[...attributes].map(([name, path]) => [`attributes.${name}`, path] as const)].map(
      ([target, path]) => [path, target],
    ),
  );
  if (paths.has('parts'))
    for (const inside of ['body', 'role'] as const) if (paths.has(inside)) unseen.delete(paths.get(inside)!);
  const at = (record: unknown, path: FieldPath): unknown => {
    const value = valueAtPath(record, path);
    if (value !== undefined && unseen.size > 0) unseen.delete(path);
    return value;
  };
  const given = (record: Record<string, unknown>, target: MappingTarget, inMetadata = false): unknown => {
    const path = paths.get(target);
    if (path !== undefined) return at(record, path);
    const own = record[target];
    return own === undefined && inMetadata && isRecord(record['metadata']) ? record['metadata'][target] : own;
  };
  const idOf = (record: Record<string, unknown>): string | undefined => textOf(given(record, 'id'));
  const metadataOf = (record: Record<string, unknown>): Record<string, unknown> | undefined => {
    const own = isRecord(record['attributes'])
      ? record['attributes']
      : isRecord(record['metadata']) && isRecord(record['metadata']['attributes'])
        ? record['metadata']['attributes']
        : {};
    const found = new Map<string, string>();
    const add = (name: string, value: unknown) => {
      const text = attributeOf(name, value);
      if (text !== undefined) found.set(name, text);
    };
    for (const [name, value] of Object.entries(own)) add(name, value);
    add('source', paths.has('source') ? at(record, paths.get('source')!) : mapping.source);
    for (const [name, path] of attributes) add(name, at(record, path));
    const url = textOf(given(record, 'url', true));
    const began = given(record, 'createdAt', true);
    const createdAt = isNothing(began) ? undefined : parseTime(began);
    if (!isNothing(began) && createdAt === undefined)
      throw new UnmappableRecord(
        `has no date and time at ${paths.get('createdAt')?.text ?? 'createdAt'}; write it as 2026-02-24T15:02:39Z`,
      );
    if (url === undefined && found.size === 0 && createdAt === undefined) return undefined;
    return {
      ...(url === undefined ? {} : { url }),
      ...(found.size === 0 ? {} : { attributes: Object.fromEntries(found) }),
      ...(createdAt === undefined ? {} : { createdAt }),
    };
  };
  const conversationOf = (record: Record<string, unknown>): Record<string, unknown> => {
    const id = idOf(record);
    if (id === undefined && !withoutId) throw new UnmappableRecord(`has no id (${paths.get('id')?.text ?? 'id'})`);
    const subject = textOf(given(record, 'subject'));
    const metadata = metadataOf(record);
    const parts = partsOf(record);
    return defined({
      id,
      subject,
      metadata,
      parts,
    });
  };
  const partsOf = (record: Record<string, unknown>): object[] => {
    const list = paths.get('parts');
    const body = paths.get('body');
    const role = paths.get('role');
    const isOne = list === undefined && (body !== undefined || record['parts'] === undefined);
    const inside = (message: unknown, path: FieldPath | undefined, name: string) =>
      path === undefined
        ? isRecord(message)
          ? message[name]
          : undefined
        : isOne
          ? at(message, path)
          : valueAtPath(message, path);
    const partOf = (message: unknown): object[] => {
      const text = typeof message === 'string' ? message : textOf(inside(message, body, 'body'));
      return text === undefined || text === ''
        ? []
        : [
            {
              type: 'message',
              role: roleOf(typeof message === 'string' ? undefined : inside(message, role, 'role')),
              body: text,
            },
          ];
    };
    if (!isOne) {
      const messages = listOf(list === undefined ? record['parts'] : at(record, list));
      if (messages === undefined) throw new UnmappableRecord(`has no list of messages (${list?.text ?? 'parts'})`);
      return messages.flatMap(partOf);
    }
    const parts = partOf(record);
    if (parts.length === 0) throw new UnmappableRecord(`has no message (${body?.text ?? 'body'})`);
    return parts;
  };
  const roleOf = (value: unknown): MessageRole => {
    const word = textOf(value);
    const role =
      word === undefined ? 'user' : (mapping.roles.get(word.toLowerCase()) ?? mapping.roles.get('*'));
    if (role === undefined)
      throw new UnmappableRecord(
        `has a message of "${word!.slice(0, 60)}", which is no role; say what that is with --role ${JSON.stringify(word!.slice(0, 60))}=user, or "*"=user for all`,
      );
    return role;
  };
  return {
    unmatchedPaths: unseen,
    idOf: (record) => {
      const id = isRecord(record) ? given(record, 'id') : undefined;
      return typeof id === 'string' ? id : undefined;
    },
    map: (record) => {
      if (!isRecord(record)) return { problem: 'is not an object' };
      try {
        return { value: conversationOf(record) };
      } catch (error) {
        if (error instanceof UnmappableRecord) return { problem: error.message };
        throw error;
      }
    },
  };
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** A text, or a number or a truth as text; nothing for what is empty. */
function textOf(value: unknown): string | undefined {
  if (isNothing(value)) return undefined;
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new UnmappableRecord('has a list or an object where a text is wanted');
}

/** Attributes are texts; tags and the like come as a list of them. */
function attributeOf(name: string, value: unknown): string | undefined {
  if (!Array.isArray(value)) {
    if (typeof value === 'object' && value !== null)
      throw new UnmappableRecord(`has an object for the attribute "${name.slice(0, 100)}"`);
    return textOf(value);
  }
  const texts = value.flatMap((item) => textOf(item) ?? []);
  return texts.length === 0 ? undefined : texts.join(', ');
}

/** A list, also one that a column holds as JSON. */
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

const full = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|UTC|[+-]\d\d:?\d\d)?)?$/i;

/** A time as the API takes it, from RFC 3339, `2026-02-24 15:02:39` and `2026-02-24` (UTC), and seconds or milliseconds since 1970. */
export function parseTime(value: unknown): string | undefined {
  if (typeof value === 'number' || (typeof value === 'string' && /^\d{9,13}$/.test(value)))
    return timeFromEpoch(Number(value));
  if (typeof value !== 'string') return undefined;
  const [, day, time = '00:00', zone = 'Z'] = full.exec(value.trim()) ?? [];
  if (day === undefined) return undefined;
  const offset = /^(z|utc)$/i.test(zone) ? 'Z' : zone.replace(/(\d\d):?(\d\d)$/, '$1:$2');
  const text = `${day}T${time.length === 5 ? `${time}:00` : time}${offset}`;
  return isDateTime(text) ? text : undefined;
}

function timeFromEpoch(count: number): string | undefined {
  const milliseconds = count >= 1e11 ? count : count * 1000;
  const isMeant = Number.isFinite(milliseconds) && milliseconds > 0 && milliseconds < 253_402_300_800_000;
  return isMeant ? new Date(milliseconds).toISOString() : undefined;
}
