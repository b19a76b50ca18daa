import type { Api } from '../../contract/api.ts';
import { Problem } from '../../errors/problem.ts';
import { listChangeRequests } from '../../resources/change-requests/contract.ts';
import { getSpace } from '../../resources/spaces/contract.ts';
import type { Outcome } from '../walk-steps.ts';
import { openBackend } from '../backend.ts';
import { isSecretField } from '../export/secrets.ts';
import { isExternal, notReadable, type Backend, type Kind, type Located } from '../kind.ts';
import { kindNamed } from '../kinds/index.ts';
import type { ManifestState, Owned } from '../manifest-state.ts';
import { nobody, type People } from '../people.ts';
import type { PlanDocument, Step } from '../plan-document.ts';
import { holdsSecret, withIds } from '../value.ts';
import { readReferrers, readSubtree } from './read-subtree.ts';
import type { Journal } from './journal-file.ts';
import type { BegunStep, JournalLine, RecordedChange, RecordedOrder } from './journal-lines.ts';
import { LiveCache, toPath } from './live-cache.ts';
import { readOrders } from './read-orders.ts';

export interface RecorderOptions {
  readonly document: PlanDocument;
  readonly api: Api;
  readonly backend: Backend;
  readonly state: ManifestState;
  readonly table: readonly Kind[];
  readonly journal: Journal;
  readonly clock: () => number;
  readonly idOf: (address: string) => string | undefined;
  readonly locate: (address: string) => Located | undefined;
}

/** Writes down what a run does, and before that what was there. */
export class Recorder {
  readonly #options: RecorderOptions;
  /** Keys of parents whose order is written down, or was made by this run. */
  readonly #scopes = new Map<string, Promise<void>>();
  readonly #ordered: RecordedOrder[] = [];
  readonly #created: ReadonlySet<string>;
  readonly #began = new Set<string>();
  readonly #did: Record<string, number> = {};
  /** What was recorded before the first step that changes something: a run without one leaves no journal. */
  #pending: JournalLine[] | undefined = [];
  #batch: Promise<LiveCache> | undefined;
  #people: Promise<People> | undefined;
  #broken: Problem | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#created = new Set(
      options.document.steps.flatMap(({ action, address }) => (action === 'create' ? [address] : [])),
    );
  }

  /** The deletes that begin from here on are read in common, as all is now. */
  beginBatch(): void {
    this.#batch = this.#readPeople().then((people) => this.#lists(people));
    // Told to the first delete that waits for it.
    this.#batch.catch(() => {});
  }

  /** Returns when all is written down that is needed to undo the step. */
  async begin(step: Step): Promise<void> {
    const { table, locate } = this.#options;
    const kind = kindNamed(step.kind, table);
    if (
      kind.ordered !== undefined &&
      step.parent !== undefined &&
      step.calls > 0 &&
      !this.#created.has(step.parent)
    )
      await this.#readScopes(step.parent);
    const within = step.parent === undefined ? undefined : locate(step.parent);
    const id = step.id ?? this.#options.idOf(step.address);
    const line: BegunStep = {
      type: 'step',
      key: step.key,
      address: step.address,
      kind: step.kind,
      action: step.action,
      name: step.name,
      ...(id === undefined ? {} : { id }),
      within: toPath(within),
      ...(step.beside === undefined
        ? {}
        : {
            beside: 'before' in step.beside ? `before ${step.beside.before}` : `after ${step.beside.after}`,
          }),
      changes: [
        ...step.changes.map((change) => this.#changeOf(kind, change)),
        ...(await this.#replaced(kind, step, within)),
      ],
      owned: this.#entries(step),
      ...(await this.#lost(kind, step, within)),
      ...(id === undefined || !this.#isExternal(step) ? {} : { revision: await this.#revision(id) }),
    };
    this.#write(line, step.action !== 'none' || step.lock !== undefined);
    this.#began.add(step.key);
    if (step.action === 'delete') await this.#options.journal.sync();
  }

  made(step: Step, id: string): void {
    this.#note({ type: 'made', key: step.key, id });
  }

  /** After the last call of a step that went well. */
  async did(step: Step): Promise<void> {
    const id = this.#options.idOf(step.address);
    if (id === undefined || !this.#isExternal(step)) return;
    const revision = await this.#revision(id);
    const merged = await this.#options.api.call(listChangeRequests, {
      params: { spaceId: id },
      query: { status: 'merged', limit: 20 },
    });
    const request = merged.items.find(({ revisionMerged }) => revisionMerged === revision)?.number;
    this.#note({ type: 'content', key: step.key, revision, ...(request === undefined ? {} : { request }) });
  }

  ended(step: Step, { status, problem }: Outcome): void {
    if (!this.#began.has(step.key)) return;
    if (status === 'done' && step.action !== 'none')
      this.#did[step.action] = (this.#did[step.action] ?? 0) + 1;
    this.#note({
      type: 'ended',
      key: step.key,
      status,
      owned: this.#entries(step),
      ...(problem === undefined ? {} : { problem: problem.reason }),
    });
  }

  /** The order in which all is now, and how the run ended. */
  async close(counts: Readonly<Record<string, number>>, interrupted: boolean): Promise<void> {
    const { journal, table, clock } = this.#options;
    if (this.#pending !== undefined || this.#broken !== undefined) return;
    const lists = await this.#lists();
    for (const { parent, at, kind } of this.#ordered) {
      const [now] = await readOrders(lists, parent, at, table.filter(({ name }) => name === kind)); // prettier-ignore
      if (now !== undefined) this.#note({ ...now, type: 'scope-end' });
    }
    this.#note({
      type: 'end',
      at: new Date(clock()).toISOString(),
      how: interrupted ? 'interrupted' : (counts['failed'] ?? 0) > 0 ? 'failed' : 'done',
      counts: { ...counts },
      did: this.#did,
    });
    await journal.sync().catch((error: unknown) => void (this.#broken = error as Problem));
  }

  async #readScopes(parent: string): Promise<void> {
    const { locate, table } = this.#options;
    const at = locate(parent);
    if (at === undefined) return;
    const read = async (): Promise<void> => {
      for (const scope of await readOrders(await this.#lists(), parent, toPath(at), table)) {
        this.#ordered.push(scope);
        this.#write(scope);
      }
    };
    if (!this.#scopes.has(parent)) this.#scopes.set(parent, read());
    await this.#scopes.get(parent);
  }

  async #lost(
    kind: Kind,
    { action, id, address }: Step,
    within: Located | undefined,
  ): Promise<Pick<BegunStep, 'was' | 'asides'>> {
    const { table, state } = this.#options;
    if (action !== 'delete' || id === undefined) return {};
    const lists = await (this.#batch ?? this.#lists(await this.#readPeople()));
    const known = new Map(state.entries().map(([other, owned]) => [`${owned.kind} ${owned.id}`, other]));
    known.set(`${kind.name} ${id}`, address);
    const at: Located = { kind: kind.name, id, within };
    const was = await readSubtree(lists, kind, at, table, (name, other) => known.get(`${name} ${other}`));
    return was === undefined ? {} : { was, asides: await readReferrers(lists, kind, at, table) };
  }

  #changeOf(kind: Kind, { field, before, after }: Step['changes'][number]): RecordedChange {
    if (isSecretField(kind.fields[field]!) || holdsSecret(after)) return { field, secret: true };
    const plain = (value: unknown): unknown => withIds(value, this.#options.idOf);
    return {
      field,
      ...(before === undefined ? {} : { before: plain(before) }),
      ...(after === undefined ? {} : { after: plain(after) }),
    };
  }

  /** What the lock says of all that the step touches there. */
  #entries({ address, drops = [], lock: entries = [] }: Step): Record<string, Owned | null> {
    const { state, table } = this.#options;
    const addresses = new Set([address, ...drops, ...entries.map((entry) => entry.address)]);
    return Object.fromEntries([...addresses].map((one) => [one, withoutSecrets(state.get(one), table)]));
  }

  /** With a backend of its own: that of the run knows what was, where it has asked already. */
  async #lists(people: People = this.#options.backend.people): Promise<LiveCache> {
    const { api, document } = this.#options;
    return new LiveCache({
      ...(await openBackend(api, document.organization, { withPeople: false })),
      people,
    });
  }

  #isExternal({ kind, changes }: Step): boolean {
    return changes.some(({ field }) => isExternal(kindNamed(kind, this.#options.table), field));
  }

  /** What is deleted may name people where no step does. */
  #readPeople(): Promise<People> {
    const { api, backend, document, table } = this.#options;
    const kinds = new Set(document.steps.flatMap(({ action, kind }) => (action === 'delete' ? [kind] : [])));
    const named = table.some(
      ({ name, fields }) => kinds.has(name) && Object.values(fields).some(({ people }) => people === true),
    );
    this.#people ??=
      document.people || !named
        ? Promise.resolve(backend.people)
        : openBackend(api, document.organization, { withPeople: true }).then(
            ({ people }) => people,
            nobodyIfAbsent,
          );
    return this.#people;
  }

  /** What a field takes away from another one, which the step says nothing of. */
  async #replaced(
    kind: Kind,
    { id, changes, action }: Step,
    within: Located | undefined,
  ): Promise<RecordedChange[]> {
    const pair = exclusiveFields[kind.name] ?? [];
    const set = pair.find((field) =>
      changes.some((change) => change.field === field && change.after !== null),
    );
    const other = pair.find((field) => changes.every((change) => change.field !== field));
    if (id === undefined || action === 'delete' || set === undefined || other === undefined) return [];
    const lists = await this.#lists();
    const body = await lists.find(kind, { id, within });
    const before =
      body === undefined
        ? null
        : ((await lists.valueOf(kind, other, body, { kind: kind.name, id, within }, undefined)) ?? null);
    return before === null || before === notReadable ? [] : [{ field: other, before, after: null }];
  }

  async #revision(spaceId: string): Promise<string> {
    return (await this.#options.api.call(getSpace, { params: { spaceId } })).revision;
  }

  /** What was done is done: that it could not be written down keeps the next step from beginning. */
  #note(line: JournalLine): void {
    try {
      this.#write(line);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.#broken ??= error;
    }
  }

  #write(line: JournalLine, changes = false): void {
    const { journal } = this.#options;
    if (this.#broken !== undefined) throw this.#broken;
    if (this.#pending === undefined) return journal.append(line);
    this.#pending.push(line);
    if (!changes) return;
    for (const one of this.#pending) journal.append(one);
    this.#pending = undefined;
  }
}

/** Where the backend does not list members, fields that name them have their ids. */
function nobodyIfAbsent(error: unknown): People {
  if (error instanceof Problem && (error.reason === 'not-implemented' || error.reason === 'forbidden'))
    return nobody;
  throw error;
}

/** Fields of which a resource has at most one. */
export const exclusiveFields: Readonly<Record<string, readonly string[]>> = {
  space: ['emoji', 'icon'],
  openapi: ['source', 'text'],
};

/** An entry of the lock as a journal may have it. */
export function withoutSecrets(owned: Owned | undefined, table: readonly Kind[]): Owned | null {
  if (owned === undefined) return null;
  const fields = table.find(({ name }) => name === owned.kind)?.fields ?? {};
  const shown = Object.entries(owned.fields).filter(
    ([name, value]) => !(Object.hasOwn(fields, name) && isSecretField(fields[name]!)) && !holdsSecret(value),
  );
  return { ...owned, fields: Object.fromEntries(shown) };
}
