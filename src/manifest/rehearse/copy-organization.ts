import type { Api } from '../../contract/api.ts';
import { Problem } from '../../errors/problem.ts';
import { openBackend } from '../backend.ts';
import { readField } from '../read-field.ts';
import { callOf, isLate } from '../differences.ts';
import type { LiveResource, LiveOrganization } from '../export/read-live.ts';
import { topologicalSort } from '../topological-sort.ts';
import { notReadable, type Backend, type Body, type Field, type Fields, type Kind } from '../kind.ts';
import { isSame } from '../value.ts';
import type { Omissions } from './copy.ts';
import { copyOrder } from './copy-order.ts';
import type { IdQueue } from './next-ids.ts';

export interface CopyRequest {
  readonly live: LiveOrganization;
  readonly table: readonly Kind[];
  /** The live side, for the order of what is there. */
  readonly from: Api;
  /** The copy, in which members are already. */
  readonly to: Api;
  readonly organization: string;
  readonly ids: IdQueue;
  readonly omissions: Omissions;
  readonly signal?: AbortSignal | undefined;
  /** Told how many of all are there. */
  readonly onCopied?: ((done: number, total: number) => void) | undefined;
}

/** Makes all that is live once more in a copy, with the same ids. What cannot be made is among the omissions, with what lies in it. */
export async function copyOrganization(request: CopyRequest): Promise<void> {
  const { live, table, to, from, organization, signal, onCopied = () => {} } = request;
  const byKind = new Map(table.map((kind) => [kind.name, [] as LiveResource[]]));
  for (const one of allIn(live.tops)) byKind.get(one.kind.name)?.push(one);
  const total = [...byKind.values()].reduce((sum, lives) => sum + lives.length, 0);
  const backend = await openBackend(to, organization, { withPeople: true });
  const copier = new Copier(request, backend);
  let done = 0;
  for (const lives of byKind.values()) {
    for (const one of inOrderOfCreation(lives)) {
      if (signal?.aborted === true)
        throw new Problem('interrupted', 'Stopped by a signal; nothing was changed.');
      await copier.make(one);
      onCopied(++done, total);
    }
  }
  // A text is not shown until it is processed; where it is not shown on the live side, it is not here.
  if (byKind.get('openapi')?.some(({ values }) => typeof values.get('text') === 'string'))
    await backend.work('openapi');
  await copyOrder(
    [...byKind.values()].flat(),
    await openBackend(from, organization, { withPeople: false, signal }),
    await openBackend(to, organization, { withPeople: false }),
  );
  for (const lives of byKind.values()) for (const one of lives) await copier.finish(one);
}

function allIn(lives: readonly LiveResource[]): LiveResource[] {
  return lives.flatMap((live) => [live, ...allIn(live.inside)]);
}

/** What others of the same kind lie in goes first, and so does what is made with its parent. */
function inOrderOfCreation(lives: readonly LiveResource[]): readonly LiveResource[] {
  const born = lives.filter((live) => live.parent !== undefined && bornWith(live.parent) === live);
  const inTurn = born.length === 0 ? lives : [...born, ...lives.filter((live) => !born.includes(live))];
  const needsOf = ({ kind, values }: LiveResource): string[] =>
    Object.entries(kind.fields).flatMap(([name, { refersTo }]) =>
      refersTo === kind.name && typeof values.get(name) === 'string' ? [String(values.get(name))] : [],
    );
  return topologicalSort(inTurn, ({ body }) => body.id, needsOf).sorted;
}

/** What a create makes inside of what it makes; one that has what it is born with, where there is one: its title cannot be set. */
function bornWith(parent: LiveResource): LiveResource | undefined {
  if (parent.kind.atCreation === undefined) return undefined;
  const isPlain = ({ body, values }: LiveResource): boolean =>
    values.get('title') === (body as { readonly space?: { readonly title?: string } }).space?.title;
  return parent.inside.find(isPlain) ?? parent.inside[0];
}

class Copier {
  readonly #request: CopyRequest;
  readonly #backend: Backend;
  /** What is there, as it was when it was made. */
  readonly #made = new Map<LiveResource, Body>();

  constructor(request: CopyRequest, backend: Backend) {
    this.#request = request;
    this.#backend = backend;
  }

  async make(live: LiveResource): Promise<void> {
    if (live.parent !== undefined && !this.#made.has(live.parent)) return;
    try {
      const { kind } = live;
      const body =
        kind.create === undefined
          ? (await kind.list(this.#backend, live.parent?.at))[0]
          : await this.#create(live);
      if (body?.id !== live.body.id) throw new Problem('conflict', 'A copy of it would have another id.');
      this.#made.set(live, body);
      this.#tellUnsettable(live, body);
      await this.#settle(live, body, false);
    } catch (error) {
      this.#omit(live, error);
    }
  }

  /** Sets what waits until all inside is there. */
  async finish(live: LiveResource): Promise<void> {
    const body = this.#made.get(live);
    if (body !== undefined) await this.#settle(live, body, true);
  }

  async #create(live: LiveResource): Promise<Body> {
    const { kind, values } = live;
    const born = bornWith(live);
    const taken = Object.entries(kind.fields).filter(
      ([name, field]) =>
        field.create !== undefined && (values.get(name) ?? null) !== null && values.get(name) !== notReadable,
    );
    const inside =
      born === undefined ? [] : [{ kind: born.kind.name, fields: { space: born.values.get('space') } }];
    const more = kind.atCreation?.(inside, refuse) ?? {};
    const fields = { ...this.#written(kind, taken.map(([name]) => name), live), ...more, ...substituteFor(live) }; // prettier-ignore
    return this.#request.ids.withIds([live.body.id, born?.body.id], () =>
      kind.create!(this.#backend, live.parent?.at, fields),
    );
  }

  async #settle(live: LiveResource, body: Body, late: boolean): Promise<void> {
    const { kind } = live;
    const open = Object.keys(kind.fields).filter(
      (name) => isLate(kind, name) === late && this.#isOpen(live, name, kind.fields[name]!, body),
    );
    for (const name of Object.keys(kind.calls)) {
      const fields = open.filter((field) => callOf(kind, field) === name);
      if (fields.length > 0) await this.#send(live, name, fields);
    }
  }

  /** All at once, and where that is refused one by one: then only what is to blame is left out. */
  async #send(live: LiveResource, name: string, fields: readonly string[]): Promise<void> {
    try {
      await live.kind.calls[name]!.send(this.#backend, live.at, this.#written(live.kind, fields, live));
    } catch (error) {
      if (fields.length > 1) for (const field of fields) await this.#send(live, name, [field]);
      else this.#omit(live, error, fields[0]);
    }
  }

  /** A field that only a create takes is as it should be, or cannot be. */
  #tellUnsettable(live: LiveResource, body: Body): void {
    const { kind, values } = live;
    for (const [name, field] of Object.entries(kind.fields)) {
      if (
        field.create !== 'only' ||
        field.writeOnly === true ||
        !values.has(name) ||
        isSame(readField(kind, name, body, this.#backend.people), values.get(name), field.equals)
      )
        continue;
      this.#omit(live, new Problem('conflict', 'No call sets it.'), name);
    }
  }

  #isOpen({ kind, values }: LiveResource, name: string, field: Field, body: Body): boolean {
    const value = values.get(name);
    if (value === undefined || field.writeOnly === true || field.create === 'only' || !isTaken(field, value))
      return false;
    if (field.skipRefresh === true) return false;
    return !isSame(
      field.fetch === undefined ? readField(kind, name, body, this.#backend.people) : field.default,
      value,
      field.equals,
    );
  }

  #written(kind: Kind, names: readonly string[], { values }: LiveResource): Fields {
    const { people } = this.#backend;
    return Object.fromEntries(
      names.map((name) => [name, kind.fields[name]!.write?.(values.get(name), people) ?? values.get(name)]),
    );
  }

  #omit({ kind, body, values }: LiveResource, error: unknown, field?: string): void {
    if (!(error instanceof Problem)) throw error;
    const name =
      ['title', 'path', 'name', 'label']
        .map((one) => values.get(one))
        .find((value) => typeof value === 'string') ?? body.id;
    this.#request.omissions.add(
      field === undefined ? kind.name : `${kind.name}.${field}`,
      String(name),
      error.message,
    );
  }
}

/** Where only one value can be sent, another one follows from who has that. */
function isTaken({ schema }: Field, value: unknown): boolean {
  return (
    schema.kind !== 'scalar' ||
    schema.enum === undefined ||
    schema.enum.includes(value as string) ||
    (value === null && schema.nullable === true)
  );
}

function refuse(message: string): never {
  throw new Problem('conflict', `It cannot be made once more: ${message}.`);
}

/** The text of a specification is read only where the manifest states it, and not everywhere. */
function substituteFor({ kind, values }: LiveResource): Fields {
  const isTextNeeded =
    kind.name === 'openapi' &&
    (values.get('source') ?? null) === null &&
    typeof values.get('text') !== 'string';
  return isTextNeeded ? { text: '{"openapi":"3.1.0","info":{"title":"-","version":"0"},"paths":{}}' } : {};
}
