import { createHmac } from 'node:crypto';
import { closed, custom, Type, type Static } from '../contract/schema.ts';
import { getOrInsert, isRecord } from '../contract/values.ts';
import type { Fields } from './kind.ts';
import { canonical } from './value.ts';

const Anything = Type.Record(
  Type.String(),
  custom<unknown>('AnyValue', {}, () => true),
);

/** A resource that a manifest created or adopted. */
export const OwnedSchema = closed({
  kind: Type.String(),
  id: Type.String(),
  parent: Type.Optional(Type.String({ description: 'Address of what it lies in' })),
  protect: Type.Optional(Type.Literal(true)),
  fields: Anything,
  left: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: 'Of fields whose value does not show it: what the last apply left, such as a revision',
    }),
  ),
});

/** All owned resources in one organization of one backend. */
const SectionSchema = closed({
  place: Type.String(),
  organization: Type.String(),
  key: Type.String({
    pattern: '^[0-9a-f]{32,128}$',
    description: 'Keys what makes a repeated create harmless',
  }),
  serial: Type.Integer({
    minimum: 0,
    maximum: 2 ** 52,
    description: 'Far from where counting on would no longer be exact',
  }),
  resources: Type.Record(Type.String(), OwnedSchema),
  remade: Type.Optional(Type.Record(Type.String(), Type.Integer())),
  checkpoints: Type.Optional(Anything),
});

/** The state file: one section for each backend and organization. */
export const StateFileSchema = closed({ version: Type.Literal(1), sections: Type.Array(SectionSchema) });

export type Owned = Static<typeof OwnedSchema>;
export type StateSection = Static<typeof SectionSchema>;
export type StateFile = Static<typeof StateFileSchema>;

/**
 * The resources that a manifest owns in one organization, by address. Changes are made in memory; `StateHandle.save` writes them.
 */
export class ManifestState {
  readonly place: string;
  readonly organization: string;
  /** The backend where the state was last used, if it was another one. */
  readonly movedFrom: string | undefined;
  readonly #key: string;
  #serial: number;
  readonly #resources: Map<string, Owned>;
  readonly #remade: Map<string, number>;
  readonly #checkpoints: Map<string, unknown>;
  /** The cached lines of resources that have not changed. */
  readonly #lines = new Map<string, string>();
  #checkpointText: string | undefined;
  #order: string[] = [];

  constructor(
    { place, organization, key, serial, resources, remade, checkpoints }: StateSection,
    lastPlace = place,
  ) {
    this.place = place;
    this.organization = organization;
    this.movedFrom = lastPlace === place ? undefined : lastPlace;
    this.#key = key;
    this.#serial = serial;
    this.#resources = new Map(Object.entries(resources));
    this.#remade = new Map(Object.entries(remade ?? {}));
    this.#checkpoints = new Map(Object.entries(checkpoints ?? {}));
  }

  /** The number of times the state was written. */
  get serial(): number {
    return this.#serial;
  }

  get size(): number {
    return this.#resources.size;
  }

  get(address: string): Owned | undefined {
    return this.#resources.get(address);
  }

  entries(): [address: string, owned: Owned][] {
    return [...this.#resources];
  }

  /** Returns whether an entry of this address was ever removed or replaced. */
  wasOwned(address: string): boolean {
    return this.#remade.has(address);
  }

  checkpoint(name: string): unknown {
    return this.#checkpoints.get(name);
  }

  setCheckpoint(name: string, value: unknown): void {
    this.#checkpoints.set(name, value);
    this.#checkpointText = undefined;
  }

  set(address: string, owned: Owned): void {
    const before = this.#resources.get(address);
    if (before !== undefined && before.id !== owned.id) this.countRemade(address);
    this.#resources.set(address, owned);
    this.#lines.delete(address);
  }

  delete(address: string): void {
    if (!this.#resources.delete(address)) return;
    this.#lines.delete(address);
    this.#order = [];
    this.countRemade(address);
  }

  /** Returns the idempotency key of a create, so that a create whose answer was lost is not repeated. */
  creationKey(address: string, fields: Fields): string {
    const text = canonical([
      address,
      this.#remade.get(address) ?? 0,
      this.#resources.get(address)?.id ?? '',
      fields,
    ]);
    return createHmac('sha256', this.#key).update(text).digest('hex');
  }

  /** Makes the next create of an address get another key, even if all its fields are the same. */
  countRemade(address: string): void {
    this.#remade.set(address, (this.#remade.get(address) ?? 0) + 1);
  }

  /** Increments the serial. */
  advance(): void {
    this.#serial++;
  }

  /** Returns the text of the section: one line per address, sorted, so that diffs are readable. */
  toText(): string {
    const head = {
      place: this.place,
      organization: this.organization,
      key: this.#key,
      serial: this.#serial,
      ...(this.#remade.size === 0 ? {} : { remade: toSortedRecord(this.#remade) }),
    };
    const fields = Object.entries(head).map(([name, value]) => `"${name}": ${JSON.stringify(value)}`);
    if (this.#checkpoints.size > 0) {
      this.#checkpointText ??= toLines(toSortedRecord(this.#checkpoints), 3);
      fields.push(`"checkpoints": ${this.#checkpointText}`);
    }
    return `{\n${fields.join(',\n')},\n"resources": {\n${this.#resourceLines().join(',\n')}\n}}`;
  }

  /** Formats only the lines that changed, because an apply saves the state after each of thousands of calls. */
  #resourceLines(): string[] {
    if (this.#order.length !== this.#resources.size) this.#order = [...this.#resources.keys()].sort();
    return this.#order.map((address) =>
      getOrInsert(
        this.#lines,
        address,
        () => `${JSON.stringify(address)}: ${JSON.stringify(this.#resources.get(address))}`,
      ),
    );
  }
}

/** Formats JSON with one line per field, down to `levels` levels. */
function toLines(value: unknown, levels: number): string {
  if (levels === 0 || !isRecord(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([name, inner]) => `${JSON.stringify(name)}: ${toLines(inner, levels - 1)}`,
  );
  return fields.length === 0 ? '{}' : `{\n${fields.join(',\n')}\n}`;
}

function toSortedRecord<T>(map: ReadonlyMap<string, T>): Record<string, T> {
  const record = Object.create(null) as Record<string, T>;
  for (const [name, value] of [...map].sort(([one], [other]) => (one < other ? -1 : 1))) record[name] = value;
  return record;
}
