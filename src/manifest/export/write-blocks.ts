import { nameOf } from '../address.ts';
import { readFingerprints } from '../differences.ts';
import { notReadable, type Field, type Fields, type Kind } from '../kind.ts';
import type { Owned } from '../manifest-state.ts';
import type { People } from '../people.ts';
import { slotsIn } from '../block-schema.ts';
import { whyNotAccepted } from '../fits-schema.ts';
import { isSame } from '../value.ts';
import { limits } from '../read/limits.ts';
import { isImplied, whyNotSettable } from './implied-values.ts';
import type { LiveResource, LiveOrganization } from './read-live.ts';
import type { NamedResource, ResourceNames } from './name-resources.ts';
import { toRefName } from './ref-names.ts';
import { isSecretField, secretRemark } from './secrets.ts';
import type { TextFiles } from './text-files.ts';
import { scalar, verbatim, toYaml, type Yaml, type YamlMap } from './yaml.ts';

type Entry = readonly [key: string, value: Yaml];

/** Fields of a resource on one line at most: more are read line by line. */
const maxInline = 3;

export interface BlocksRequest {
  readonly live: LiveOrganization;
  readonly names: ResourceNames;
  readonly table: readonly Kind[];
  readonly files: TextFiles;
  readonly isProtected: (kind: string, id: string) => boolean;
  readonly note: (message: string) => void;
}

/** The fields at the top of the file, each with what belongs to it; and what a lock says of all that is stated. */
export function writeBlocks(request: BlocksRequest): {
  readonly top: readonly Entry[];
  readonly owned: ReadonlyMap<string, Owned>;
} {
  const writer = new BlockWriter(request);
  return { top: writer.inside(request.names.tops, undefined), owned: writer.owned };
}

class BlockWriter {
  readonly owned = new Map<string, Owned>();
  readonly #request: BlocksRequest;
  readonly #people: People;

  constructor(request: BlocksRequest) {
    this.#request = request;
    this.#people = request.live.people;
  }

  /** What lies in a block, or at the top, field by field in the order of the table. */
  inside(found: ReadonlyMap<Kind, readonly NamedResource[]>, within: Kind | undefined): Entry[] {
    const fields = new Map<string, Yaml>();
    for (const { kind, slot: spot } of slotsIn(within?.name, this.#request.table)) {
      const blocks = (found.get(kind) ?? [])
        .filter(({ live }) => live.slot === spot)
        .flatMap((named) => this.#written(named));
      if (blocks.length === 0) continue;
      const [outer = '', inner] = spot.field.split('.');
      const value = valueOf(spot.as, blocks);
      fields.set(
        outer,
        inner === undefined
          ? value
          : {
              kind: 'map',
              entries: [...((fields.get(outer) as YamlMap | undefined)?.entries ?? []), [inner, value]],
              maxInline: 0,
            },
      );
    }
    return [...fields];
  }

  /** Nothing for what is short in its parent, for settings of which none is worth a word, and for what a manifest cannot state. */
  #written(named: NamedResource): { name: string; block: YamlMap }[] {
    const { live, address, parent, short } = named;
    const { kind, body } = live;
    const stated = this.#stated(named);
    if (
      short === undefined &&
      live.slot.as === 'one' &&
      kind.create === undefined &&
      Object.keys(stated).length === 0
    )
      return [];
    const all = {
      ...stated,
      ...Object.fromEntries(
        [...named.inside.values()].flat().map((inner) => [inner.live.slot.field, [inner]]),
      ),
    };
    const why = faultOf(kind, all);
    if (why !== undefined) {
      this.#request.note(`${address} is left out: ${why}`);
      return [];
    }
    const isProtected = this.#request.isProtected(kind.name, body.id);
    this.owned.set(address, {
      kind: kind.name,
      id: body.id,
      ...(parent === undefined ? {} : { parent: parent.address }),
      ...(isProtected ? { protect: true as const } : {}),
      fields: stated,
      ...readFingerprints(kind, body, Object.keys(stated)),
    });
    if (short !== undefined) return [];
    const fields = Object.keys(stated).map((name): Entry => [
      name,
      this.#valueOf(named, name, kind.fields[name]!),
    ]);
    const ref: Entry[] = named.statesRef ? [['ref', scalar(named.name)]] : [];
    // What it shows stands beside its name.
    const head = fields[0]?.[0] === kind.nameField ? 1 : 0;
    const protection: Entry[] = isProtected ? [['protect', scalar(true)]] : [];
    const entries = [
      ...ref,
      ...fields.slice(0, head),
      ...this.#shorts(named),
      ...fields.slice(head),
      ...protection,
      ...this.inside(named.inside, kind),
    ];
    const secrets = Object.entries(kind.fields).filter(
      ([name, field]) => isSecretField(field) && faultOf(kind, { ...all, [name]: null }) === undefined,
    );
    const comments = secrets.map(([name]) => secretRemark(address, name));
    return [
      {
        name: named.name,
        block: { kind: 'map', entries, comments, ...(live.slot.as === 'list' ? {} : { maxInline }) },
      },
    ];
  }

  #shorts({ inside }: NamedResource): Entry[] {
    return [...inside.values()].flat().flatMap((inner) => {
      if (inner.short === undefined) return [];
      return [
        [inner.short, this.#valueOf(inner, inner.short, inner.live.kind.fields[inner.short]!)] as const,
      ];
    });
  }

  /** The fields that are worth a word, as a plan sees them. */
  #stated({ live, address, short }: NamedResource): Fields {
    const stated: Record<string, unknown> = {};
    for (const [name, field] of Object.entries(live.kind.fields)) {
      if (isSecretField(field) || (short !== undefined ? name !== short : isImplied(live, name, field)))
        continue;
      if (live.values.get(name) === notReadable) {
        this.#request.note(`${address}: "${name}" is left out: the platform does not show it yet`);
        continue;
      }
      const { normal, why } = this.#checked(live, name, live.values.get(name) ?? null);
      const reason = whyNotSettable(live, name) ?? why;
      if (reason === undefined) stated[name] = normal;
      else this.#request.note(`${address}: "${name}" is left out: ${reason}`);
    }
    return stated;
  }

  /** The value as a plan sees it, or why the file cannot state it. */
  #checked(live: LiveResource, name: string, value: unknown): { normal?: unknown; why?: string } {
    const { schema, normalize, equals, check, filePath, export: make } = live.kind.fields[name]!;
    const wrong = whyNotAccepted(value, schema);
    if (wrong !== undefined) return { why: wrong };
    if (filePath !== undefined && Buffer.byteLength(String(value)) > limits.fileBytes)
      return { why: `a manifest takes in files of at most ${limits.fileBytes >> 20} MiB` };
    let why: string | undefined;
    const result =
      normalize === undefined || value === null
        ? value
        : normalize(value, this.#people, (message) => void (why ??= message));
    if (value !== null)
      check?.(
        value,
        (kind, field) => valueAbove(live, kind, field),
        (message) => void (why ??= `a manifest does not take what is live: ${message}`),
      );
    // What the export makes itself may leave out what goes without saying.
    if (why === undefined && make === undefined && !isSame(result, value, equals))
      why = 'what is live has no form in a manifest';
    return why === undefined ? { normal: result } : { why };
  }

  #valueOf(named: NamedResource, name: string, field: Field): Yaml {
    const value = named.live.values.get(name) ?? null;
    if (field.refersTo !== undefined) return this.#withRefs(value, field, named);
    if (field.filePath !== undefined && typeof value === 'string')
      return this.#request.files.add(field.filePath(value, named.name), value);
    return this.#request.files.toYaml(pathOf(named, name), value, field.schema);
  }

  /** References in the place of ids, wherever in the value they stand. */
  #withRefs(value: unknown, field: Field, named: NamedResource): Yaml {
    if (typeof value === 'string') return this.#reference(value, field, named) ?? scalar(value);
    if (Array.isArray(value))
      return { kind: 'list', items: value.map((item) => this.#withRefs(item, field, named)) };
    if (typeof value !== 'object' || value === null) return toYaml(value);
    return {
      kind: 'map',
      entries: Object.entries(value).flatMap(([key, inner]) =>
        inner === undefined ? [] : [[key, this.#withRefs(inner, field, named)] as const],
      ),
    };
  }

  #reference(id: string, { refersTo = '', localName }: Field, named: NamedResource): Yaml | undefined {
    const target = this.#request.names.byId.get(`${refersTo} ${id}`);
    if (target !== undefined)
      return localName === true && target.parent === named.parent
        ? scalar(target.name)
        : verbatim(`!ref ${target.address}`);
    const others = this.#request.live.others.get(refersTo) ?? [];
    const title = titleOf(others.find((body) => body.id === id));
    if (title === undefined || title === '' || others.filter((body) => titleOf(body) === title).length > 1)
      return undefined;
    return { kind: 'map', tag: '!lookup', entries: [['title', scalar(title)]] };
  }
}

function valueOf(
  as: 'map' | 'list' | 'one',
  blocks: readonly { readonly name: string; readonly block: YamlMap }[],
): Yaml {
  if (as === 'one') return { ...blocks[0]!.block, maxInline: 0 };
  if (as === 'list') return { kind: 'list', items: blocks.map(({ block }) => block) };
  return { kind: 'map', entries: blocks.map(({ name, block }) => [name, block] as const), maxInline: 0 };
}

function titleOf(body: unknown): string | undefined {
  return (body as { readonly title?: string } | undefined)?.title;
}

function valueAbove({ parent }: LiveResource, kind: string, field: string): unknown {
  for (let above = parent; above !== undefined; above = above.parent)
    if (above.kind.name === kind) return above.values.get(field);
  return undefined;
}

/** What a manifest finds wrong with a block as a whole. */
function faultOf(kind: Kind, fields: Fields): string | undefined {
  let why: string | undefined;
  kind.check?.(
    { has: (field) => Object.hasOwn(fields, field), get: (field) => fields[field] },
    (_, message) => void (why ??= message),
  );
  return why;
}

/** Where a long value goes: `saml/okta/certificate`. */
function pathOf({ address, live }: NamedResource, field: string): string {
  const names = live.slot.as === 'one' && live.parent === undefined ? [] : nameOf(address).split('/');
  return [
    live.kind.name,
    ...[...names, field.replace(/([a-z0-9])([A-Z])/g, '$1-$2')].map((part) => toRefName(part, 'x')),
  ].join('/');
}
