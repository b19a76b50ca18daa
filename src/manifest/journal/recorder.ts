import type { Api } from '../../contract/api.ts';
import { defined } from '../../contract/values.ts';
import { isProblem, Problem } from '../../errors/problem.ts';
import { listChangeRequests } from '../../resources/change-requests/contract.ts';
import { getSpace } from '../../resources/spaces/contract.ts';
import { openBackend } from '../backend.ts';
import { getField, isExternal, notReadable, type Backend, type Kind, type Located } from '../kind.ts';
import { kindNamed } from '../kinds/index.ts';
import type { ManifestState, Owned } from '../manifest-state.ts';
import { nobody, type People } from '../people.ts';
import type { Change, PlanDocument, Step } from '../plan-document.ts';
import { isSame, withIds } from '../value.ts';
import type { Outcome } from '../walk-steps.ts';
import type { Journal } from './journal-file.ts';
import type { BegunStep, JournalLine, RecordedChange, RecordedOrder } from './journal-lines.ts';
import { LiveCache, toPath, readOrders } from './live-cache.ts';
import { readReferrers, readSubtree } from './read-subtree.ts';

interface RecorderOptions {
  readonly document: PlanDocument;
  readonly api: Api;
  readonly backend: Backend;
  readonly state: ManifestState;
  readonly table: readonly Kind[];
  readonly journal: Journal;
  readonly clock: () => number;
  readonly idOf: (address: string) => string | undefined;
  readonly locate: (address: string) => Located | undefined;
  /** See `StepRunner.movedInside`. */
  readonly movedInside: (step: Step) => readonly string[];
}

/** Writes the journal of a run: its changes, and the values before them. */
export class Recorder {
  readonly #options: RecorderOptions;
  /** Parents whose orders were recorded, by address. */
  readonly #parents = new Map<string, Promise<void>>();
  /** Fields of parents that depend on these orders, with the values before the run. */
  readonly #followers = new Map<string, RecordedOrder['followers']>();
  readonly #orders: { readonly kind: Kind; readonly parent: string; readonly within: Located }[] = [];
  /** Addresses of resources that the run creates, so they were empty before. */
  readonly #created: ReadonlySet<string>;
  /** The state before the run. */
  readonly #initial: ReadonlyMap<string, Owned>;
  readonly #begun = new Set<string>();
  readonly #did: Record<string, number> = {};
  /** Lines before the first step that changes something. They are written with it, so a run without changes leaves no journal. */
  #pending: JournalLine[] | undefined = [];
  #batch: Promise<LiveCache> | undefined;
  #people: Promise<People> | undefined;
  #failure: Problem | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#initial = new Map(options.state.entries());
    this.#created = new Set(
      options.document.steps.flatMap(({ action, address }) => (action === 'create' ? [address] : [])),
    );
  }

  /** Lets the following deletes share one cache of live resources. */
  beginBatch(): void {
    this.#batch = this.#readPeople().then((people) => this.#openCache(people));
    // The first delete that waits for it gets the error.
    this.#batch.catch(() => {});
  }

  /** Records the data for undoing a step, before its first call. */
  async begin(step: Step): Promise<void> {
    const { table, locate, idOf, journal } = this.#options;
    const { key, address, action, name, parent, beside } = step;
    const kind = kindNamed(step.kind, table);
    if (kind.ordered !== undefined && parent !== undefined && step.calls > 0 && !this.#created.has(parent))
      await this.#recordOrders(parent);
    const within = parent === undefined ? undefined : locate(parent);
    const id = step.id ?? idOf(address);
    const line: BegunStep = {
      type: 'step',
      key,
      address,
      kind: step.kind,
      action,
      name,
      ...defined({ id }),
      within: toPath(within),
      ...defined({
        beside: beside && ('before' in beside ? `before ${beside.before}` : `after ${beside.after}`),
      }),
      changes: [
        ...(await this.#placedBefore(step, kind, within)).map((change) => this.#changeOf(change)),
        ...(await this.#replacedBy(step, kind, within)),
      ],
      owned: this.#entriesOf(step, this.#initial),
      ...(await this.#deletedBy(step, kind, within)),
      ...(id !== undefined && sendsContent(step, kind) ? { revision: await this.#revisionOf(id) } : {}),
    };
    this.#write(line, action !== 'none' || step.lock !== undefined);
    this.#begun.add(key);
    if (action === 'delete') await journal.sync();
  }

  recordCreated(step: Step, id: string): void {
    this.#note({ type: 'made', key: step.key, id });
  }

  /** Records the revision of a space after its content was sent. */
  async recordContent(step: Step): Promise<void> {
    const { api, idOf, table } = this.#options;
    const spaceId = idOf(step.address);
    if (spaceId === undefined || !sendsContent(step, kindNamed(step.kind, table))) return;
    const revision = await this.#revisionOf(spaceId);
    const merged = await api.call(listChangeRequests, {
      params: { spaceId },
      query: { status: 'merged', limit: 20 },
    });
    const request = merged.items.find(({ revisionMerged }) => revisionMerged === revision)?.number;
    this.#note({ type: 'content', key: step.key, revision, ...defined({ request }) });
  }

  end(step: Step, { status, problem }: Outcome): void {
    if (!this.#begun.has(step.key)) return;
    if (status === 'done' && step.action !== 'none')
      this.#did[step.action] = (this.#did[step.action] ?? 0) + 1;
    this.#note({
      type: 'ended',
      key: step.key,
      status,
      owned: this.#entriesOf(step),
      ...defined({ problem: problem?.reason }),
    });
  }

  /** Records the orders after the run, and how the run ended. */
  async close(counts: Readonly<Record<string, number>>, interrupted: boolean): Promise<void> {
    const { journal, clock, table } = this.#options;
    if (this.#pending !== undefined || this.#failure !== undefined) return;
    const live = await this.#openCache();
    for (const { kind, parent, within } of this.#orders) {
      const [order] = await readOrders(live, parent, within, table, kind);
      if (order !== undefined) this.#note({ ...order, type: 'scope-end' });
    }
    this.#note({
      type: 'end',
      at: new Date(clock()).toISOString(),
      how: interrupted ? 'interrupted' : (counts['failed'] ?? 0) > 0 ? 'failed' : 'done',
      counts: { ...counts },
      did: this.#did,
    });
    await journal.sync().catch((error: unknown) => void (this.#failure = error as Problem));
  }

  async #recordOrders(parent: string): Promise<void> {
    const { locate, table } = this.#options;
    const within = locate(parent);
    if (within === undefined) return;
    const record = async (): Promise<void> => {
      for (const order of await readOrders(await this.#openCache(), parent, within, table)) {
        this.#orders.push({ kind: kindNamed(order.kind, table), parent, within });
        this.#followers.set(parent, { ...this.#followers.get(parent), ...order.followers });
        this.#write(order);
      }
    };
    if (!this.#parents.has(parent)) this.#parents.set(parent, record());
    await this.#parents.get(parent);
  }

  async #deletedBy(
    { action, id, address }: Step,
    kind: Kind,
    within: Located | undefined,
  ): Promise<Pick<BegunStep, 'was' | 'asides'>> {
    const { table, state } = this.#options;
    if (action !== 'delete' || id === undefined) return {};
    const live = await (this.#batch ?? this.#openCache(await this.#readPeople()));
    const known = new Map(state.entries().map(([other, owned]) => [`${owned.kind} ${owned.id}`, other]));
    known.set(`${kind.name} ${id}`, address);
    const reader = { live, table, addressOf: (name: string, other: string) => known.get(`${name} ${other}`) };
    const at = { kind: kind.name, id, within };
    const was = await readSubtree(reader, kind, at);
    return was === undefined ? {} : { was, asides: await readReferrers(reader, kind, at) };
  }

  /**
   * Returns the changes of a step, with the places of the replaced values. The plan shows the place of a link only if the new
   * value states one, and earlier steps may have moved the sections.
   */
  async #placedBefore(
    { id, address, changes }: Step,
    kind: Kind,
    within: Located | undefined,
  ): Promise<readonly Change[]> {
    // A value that is set only because an order changes is restored with the order.
    const isPlaced = ({ field, before, after }: Change) =>
      before !== undefined &&
      getField(kind, field).followsOrderOf !== undefined &&
      !isSame(before, after, getField(kind, field).equals);
    if (id === undefined || !changes.some(isPlaced)) return changes;
    const live = await this.#openCache();
    const body = await live.find(kind, id, within);
    const read = async (field: string, before: unknown): Promise<unknown> => {
      const now = body === undefined ? notReadable : await live.valueOf(kind, field, body, within);
      return now === notReadable ? before : now;
    };
    const followers = this.#followers.get(address);
    return Promise.all(
      changes.map(async (change) => {
        if (!isPlaced(change)) return change;
        const { field, before } = change;
        return { ...change, before: followers?.[field] ?? (await read(field, before)) };
      }),
    );
  }

  #changeOf({ field, before, after }: Change): RecordedChange {
    const { idOf } = this.#options;
    return { field, ...defined({ before: withIds(before, idOf), after: withIds(after, idOf) }) };
  }

  #entriesOf(
    step: Step,
    state: Pick<ManifestState, 'get'> = this.#options.state,
  ): Record<string, Owned | null> {
    const { movedInside } = this.#options;
    const { address, drops = [], lock: entries = [] } = step;
    const others = [...drops, ...entries.map((entry) => entry.address), ...movedInside(step)];
    const addresses = new Set([address, ...others]);
    return Object.fromEntries([...addresses].map((one) => [one, state.get(one) ?? null]));
  }

  /** Opens a new backend, because the backend of the run caches what it has read. */
  async #openCache(people: People = this.#options.backend.people): Promise<LiveCache> {
    const { api, document } = this.#options;
    const backend = await openBackend(api, document.organization, { withPeople: false });
    return new LiveCache({ ...backend, people });
  }

  /** Reads the members if a deleted resource may name people. */
  #readPeople(): Promise<People> {
    const { api, backend, document, table } = this.#options;
    const deleted = new Set(
      document.steps.flatMap(({ action, kind }) => (action === 'delete' ? [kind] : [])),
    );
    const isNamed = table.some(
      ({ name, fields }) => deleted.has(name) && Object.values(fields).some(({ people }) => people === true),
    );
    this.#people ??=
      document.people || !isNamed
        ? Promise.resolve(backend.people)
        : openBackend(api, document.organization, { withPeople: true }).then(
            ({ people }) => people,
            nobodyIfAbsent,
          );
    return this.#people;
  }

  /** Reads the field that a step removes by setting its alternative. */
  async #replacedBy(
    { id, changes, action }: Step,
    kind: Kind,
    within: Located | undefined,
  ): Promise<RecordedChange[]> {
    const names = alternativeFields[kind.name] ?? [];
    const isSet = names.some((name) => changes.some(({ field, after }) => field === name && after !== null));
    const other = names.find((name) => changes.every(({ field }) => field !== name));
    if (id === undefined || action === 'delete' || !isSet || other === undefined) return [];
    const live = await this.#openCache();
    const body = await live.find(kind, id, within);
    const before = body && (await live.valueOf(kind, other, body, within));
    return (before ?? notReadable) === notReadable ? [] : [{ field: other, before, after: null }];
  }

  async #revisionOf(spaceId: string): Promise<string> {
    return (await this.#options.api.call(getSpace, { params: { spaceId } })).revision;
  }

  /** Writes a line about a finished call. If that fails, the next step does not start. */
  #note(line: JournalLine): void {
    try {
      this.#write(line);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.#failure ??= error;
    }
  }

  #write(line: JournalLine, isChange = false): void {
    const { journal } = this.#options;
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#pending === undefined) return journal.append(line);
    this.#pending.push(line);
    if (!isChange) return;
    for (const one of this.#pending) journal.append(one);
    this.#pending = undefined;
  }
}

function nobodyIfAbsent(error: unknown): People {
  if (isProblem(error, 'not-implemented', 'forbidden')) return nobody;
  throw error;
}

/** For each kind, fields of which a resource can have only one: setting one removes the others. */
export const alternativeFields: Readonly<Record<string, readonly string[]>> = {
  space: ['emoji', 'icon'],
  openapi: ['source', 'text'],
};

function sendsContent({ changes }: Step, kind: Kind): boolean {
  return changes.some(({ field }) => isExternal(kind, field));
}
