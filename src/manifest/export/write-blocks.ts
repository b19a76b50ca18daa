import { defined, isRecord, plural, textsIn } from '../../contract/values.ts';
import { nameOf } from '../address.ts';
import { slotsIn } from '../block-schema.ts';
import { readFingerprints } from '../differences.ts';
import { whyNotAccepted } from '../fits-schema.ts';
import { getField, notReadable, type Field, type Fields, type Kind } from '../kind.ts';
import type { Owned } from '../manifest-state.ts';
import { literalIds } from '../literal-ids.ts';
import { limits } from '../read/limits.ts';
import { isSame } from '../value.ts';
import { isImplied, whyNotSettable } from './implied-values.ts';
import type { LiveOrganization, LiveResource } from './read-live.ts';
import type { NamedResource, ResourceNames } from './name-resources.ts';
import { toRefName } from './ref-names.ts';
import type { TextFiles } from './text-files.ts';
import { mapMembers, scalar, toYaml, verbatim, type Yaml, type YamlEntry, type YamlMap } from './yaml.ts';

/** Maximum fields of a resource on one line. */
const maxInline = 3;

/** The format of the IDs of docsctl. */
const idForm = /^[a-z]+_[0-9A-Z]{26}$/;

const ofOneOrganization = 'it belongs to this organization only';

interface BlocksRequest {
  readonly live: LiveOrganization;
  readonly names: ResourceNames;
  readonly table: readonly Kind[];
  readonly files: TextFiles;
  readonly isProtected: (kind: string, id: string) => boolean;
  /** Leaves out IDs of resources that no reference can name. */
  readonly portable: boolean;
  readonly note: (message: string) => void;
}

/** Writes the top-level fields of a manifest, and the entries of the state file for all blocks in them. */
export function writeBlocks(request: BlocksRequest): {
  top: readonly YamlEntry[];
  owned: ReadonlyMap<string, Owned>;
} {
  const writer = new BlockWriter(request);
  return { top: writer.writeInside(request.names.tops, undefined), owned: writer.owned };
}

class BlockWriter {
  readonly owned = new Map<string, Owned>();
  readonly #request: BlocksRequest;

  constructor(request: BlocksRequest) {
    this.#request = request;
  }

  /** Writes the blocks inside a block, or at the top level, field by field in the order of the table. */
  writeInside(resources: ReadonlyMap<Kind, readonly NamedResource[]>, within: Kind | undefined): YamlEntry[] {
    const fields = new Map<string, Yaml>();
    for (const { kind, slot } of slotsIn(within?.name, this.#request.table)) {
      const own = (resources.get(kind) ?? []).filter(({ live }) => live.slot === slot);
      const blocks = own.flatMap((named): [name: string, block: YamlMap][] => {
        const block = this.#writeBlock(named);
        return block === undefined ? [] : [[named.name, block]];
      });
      const [first] = blocks;
      if (first === undefined) continue;
      const value: Yaml =
        slot.as === 'one'
          ? { ...first[1], maxInline: 0 }
          : slot.as === 'list'
            ? { kind: 'list', items: blocks.map(([, block]) => block) }
            : { kind: 'map', entries: blocks, maxInline: 0 };
      const [outer = '', inner] = slot.field.split('.');
      const known = fields.get(outer);
      const siblings = known?.kind === 'map' ? known.entries : [];
      fields.set(
        outer,
        inner === undefined ? value : { kind: 'map', entries: [...siblings, [inner, value]], maxInline: 0 },
      );
    }
    return [...fields];
  }

  /** Returns the block of a resource; undefined if its parent or the defaults imply it, or no manifest can state it. */
  #writeBlock(named: NamedResource): YamlMap | undefined {
    const { live, name, address, parent, short, inside } = named;
    const { kind, body, slot } = live;
    const { isProtected, note } = this.#request;
    const stated = this.#statedFields(named);
    if (stated === undefined) return undefined;
    const hasFields = Object.keys(stated).length > 0;
    if (short === undefined && slot.as === 'one' && kind.create === undefined && !hasFields) return undefined;
    const children = [...inside.values()].flat();
    const all = {
      ...stated,
      ...Object.fromEntries(children.map((child) => [child.live.slot.field, [child]])),
    };
    const why = faultOf(kind, all);
    if (why !== undefined) {
      note(`${address} was not exported: ${why}`);
      return undefined;
    }
    const protect = isProtected(kind.name, body.id);
    this.owned.set(address, {
      kind: kind.name,
      id: body.id,
      ...defined({ parent: parent?.address, protect: protect ? (true as const) : undefined }),
      fields: stated,
      ...readFingerprints(kind, body, Object.keys(stated)),
    });
    if (short !== undefined) return undefined;
    const isName = (field: string) => slot.names !== undefined && field === kind.nameField;
    const fields = Object.keys(stated)
      .filter((field) => !isName(field))
      .map((field): YamlEntry => [field, this.#toYaml(named, field)]);
    const shorts = children.flatMap((child): YamlEntry[] =>
      child.short === undefined ? [] : [[child.short, this.#toYaml(child, child.short)]],
    );
    // The shorthand of a block comes after its name.
    const head = fields[0]?.[0] === kind.nameField ? 1 : 0;
    const entries: YamlEntry[] = [
      ...(named.statesRef ? [['ref', scalar(name)] as const] : []),
      ...fields.slice(0, head),
      ...shorts,
      ...fields.slice(head),
      ...(protect ? [['protect', scalar(true)] as const] : []),
      ...this.writeInside(inside, kind),
    ];
    return { kind: 'map', entries, ...(slot.as === 'list' ? {} : { maxInline }) };
  }

  /** Returns the fields that a manifest has to state, in the form of a plan. Undefined if a required field cannot be stated. */
  #statedFields(named: NamedResource): Fields | undefined {
    const { live, address, short } = named;
    const { note } = this.#request;
    const stated: Record<string, unknown> = {};
    for (const [name, field] of Object.entries(live.kind.fields)) {
      this.#leaveOutLost(named, name, field);
      const isOmitted = short === undefined ? isImplied(live, name, field) : name !== short;
      if (isOmitted) continue;
      const { normal, why = this.#whyNotPortable(named, name, field) } = this.#normalize(live, name, field);
      if (why === undefined) stated[name] = normal;
      else if (field.required === true && field.refersTo !== undefined)
        return void note(`${address} was not exported: ${why}`);
      else if (why !== ofOneOrganization || field.isAlwaysSet !== true)
        note(`"${name}" of ${address} was not exported: ${why}`);
    }
    return stated;
  }

  /** Returns why a value has no meaning in another organization; undefined if it has one. */
  #whyNotPortable(named: NamedResource, name: string, field: Field): string | undefined {
    if (!this.#request.portable) return undefined;
    if (field.belongsToOne === true) return ofOneOrganization;
    return this.#findLost(named, name, field)?.why;
  }

  /** Removes list items that have no meaning in another organization. */
  #leaveOutLost(named: NamedResource, name: string, field: Field): void {
    const lost = this.#request.portable ? this.#findLost(named, name, field) : undefined;
    if (lost === undefined) return;
    let removed = 0;
    const keep = (value: unknown): unknown => {
      if (isRecord(value))
        return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, keep(one)]));
      if (!Array.isArray(value)) return value;
      const kept = value.map(keep).filter((item) => !textsIn(item).some((text) => lost.ids.has(text)));
      removed += value.length - kept.length;
      return kept;
    };
    named.live.values.set(name, keep(named.live.values.get(name)));
    if (removed > 0)
      this.#request.note(
        `${plural(removed, 'item')} of "${name}" of ${named.address} ${removed === 1 ? 'was' : 'were'} not exported: ${lost.why}`,
      );
  }

  /** Finds the IDs in a value that cannot be replaced by references, because the resource is deleted or not exported. */
  #findLost(
    named: NamedResource,
    name: string,
    field: Field,
  ): { ids: ReadonlySet<string>; why: string } | undefined {
    if (field.refersTo === undefined) return undefined;
    const value = named.live.values.get(name);
    const ids = literalIds(field, value);
    const unnamed = ids.filter((id) => this.#referenceTo(id, field, named) === undefined);
    // An ID in place of a path refers to a deleted page or section.
    const paths = textsIn(value).filter((text) => idForm.test(text) && !ids.includes(text));
    if (unnamed.length > 0)
      return {
        ids: new Set([...unnamed, ...paths]),
        why: `only an ID names its ${field.refersTo}, which is not part of the export`,
      };
    return paths.length > 0
      ? { ids: new Set(paths), why: 'it leads to a page or section that is gone' }
      : undefined;
  }

  /** Converts a value to the form of a plan, or returns why a manifest cannot state it. */
  #normalize(live: LiveResource, name: string, field: Field): { normal?: unknown; why: string | undefined } {
    const { normalize, equals, check, export: compute } = field;
    const value = live.values.get(name) ?? null;
    let why =
      value === notReadable
        ? 'the specification has no processed version yet; export again when `docsctl openapi list` shows one'
        : (whyNotSettable(live, name) ?? whyNotStatable(field, value));
    if (why !== undefined || value === null) return { normal: null, why };
    const refuse = (message: string) => void (why ??= message);
    const normal = normalize === undefined ? value : normalize(value, this.#request.live.people, refuse);
    check?.(
      value,
      (kind, other) => valueAbove(live, kind, other),
      (message) => refuse(`a manifest does not allow the current value: ${message}`),
    );
    // A value that the export computes may omit defaults.
    if (compute === undefined && !isSame(normal, value, equals))
      refuse('a manifest cannot express the current value');
    return { normal, why };
  }

  #toYaml(named: NamedResource, name: string): Yaml {
    const { files } = this.#request;
    const { kind, values } = named.live;
    const field = getField(kind, name);
    const value = values.get(name) ?? null;
    if (field.refersTo !== undefined) return this.#withReferences(value, field, named);
    if (field.filePath !== undefined && typeof value === 'string')
      return files.add(field.filePath(value, named.name), value);
    return files.toYaml(filePathOf(named, name), value, field.schema);
  }

  /** Replaces IDs by references, anywhere in a value. */
  #withReferences(value: unknown, field: Field, named: NamedResource): Yaml {
    const convert = (inner: unknown): Yaml => this.#withReferences(inner, field, named);
    if (typeof value === 'string') return this.#referenceTo(value, field, named) ?? scalar(value);
    if (Array.isArray(value)) return { kind: 'list', items: value.map(convert) };
    if (!isRecord(value)) return toYaml(value);
    return { kind: 'map', entries: mapMembers(value, convert) };
  }

  /** Returns a reference to a resource: its name or address, or a lookup by its unique title if it is not exported. */
  #referenceTo(id: string, { refersTo = '', localName }: Field, { parent }: NamedResource): Yaml | undefined {
    const { names, live } = this.#request;
    const target = names.byId.get(`${refersTo} ${id}`);
    if (target !== undefined)
      return localName === true && target.parent === parent
        ? scalar(target.name)
        : verbatim(`!ref ${target.address}`);
    const others = live.others.get(refersTo) ?? [];
    const title = titleOf(others.find((body) => body.id === id));
    const isUnique = others.filter((body) => titleOf(body) === title).length === 1;
    if (title === undefined || title === '' || !isUnique) return undefined;
    return { kind: 'map', tag: '!lookup', entries: [['title', scalar(title)]] };
  }
}

/** Returns why a manifest cannot state a value, independent of the resource; undefined if it can. */
function whyNotStatable({ schema, filePath }: Field, value: unknown): string | undefined {
  const why = whyNotAccepted(value, schema);
  if (why !== undefined || filePath === undefined || Buffer.byteLength(String(value)) <= limits.fileBytes)
    return why;
  return `a manifest can include files of at most ${limits.fileBytes >> 20} MiB`;
}

function titleOf(body: unknown): string | undefined {
  return (body as { title?: string } | undefined)?.title;
}

/** Reads a field of the nearest resource of a kind: the resource itself, or one of its parents. */
function valueAbove(live: LiveResource | undefined, kind: string, field: string): unknown {
  if (live === undefined) return undefined;
  return live.kind.name === kind ? live.values.get(field) : valueAbove(live.parent, kind, field);
}

function faultOf(kind: Kind, fields: Fields): string | undefined {
  let why: string | undefined;
  kind.check?.(
    { has: (field) => Object.hasOwn(fields, field), get: (field) => fields[field] },
    (_, message) => void (why ??= message),
  );
  return why;
}

/** Returns the path of the file for a long value, without the extension: `saml/okta/certificate`. */
function filePathOf({ address, live: { kind, slot, parent } }: NamedResource, field: string): string {
  const names = slot.as === 'one' && parent === undefined ? [] : nameOf(address).split('/');
  const parts = [...names, field.replace(/([a-z0-9])([A-Z])/g, '$1-$2')];
  return [kind.name, ...parts.map((part) => toRefName(part, 'x'))].join('/');
}
