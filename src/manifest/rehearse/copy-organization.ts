import type { Api } from '../../contract/api.ts';
import { Problem } from '../../errors/problem.ts';
import { openBackend } from '../backend.ts';
import { isLate } from '../differences.ts';
import type { LiveOrganization, LiveResource } from '../export/read-live.ts';
import {
  callOf,
  getField,
  nameFields,
  notReadable,
  readField,
  type Backend,
  type Body,
  type Call,
  type Field,
  type Fields,
  type Kind,
  type Located,
  type Ordered,
} from '../kind.ts';
import { acceptsNull, choicesOf } from '../read/schema.ts';
import { topologicalSort } from '../topological-sort.ts';
import { isSame } from '../value.ts';
import type { IdQueue, Omissions } from './copy.ts';

interface CopyRequest {
  readonly live: LiveOrganization;
  readonly table: readonly Kind[];
  /** The live organization. */
  readonly from: Api;
  /** The copy, with its members. */
  readonly to: Api;
  readonly organization: string;
  readonly ids: IdQueue;
  readonly omissions: Omissions;
  readonly signal?: AbortSignal | undefined;
  /** Copies the contents of spaces, before the fields that are set last. */
  readonly copyContents?: () => Promise<void>;
  /** Receives the number of copied resources, and of all resources. */
  readonly onCopied?: ((done: number, total: number) => void) | undefined;
}

/** Creates all live resources in a copy, with the same IDs. */
export async function copyOrganization(request: CopyRequest): Promise<void> {
  const { live, table, to, from, organization, signal, onCopied } = request;
  const all = withInside(live.tops);
  const byKind = table.map((kind) => all.filter((one) => one.kind.name === kind.name));
  const backend = await openBackend(to, organization, { withPeople: true });
  const copier = new Copier(request, backend);
  const inOrder = byKind.flatMap(sortForCreation);
  for (const [index, one] of inOrder.entries()) {
    if (signal?.aborted === true)
      throw new Problem('interrupted', 'Stopped by a signal. Nothing was changed.');
    await copier.create(one);
    onCopied?.(index + 1, inOrder.length);
  }
  // The API shows a text only after a job has processed it.
  if (all.some(({ kind, values }) => kind.name === 'openapi' && typeof values.get('text') === 'string'))
    await backend.work('openapi');
  await copyOrders(
    byKind.flat(),
    await openBackend(from, organization, { withPeople: false, signal }),
    await openBackend(to, organization, { withPeople: false }),
  );
  await request.copyContents?.();
  for (const one of byKind.flat()) await copier.finish(one);
}

function withInside(resources: readonly LiveResource[]): LiveResource[] {
  return resources.flatMap((one) => [one, ...withInside(one.inside)]);
}

/** Sorts resources so that those that are created with their parent, or contain others of the kind, come first. */
function sortForCreation(resources: readonly LiveResource[]): readonly LiveResource[] {
  const isInitial = (one: LiveResource) => one.parent !== undefined && initialChild(one.parent) === one;
  const initial = new Set(resources.filter(isInitial));
  const needsOf = ({ kind, values }: LiveResource): string[] =>
    Object.entries(kind.fields).flatMap(([name, { refersTo }]) => {
      const value = values.get(name);
      return refersTo === kind.name && typeof value === 'string' ? [value] : [];
    });
  const others = resources.filter((one) => !initial.has(one));
  return topologicalSort([...initial, ...others], ({ body }) => body.id, needsOf).sorted;
}

/**
 * Finds the child that the API created with a parent, preferably one that still has its first title, because no call can set that
 * title again.
 */
function initialChild({ kind, inside }: LiveResource): LiveResource | undefined {
  if (kind.atCreation === undefined) return undefined;
  const hasFirstTitle = ({ body, values }: LiveResource) =>
    values.get('title') === (body as { space?: { title?: string } }).space?.title;
  return inside.find(hasFirstTitle) ?? inside[0];
}

class Copier {
  readonly #request: CopyRequest;
  readonly #backend: Backend;
  readonly #created = new Map<LiveResource, Body>();

  constructor(request: CopyRequest, backend: Backend) {
    this.#request = request;
    this.#backend = backend;
  }

  async create(live: LiveResource): Promise<void> {
    if (live.parent !== undefined && !this.#created.has(live.parent)) return;
    try {
      const body = await this.#createBody(live);
      if (body?.id !== live.body.id) throw new Problem('conflict', 'The copy would have a different ID.');
      this.#created.set(live, body);
      this.#omitFixedFields(live, body);
      await this.#update(live, body, false);
    } catch (error) {
      this.#omit(live, error);
    }
  }

  /** Sets the fields that must be set after everything inside is done. */
  async finish(live: LiveResource): Promise<void> {
    const body = this.#created.get(live);
    if (body !== undefined) await this.#update(live, body, true);
  }

  async #createBody(live: LiveResource): Promise<Body | undefined> {
    const { kind, values, parent } = live;
    const { create } = kind;
    if (create === undefined) return (await kind.list(this.#backend, parent?.at))[0];
    const initial = initialChild(live);
    const accepted = Object.keys(kind.fields).filter((name) => {
      const value = values.get(name) ?? null;
      return getField(kind, name).create !== undefined && value !== null && value !== notReadable;
    });
    const inside = initial && { kind: initial.kind.name, fields: { space: initial.values.get('space') } };
    const fields = {
      ...this.#toWrite(live, accepted),
      ...kind.atCreation?.(inside === undefined ? [] : [inside], refuse),
      ...substituteText(live),
    };
    const ids = [live.body.id, initial?.body.id];
    return this.#request.ids.withIds(ids, () => create(this.#backend, parent?.at, fields));
  }

  async #update(live: LiveResource, body: Body, late: boolean): Promise<void> {
    const { kind } = live;
    const open = Object.keys(kind.fields).filter(
      (name) => isLate(kind, { field: name }) === late && this.#isOpen(live, name, body),
    );
    for (const [name, call] of Object.entries(kind.calls)) {
      const fields = open.filter((field) => callOf(kind, field) === name);
      if (fields.length > 0) await this.#send(live, call, fields);
    }
  }

  /** Sends fields together, or one by one if that fails, so that as few as possible are omitted. */
  async #send(live: LiveResource, call: Call, fields: readonly string[]): Promise<void> {
    try {
      await call.send(this.#backend, live.at, this.#toWrite(live, fields));
    } catch (error) {
      if (fields.length > 1) for (const field of fields) await this.#send(live, call, [field]);
      else this.#omit(live, error, fields[0]);
    }
  }

  /** Records fields that only the create call takes if the created value differs from the live one. */
  #omitFixedFields(live: LiveResource, body: Body): void {
    for (const [name, { create, equals }] of Object.entries(live.kind.fields)) {
      if (create !== 'only' || !live.values.has(name)) continue;
      const value = readField(live.kind, name, body, this.#backend.people);
      if (!isSame(value, live.values.get(name), equals))
        this.#omit(
          live,
          new Problem('conflict', 'The copy has another value, which cannot be changed.'),
          name,
        );
    }
  }

  #isOpen({ kind, values }: LiveResource, name: string, body: Body): boolean {
    const field = getField(kind, name);
    const { create, skipRefresh, fetch, equals } = field;
    const value = values.get(name);
    if (value === undefined || create === 'only' || skipRefresh === true) return false;
    const now = fetch === undefined ? readField(kind, name, body, this.#backend.people) : field.default;
    return isSendable(field, value) && !isSame(now, value, equals);
  }

  #toWrite({ kind, values }: LiveResource, names: readonly string[]): Fields {
    const { people } = this.#backend;
    return Object.fromEntries(
      names.map((name) => {
        const value = values.get(name);
        const { write } = getField(kind, name);
        return [name, write === undefined ? value : write(value, people)];
      }),
    );
  }

  #omit({ kind, body, values }: LiveResource, error: unknown, field?: string): void {
    const name = nameFields.map((one) => values.get(one)).find((value) => typeof value === 'string');
    this.#request.omissions.add(
      field === undefined ? kind.name : `${kind.name}.${field}`,
      name ?? body.id,
      error,
    );
  }
}

/** Whether a call accepts a value. An exclusive field cannot be set to false. */
function isSendable({ schema }: Field, value: unknown): boolean {
  const choices = choicesOf(schema);
  return (
    choices === undefined || choices.includes(value as string) || (value === null && acceptsNull(schema))
  );
}

function refuse(message: string): never {
  throw new Problem('conflict', `The copy cannot be created: ${message}.`);
}

/** Returns a text for a specification whose text could not be read, because a specification cannot be created without one. */
function substituteText({ kind, values }: LiveResource): Fields {
  const isNeeded =
    kind.name === 'openapi' &&
    (values.get('source') ?? null) === null &&
    typeof values.get('text') !== 'string';
  return isNeeded ? { text: '{"openapi":"3.1.0","info":{"title":"-","version":"0"},"paths":{}}' } : {};
}

/** Brings lists in the copy into the live order. */
async function copyOrders(resources: readonly LiveResource[], from: Backend, to: Backend): Promise<void> {
  const lists = new Map<string, readonly [Ordered, Located]>();
  for (const { kind, parent } of resources)
    if (parent !== undefined && kind.ordered !== undefined)
      lists.set(`${kind.name} ${parent.kind.name} ${parent.body.id}`, [kind.ordered, parent.at]);
  for (const [ordered, parent] of lists.values()) {
    if (ordered.parts === undefined) continue;
    try {
      const copied = await ordered.parts(to, parent);
      for (const [part, live] of await ordered.parts(from, parent))
        await copyOrder(ordered, to, live, copied.get(part) ?? []);
    } catch (error) {
      // A resource that could not be copied has no order.
      if (!(error instanceof Problem)) throw error;
    }
  }
}

async function copyOrder(
  ordered: Ordered,
  to: Backend,
  live: readonly Located[],
  copied: readonly Located[],
): Promise<void> {
  const there = new Set(copied.map(({ id }) => id));
  const order = live.filter(({ id }) => there.has(id));
  const [top] = copied;
  const [first, ...others] = order;
  if (first === undefined || top === undefined) return;
  if (order.every(({ id }, index) => copied[index]?.id === id)) return;
  if (top.id !== first.id) await ordered.place(to, first, { before: top });
  let last = first;
  for (const item of others) {
    await ordered.place(to, item, { after: last });
    last = item;
  }
}
