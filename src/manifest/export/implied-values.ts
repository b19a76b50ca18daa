import type { Field } from '../kind.ts';
import { acceptsNull } from '../read/schema.ts';
import { isSame } from '../value.ts';
import type { LiveResource, ResourceValues } from './read-live.ts';

/** Whether a manifest need not state a value, because a new resource has it. */
export function isImplied({ kind, body, values }: ResourceValues, name: string, field: Field): boolean {
  const value = values.get(name) ?? null;
  if (value === null && (field.default === undefined || !acceptsNull(field.schema))) return true;
  // Without a state file, a resource is found again by its first key.
  if (field.required === true || kind.nameField === name || kind.keys.some(([first]) => first === name))
    return false;
  if (field.default !== undefined && isSame(value, field.default, field.equals)) return true;
  return kind.name === 'site-space' && name === 'title' && value === titleOfSpace(body);
}

/** Why no call sets a live value, so that an export does not state it. */
export function whyNotSettable(live: ResourceValues, name: string): string | undefined {
  const { kind, parent } = live;
  if (kind.name !== 'site-space' || name !== 'title' || parent?.kind.name !== 'section') return undefined;
  const isFirst = parent.inside.find((inner) => inner.kind === kind) === live;
  return isFirst ? 'the first site space of a new section always takes the title of its space' : undefined;
}

/**
 * Finds the field of a parent that is short for the only resource inside, such as `space: !ref space.guide` for a site space
 * that has only what it gets with its section.
 */
export function shorthandField(parent: LiveResource, live: LiveResource): string | undefined {
  const { kind, slot, body, values, inside } = live;
  const isInSlot = (field: string): boolean => field === slot.field;
  const [short] =
    Object.entries(parent.kind.shorthands ?? {}).find((entry) => isInSlot(entry[1].inside)) ?? [];
  const siblings = parent.inside.filter((other) => isInSlot(other.slot.field));
  if (short === undefined || siblings.length > 1 || inside.length > 0) return undefined;
  const comesWithSection = (name: string): boolean =>
    kind.name === 'site-space' &&
    (name === 'default' || (name === 'path' && values.get('path') === toPath(titleOfSpace(body))));
  const hasMore = Object.entries(kind.fields).some(
    ([name, field]) =>
      name !== short &&
      !isImplied(live, name, field) &&
      whyNotSettable(live, name) === undefined &&
      !comesWithSection(name),
  );
  return hasMore ? undefined : short;
}

function titleOfSpace(body: unknown): string {
  return (body as { readonly space: { readonly title: string } }).space.title;
}

/** Makes the path that the API makes of a plain title. Paths of other titles are always stated. */
function toPath(title: string): string | undefined {
  if (!/^[\x20-\x7e]{1,60}$/.test(title)) return undefined;
  return title
    .toLowerCase()
    .match(/[a-z0-9]+/g)
    ?.join('-');
}
