import { readFileSync } from 'node:fs';
import type { TSchema } from '../../src/contract/schema.ts';
import { isOperation, type Operation } from '../../src/contract/operation.ts';
import { nouns } from '../../src/resources/index.ts';

/** The fields of the answers of all operations, by object: `Space` has `title`, `urls.app` and so on. */
export type AnswerFields = ReadonlyMap<string, ReadonlySet<string>>;

interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** Loads the operations of all nouns. */
export async function allOperations(): Promise<Operation[]> {
  const found: Operation[] = [];
  for (const { contract } of nouns) found.push(...Object.values(await contract()).filter(isOperation));
  return found;
}

/** Loads the operations of the published API. docs/api-operations.md lists the others as "own". */
export async function publishedOperations(): Promise<Operation[]> {
  const page = readFileSync(new URL('../../docs/api-operations.md', import.meta.url), 'utf8');
  const own = new Set([...page.matchAll(/^\| `([^`]+)` \|[^|]+\| own \|/gm)].map(([, words]) => words));
  return (await allOperations()).filter(({ id }) => !own.has(id.replaceAll('.', ' ')));
}

/** Names of objects without a constant `object` field, found by fields that only they have. The first match is used. */
const shapes: readonly (readonly [name: string, ...fields: string[]])[] = [
  ['integration-event', 'integrationId'],
  ['installation', 'space_selection'],
  ['installed-on-space', 'installation', 'space'],
  ['installed-on-site', 'installation', 'site'],
  ['site-customization', 'styling', 'internationalization', 'themes'],
  ['file', 'downloadURL'],
  ['effective-permission', 'permission', 'user', 'origin'],
  ['user-permission', 'permission', 'user'],
  ['team-permission', 'permission', 'team'],
  ['link', 'targetReference', 'locationReferences'],
  ['backlink', 'kind', 'versionContext'],
  ['search-section', 'path', 'body', 'urls'],
  ['search-page', 'path', 'sections', 'ancestors'],
  ['page', 'title', 'markdown', 'slug', 'pages'],
  ['page', 'title', 'href', 'target'],
  ['page', 'title', 'slug', 'pages'],
  ['reusable-content', 'title', 'git', 'document'],
  ['inserted', 'ref', 'id'],
  ['change', 'attributes', 'type'],
  ['openapi-spec-content', 'filesystem', 'urls'],
  ['openapi-spec-text', 'text', 'format'],
  ['page-meta-links', 'canonical', 'alternates'],
];

/** Returns the name of an object schema, if it has a name. */
function nameOf(properties: Readonly<Record<string, Schema>>): string | undefined {
  const word = properties['object']?.const;
  if (typeof word === 'string') return word;
  return shapes.find(([, ...fields]) => fields.every((field) => field in properties))?.[0];
}

/**
 * Collects the fields of answers from the declared schemas. A schema with a constant `object` field is an object of this
 * name wherever it is embedded, and so is a schema with fields that only this object has. The fields of other schemas belong
 * to the surrounding object or to the operation.
 */
export function fieldsOf(operations: readonly Operation[]): AnswerFields {
  const fields = new Map<string, Set<string>>();
  const add = (owner: string, path: string) => {
    const known = fields.get(owner) ?? new Set<string>();
    fields.set(owner, known.add(path));
  };
  const seen = new Set<string>();
  const walk = (schema: Schema, owner: string, path: string, depth: number): void => {
    if (depth > 12) return;
    for (const part of [...(schema.anyOf ?? []), ...(schema.allOf ?? [])]) walk(part, owner, path, depth + 1);
    if (schema.items !== undefined) walk(schema.items, owner, path, depth + 1);
    if (schema.properties === undefined) return;
    const name = nameOf(schema.properties);
    const [inner, base] = name === undefined ? [owner, path] : [name, ''];
    if (name !== undefined) {
      const key = `${name} ${Object.keys(schema.properties).sort().join()}`;
      if (seen.has(key)) return;
      seen.add(key);
    }
    for (const [field, value] of Object.entries(schema.properties)) {
      if (field === 'object' && name !== undefined) continue;
      const at = base === '' ? field : `${base}.${field}`;
      add(inner, at);
      walk(value, inner, at, depth + 1);
    }
  };
  for (const operation of operations) {
    const { schema, item } = operation.returns as { schema?: TSchema; item?: TSchema };
    if (schema !== undefined) walk((item ?? schema) as Schema, operation.id, '', 0);
  }
  return fields;
}
