import { parseJson } from '../contract/limits.ts';
import { messageRoles, type Mapping, type MessageRole, type MappingTarget } from './mapping.ts';
import { valueAtPath, type FieldPath } from './field-path.ts';
import { defined, isObject, isRecord } from '../contract/values.ts';
import { formOf, type RecordForm } from './record-forms.ts';
import { parseTime } from './parse-time.ts';

/**
 * The conversation of a record, or the reason why there is none. `lacksMessages` marks a conversation without messages
 * whose record does not have an empty list of messages, which asks to delete them.
 */
type MappedRecord =
  | { readonly value: Record<string, unknown>; readonly lacksMessages?: true }
  | { readonly problem: string };

/** Thrown for a record that cannot be mapped. Its message is the end of a sentence that starts with the record: "has no ID". */
class UnmappableRecord extends Error {}

interface Metadata {
  readonly url?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly createdAt?: string;
}

/** Reads a field of a message. Without a path, the field has its default name. */
type MessageReader = (message: unknown, field: 'body' | 'role') => unknown;

/** Maps records. A field without a path is read from the field of the same name: id, subject, parts, metadata and so on. */
export class RecordMapper {
  readonly #mapping: Mapping;
  readonly #withoutId: boolean;
  /** The paths that have not matched any record so far, each with its target. */
  readonly unmatchedPaths = new Map<FieldPath, string>();

  /** With `withoutId`, accepts records without an ID, which they get later. */
  constructor({ mapping, withoutId }: { mapping: Mapping; withoutId: boolean }) {
    this.#mapping = mapping;
    this.#withoutId = withoutId;
    // In a list of messages, each message may have other fields.
    const isListed = mapping.paths.has('parts');
    for (const [target, path] of mapping.paths)
      if (!isListed || (target !== 'body' && target !== 'role')) this.unmatchedPaths.set(path, target);
    for (const [name, path] of mapping.attributes) this.unmatchedPaths.set(path, `attributes.${name}`);
  }

  map(record: unknown): MappedRecord {
    if (!isRecord(record)) return { problem: 'the record is not an object' };
    return attempt(() => {
      const value = this.#conversationOf(record);
      if (value.parts.length > 0) return { value };
      const listed = this.#listedMessages(record);
      if (listed === undefined) this.#requireSubject(value.subject);
      return listed?.length === 0 ? { value } : { value, lacksMessages: true };
    });
  }

  /**
   * Maps records with the same ID to one conversation. Its messages are in the order of their times if every record has one, or
   * else in the order of the records. The other fields are from the first record that has them. `row` is the index of the record
   * with the problem.
   */
  mapRows(records: readonly unknown[]): MappedRecord & { row?: number | undefined } {
    let row = 0;
    const mapped = attempt(() => {
      const rows = records.map((record, index) => {
        row = index;
        return this.#conversationOf(record as Record<string, unknown>);
      });
      row = 0;
      const times = new Map(rows.map((each) => [each, Date.parse(each.metadata?.createdAt ?? '')]));
      if (![...times.values()].some(Number.isNaN))
        rows.sort((one, other) => times.get(one)! - times.get(other)!);
      const subject = rows.find((each) => each.subject !== undefined)?.subject;
      const parts = rows.flatMap((each) => each.parts);
      if (parts.length === 0) this.#requireSubject(subject);
      const value = defined({ id: rows[0]?.id, subject, metadata: mergeMetadata(rows), parts });
      return parts.length === 0 ? { value, lacksMessages: true } : { value };
    });
    return 'problem' in mapped ? { ...mapped, row } : mapped;
  }

  /** Returns the ID of a record as text; undefined if it has none. */
  idOf(record: unknown): string | undefined {
    let id: string | undefined;
    if (isRecord(record)) attempt(() => ({ value: { id: (id = this.#textAt(record, 'id')) } }));
    return id;
  }

  #conversationOf(record: Record<string, unknown>) {
    const id = this.#textAt(record, 'id');
    if (id === undefined && !this.#withoutId) throw new UnmappableRecord(`has no ID (${this.#nameOf('id')})`);
    return defined({
      id,
      subject: this.#textAt(record, 'subject'),
      metadata: this.#metadataOf(record),
      parts: this.#partsOf(record),
    });
  }

  #metadataOf(record: Record<string, unknown>): Metadata | undefined {
    const { attributes, paths, source } = this.#mapping;
    const texts = new Map<string, string>();
    const add = (name: string, value: unknown) => {
      const text = attributeOf(name, value);
      if (text !== undefined) texts.set(name, text);
    };
    for (const [name, value] of Object.entries(attributesOf(record))) add(name, value);
    const sourcePath = paths.get('source');
    add('source', sourcePath === undefined ? source : this.#readPath(record, sourcePath));
    for (const [name, path] of attributes) add(name, this.#readPath(record, path));
    const url = this.#textAt(record, 'url', true);
    const time = this.#readField(record, 'createdAt', true);
    const createdAt = isEmpty(time) ? undefined : parseTime(time);
    if (!isEmpty(time) && createdAt === undefined)
      throw new UnmappableRecord(
        `has ${JSON.stringify(time).slice(0, 60)} at ${this.#nameOf('createdAt')}, which is not a time that docsctl knows; write it as 2026-02-24T15:02:39Z`,
      );
    if (url === undefined && texts.size === 0 && createdAt === undefined) return undefined;
    return defined({ url, attributes: texts.size === 0 ? undefined : Object.fromEntries(texts), createdAt });
  }

  /** Returns the list of messages of a record; undefined if the record itself is the message. */
  #listedMessages(record: Record<string, unknown>): unknown[] | undefined {
    const { paths } = this.#mapping;
    const list = paths.get('parts');
    if (list === undefined && paths.has('body')) return undefined;
    const form = formOf(record);
    const own = list === undefined ? record['parts'] : this.#readPath(record, list);
    if (own === undefined && list === undefined && form === undefined) return undefined;
    const messages =
      form !== undefined && own === undefined
        ? (listOf(valueAtPath(record, form.paths.get('parts')!)) ?? [])
        : listOf(own);
    if (messages === undefined)
      throw new UnmappableRecord(
        `has no list of messages (${this.#nameOf('parts')}); write it as [{ "role": "user", "body": "text" }] or ["text"]`,
      );
    return messages;
  }

  #partsOf(record: Record<string, unknown>): object[] {
    const { paths } = this.#mapping;
    const messages = this.#listedMessages(record);
    if (messages === undefined)
      return this.#partOf(record, (message, field) => {
        const path = paths.get(field);
        return path === undefined ? record[field] : this.#readPath(message, path);
      });
    const form = formOf(record);
    const read: MessageReader = (message, field) => {
      const path = paths.get(field) ?? form?.paths.get(field);
      if (path !== undefined) return valueAtPath(message, path);
      return isRecord(message) ? message[field] : undefined;
    };
    const { first, isNote } = form ?? {};
    const readFirst: MessageReader = (message, field) => {
      const path = first?.get(field);
      return path === undefined ? undefined : valueAtPath(message, path);
    };
    return [
      ...this.#partOf(record, readFirst, form),
      ...messages.flatMap((message) =>
        isRecord(message) && isNote?.(message) === true ? [] : this.#partOf(message, read, form),
      ),
    ];
  }

  /** Many tickets consist only of a subject, but a record without a message needs one. */
  #requireSubject(subject: string | undefined): void {
    if (subject === undefined) throw new UnmappableRecord(`has no message (${this.#nameOf('body')})`);
  }

  #partOf(message: unknown, read: MessageReader, form?: RecordForm): object[] {
    const body = typeof message === 'string' ? message : textOf(read(message, 'body'), this.#nameOf('body'));
    if (body === undefined || body === '') return [];
    const role =
      typeof message === 'string'
        ? 'user'
        : roleOf(read(message, 'role'), this.#mapping, this.#nameOf('role'), form?.roles);
    return [{ type: 'message', role, body }];
  }

  #textAt(record: Record<string, unknown>, target: MappingTarget, mayBeMetadata = false): string | undefined {
    return textOf(this.#readField(record, target, mayBeMetadata), this.#nameOf(target));
  }

  #readField(record: Record<string, unknown>, target: MappingTarget, mayBeMetadata = false): unknown {
    const path = this.#mapping.paths.get(target);
    if (path !== undefined) return this.#readPath(record, path);
    const own = formOf(record)?.paths.get(target);
    const value = own === undefined ? record[target] : valueAtPath(record, own);
    return value === undefined && mayBeMetadata && isRecord(record['metadata'])
      ? record['metadata'][target]
      : value;
  }

  #readPath(record: unknown, path: FieldPath): unknown {
    const value = valueAtPath(record, path);
    if (value !== undefined && this.unmatchedPaths.size > 0) this.unmatchedPaths.delete(path);
    return value;
  }

  /** Returns the name or path at which the value of a target is expected. */
  #nameOf(target: MappingTarget): string {
    return this.#mapping.paths.get(target)?.text ?? target;
  }
}

/** Reads a record that has the form of the API. Removes fields that are null, and replaces names of roles by roles. */
export function readApiRecord(given: unknown, mapping: Mapping): { value: unknown } | MappedRecord {
  const value = withoutNulls(given);
  if (!isRecord(value) || !Array.isArray(value['parts'])) return { value };
  const parts = value['parts'] as readonly unknown[];
  if (!parts.some(hasOtherRole)) return { value };
  return attempt(() => ({
    value: {
      ...value,
      parts: parts.map((part) =>
        hasOtherRole(part) ? { ...part, role: roleOf(part.role, mapping, 'role') } : part,
      ),
    },
  }));
}

/** Removes the fields of a record that are null: many programs write them instead of leaving them out. */
function withoutNulls(value: unknown): unknown {
  if (!isRecord(value) || !Object.values(value).includes(null)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
}

/** Whether the role of a message is a name for a role, and not a role itself. */
function hasOtherRole(part: unknown): part is { role: string } {
  if (!isRecord(part) || typeof part['role'] !== 'string') return false;
  return !(messageRoles as readonly string[]).includes(part['role']);
}

function attempt(map: () => MappedRecord): MappedRecord {
  try {
    return map();
  } catch (error) {
    if (error instanceof UnmappableRecord) return { problem: `the record ${error.message}` };
    throw error;
  }
}

function roleOf(
  value: unknown,
  { roles }: Mapping,
  name: string,
  more?: ReadonlyMap<string, MessageRole>,
): MessageRole {
  const word = textOf(value, name);
  if (word === undefined) return 'user';
  const role = roles.get(word.toLowerCase()) ?? more?.get(word) ?? roles.get('*');
  if (role !== undefined) return role;
  const shown = word.slice(0, 60);
  throw new UnmappableRecord(
    `has a message whose role "${shown}" is not known; add --role ${JSON.stringify(shown)}=user (or assistant or team-member), or --role "*"=user for all other words`,
  );
}

/** Joins metadata. Each field and attribute is from the first record that has it. */
function mergeMetadata(rows: readonly { metadata?: Metadata }[]): Metadata | undefined {
  const all = rows.flatMap(({ metadata }) => metadata ?? []).reverse();
  if (all.length < 2) return all[0];
  const attributes = new Map(all.flatMap((each) => Object.entries(each.attributes ?? {})));
  return {
    ...Object.assign({}, ...all),
    ...(attributes.size > 0 && { attributes: Object.fromEntries(attributes) }),
  } as Metadata;
}

/** Returns the attributes that a record has in the form of the API. */
function attributesOf({ attributes, metadata }: Record<string, unknown>): Record<string, unknown> {
  if (isRecord(attributes)) return attributes;
  return isRecord(metadata) && isRecord(metadata['attributes']) ? metadata['attributes'] : {};
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** Returns a text, number or boolean as text; undefined for an empty value. `name` is where the value is. */
function textOf(value: unknown, name: string): string | undefined {
  if (isEmpty(value)) return undefined;
  if (typeof value === 'string') return value;
  // Two such numbers can be the same after they are read.
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER)
    throw new UnmappableRecord(`has a number with too many digits at ${name}; write it in quotes`);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new UnmappableRecord(`has a list or an object instead of a text at ${name}; name a text in it`);
}

/** Returns the text of an attribute. The texts of a list, such as tags, are joined. */
function attributeOf(name: string, value: unknown): string | undefined {
  if (!Array.isArray(value)) {
    if (isObject(value))
      throw new UnmappableRecord(`has an object as the attribute "${name.slice(0, 100)}"; name a text in it`);
    return textOf(value, name);
  }
  const texts = value.flatMap((item) => textOf(item, `attributes.${name}`) ?? []);
  return texts.length === 0 ? undefined : texts.join(', ');
}

/** Returns a value that is a list, or a list in JSON, as in a column of CSV; undefined for any other value. */
function listOf(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value as unknown[];
  if (typeof value !== 'string' || !value.trimStart().startsWith('[')) return undefined;
  try {
    const list: unknown = parseJson(value, { nodes: 100_000 });
    return Array.isArray(list) ? (list as unknown[]) : undefined;
  } catch {
    return undefined;
  }
}
