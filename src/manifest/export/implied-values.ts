import type { Field } from '../kind.ts';
import { acceptsNull } from '../read/schema.ts';
import { isSame } from '../value.ts';
import type { LiveResource, ResourceValues } from './read-live.ts';

/** Whether a manifest need not state a value, because a new resource has it by default. */
export function isImplied({ kind, body, values }: ResourceValues, name: string, field: Field): boolean {
  const value = values.get(name) ?? null;
  if (value === null && (field.default === undefined || !acceptsNull(field.schema))) return true;
  // These fields are always stated: without a state file, a resource is found by its first key.
  if (field.required === true || kind.nameField === name || kind.keys.some(([first]) => first === name))
    return false;
  if (field.default !== undefined && isSame(value, field.default, field.equals)) return true;
  return kind.name === 'site-space' && name === 'title' && value === titleOfSpace(body);
}

/** Returns why no call can set a live value; undefined if it can be set. An export does not state such values. */
export function whyNotSettable(live: ResourceValues, name: string): string | undefined {
  const { kind, parent } = live;
  if (kind.name !== 'site-space' || name !== 'title' || parent?.kind.name !== 'section') return undefined;
  const isFirst = parent.inside.find((inner) => inner.kind === kind) === live;
  return isFirst ? 'the first site space of a new section always takes the title of its space' : undefined;
}

/**
 * Finds the shorthand field of a parent for the only resource inside it. For example, `space: !ref space.guide` stands for a site
 * space that has only the values it gets with its section.
 */
export function shorthandField(parent: LiveResource, live: LiveResource): string | undefined {
  const { kind, slot, body, values, inside } = live;
  const isInSlot = (field: string) => field === slot.field;
  const [short] =
    Object.entries(parent.kind.shorthands ?? {}).find((entry) => isInSlot(entry[1].inside)) ?? [];
  const siblings = parent.inside.filter((other) => isInSlot(other.slot.field));
  if (short === undefined || siblings.length > 1 || inside.length > 0) return undefined;
  const comesWithSection = (name: string) =>
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
  return (body as { space: { title: string } }).space.title;
}

/** Returns the path that the API derives from a plain title. For other titles, the path is always stated. */
function toPath(title: string): string | undefined {
  if (!/^[\x20-\x7e]{1,60}$/.test(title)) return undefined;
  return title
    .toLowerCase()
    .match(/[a-z0-9]+/g)
    ?.join('-');
}
