import type { Field } from '../kind.ts';
import { acceptsNull } from '../read/schema.ts';
import { isSame } from '../value.ts';
import type { LiveResource, ResourceValues } from './read-live.ts';

/** Whether a value needs no word in the file: it is what a new resource has, or it follows from something else there. */
export function isImplied(live: ResourceValues, name: string, field: Field): boolean {
  const value = live.values.get(name) ?? null;
  if (value === null && (field.default === undefined || !acceptsNull(field.schema))) return true;
  // By its first key a resource is found again where there is no lock.
  if (
    field.required === true ||
    live.kind.nameField === name ||
    live.kind.keys.some(([first]) => first === name)
  )
    return false;
  if (field.default !== undefined && isSame(value, field.default, field.equals)) return true;
  return live.kind.name === 'site-space' && name === 'title' && value === titleOfSpace(live);
}

/** Why the API does not take a value that is live when the manifest makes everything anew; then an export does not state it. */
export function whyNotSettable(live: ResourceValues, name: string): string | undefined {
  const isFirst =
    live.parent?.kind.name === 'section' &&
    live.parent.inside.find(({ kind }) => kind === live.kind) === live;
  return live.kind.name === 'site-space' && name === 'title' && isFirst
    ? 'the first site space of a new section always shows the title of its space'
    : undefined;
}

/**
 * The field of the parent that says all about what lies in it alone: `space: !ref space.guide` for a site space that has
 * what it gets when its section is made.
 */
export function shorthandField(parent: LiveResource, live: LiveResource): string | undefined {
  const { shorthands = {} } = parent.kind;
  const siblings = parent.inside.filter(({ slot }) => slot.field === live.slot.field);
  const field = Object.keys(shorthands).find((name) => shorthands[name]!.inside === live.slot.field);
  if (field === undefined || siblings.length > 1) return undefined;
  const says = Object.entries(live.kind.fields).filter(
    ([name, given]) =>
      name !== field &&
      !isImplied(live, name, given) &&
      whyNotSettable(live, name) === undefined &&
      !comesWithSection(live, name),
  );
  return says.length === 0 && live.inside.length === 0 ? field : undefined;
}

function comesWithSection(live: LiveResource, name: string): boolean {
  if (live.kind.name !== 'site-space') return false;
  return name === 'default' || (name === 'path' && live.values.get('path') === pathFrom(titleOfSpace(live)));
}

function titleOfSpace({ body }: ResourceValues): string {
  return (body as unknown as { space: { title: string } }).space.title;
}

/** The path that the API makes of a plain title; of others it may make what it likes, so their path is stated. */
function pathFrom(title: string): string | undefined {
  return /^[\x20-\x7e]{1,60}$/.test(title)
    ? title
        .toLowerCase()
        .match(/[a-z0-9]+/g)
        ?.join('-')
    : undefined;
}
