import { createHmac, scryptSync } from 'node:crypto';
import { closed, custom, Type, type Static } from '../contract/schema.ts';
import type { Fields } from './kind.ts';
import { canonical } from './value.ts';

const Anything = Type.Record(
  Type.String(),
  custom<unknown>('AnyValue', {}, () => true),
);

/** A resource that a manifest made or took over. */
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

/** All that is owned in one organization of one backend. */
const SectionSchema = closed({
  place: Type.String(),
  organization: Type.String(),
  key: Type.String({
    pattern: '^[0-9a-f]{32,128}$',
    description: 'Keys the hashes of secrets and what makes a repeated create harmless',
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

/** The lock file: one section for each backend and organization. */
export const StateFileSchema = closed({ version: Type.Literal(1), sections: Type.Array(SectionSchema) });

export type Owned = Static<typeof OwnedSchema>;
export type StateSection = Static<typeof SectionSchema>;
export type StateFile = Static<typeof StateFileSchema>;

/** What a manifest owns in one organization, by address. Changes are made here and written by who holds the file. */
export class ManifestState {
  readonly place: string;
  readonly organization: string;
  readonly #key: string;
  #serial: number;
  readonly #resources: Map<string, Owned>;
  readonly #remade: Map<string, number>;
  readonly #checkpoints: Map<string, unknown>;
  readonly #texts = new Map<string, string>();
  #checkpointText: string | undefined;
  #order: string[] = [];

  /** Where it was used the last time, if that was another place. */
  readonly movedFrom: string | undefined;

  constructor(
    { place, organization, key, serial, resources, remade, checkpoints }: StateSection,
    lastPlace = place,
  ) {
    this.place = place;
    this.movedFrom = lastPlace === place ? undefined : lastPlace;
    this.organization = organization;
    this.#key = key;
    this.#serial = serial;
    this.#resources = new Map(Object.entries(resources));
    this.#remade = new Map(Object.entries(remade ?? {}));
    this.#checkpoints = new Map(Object.entries(checkpoints ?? {}));
  }

  /** Which state of the lock this is; 0: it was never written. */
  get serial(): number {
    return this.#serial;
  }

  /** What keys its hashes; a plan carries that of a lock that is not written yet. */
  get key(): string {
    return this.#key;
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

  /** Whether it ever had something at this address that left it. */
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
    this.#texts.delete(address);
  }

  /** Another one of this address, made later, is another resource. */
  delete(address: string): void {
    if (!this.#resources.delete(address)) return;
    this.#texts.delete(address);
    this.#order = [];
    this.countRemade(address);
  }

  /** Sent with the create of an address, so that one whose answer was lost is not made a second time. */
  creationKey(address: string, fields: Fields): string {
    return createHmac('sha256', this.#key)
      .update(
        canonical([address, this.#remade.get(address) ?? 0, this.#resources.get(address)?.id ?? '', fields]),
      )
      .digest('hex');
  }

  /** The keyed hash of a secret; slow, since the key lies beside it. */
  hash(secret: string): string {
    return scryptSync(secret, this.#key, 32).toString('hex');
  }

  /** This state is to be written: it gets a serial of its own. */
  advance(): void {
    this.#serial++;
  }

  /** The section as it is written: a line for each address, in order, so that the file changes where something changed. */
  toText(): string {
    const head = {
      place: this.place,
      organization: this.organization,
      key: this.#key,
      serial: this.#serial,
      ...(this.#remade.size === 0 ? {} : { remade: inOrder(this.#remade) }),
    };
    const fields = Object.entries(head).map(([name, value]) => `"${name}": ${JSON.stringify(value)}`);
    if (this.#checkpoints.size > 0)
      fields.push(`"checkpoints": ${(this.#checkpointText ??= inLines(inOrder(this.#checkpoints), 3))}`);
    return `{\n${fields.join(',\n')},\n"resources": {\n${this.#lines().join(',\n')}\n}}`;
  }

  /** Only what changed is made anew: an apply writes the lock after each of thousands of calls. */
  #lines(): string[] {
    if (this.#order.length !== this.#resources.size) this.#order = [...this.#resources.keys()].sort();
    return this.#order.map((address) => {
      const line =
        this.#texts.get(address) ??
        `${JSON.stringify(address)}: ${JSON.stringify(this.#resources.get(address))}`;
      this.#texts.set(address, line);
      return line;
    });
  }

  /** The next create of this address makes another resource, also where it is the same in all. */
  countRemade(address: string): void {
    this.#remade.set(address, (this.#remade.get(address) ?? 0) + 1);
  }
}

/** JSON with a line for each field, down to so many levels. */
function inLines(value: unknown, levels: number): string {
  if (levels === 0 || typeof value !== 'object' || value === null || Array.isArray(value))
    return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([name, inner]) => `${JSON.stringify(name)}: ${inLines(inner, levels - 1)}`,
  );
  return fields.length === 0 ? '{}' : `{\n${fields.join(',\n')}\n}`;
}

function inOrder<T>(map: ReadonlyMap<string, T>): Record<string, T> {
  const copy = Object.create(null) as Record<string, T>;
  for (const name of [...map.keys()].sort()) copy[name] = map.get(name)!;
  return copy;
}
