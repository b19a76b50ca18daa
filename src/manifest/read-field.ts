import { getField, type Body, type Kind } from './kind.ts';
import type { People } from './people.ts';

/** The fields that name a resource for people, best first. */
export const nameFields = ['title', 'path', 'name', 'label'];

/** Reads a field of a live resource in the form that manifests use. */
export function readField(kind: Kind, name: string, body: Body, people: People): unknown {
  const { read } = getField(kind, name);
  return read === undefined ? (body as unknown as Record<string, unknown>)[name] : read(body, people);
}

/** Returns the title, path, name or label of a live resource, or `otherwise` if it has none. */
export function displayName(
  kind: Kind,
  body: Body,
  { people }: { people: People },
  otherwise = body.id,
): string {
  const field = nameFields.find((name) => kind.fields[name] !== undefined);
  return String(field === undefined ? otherwise : (readField(kind, field, body, people) ?? otherwise));
}
