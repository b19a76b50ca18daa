// Writes docs/manifest-reference.md: every block of a manifest with its fields, from the table of kinds and the schema of manifests.
import {
  acceptsNull,
  branchesOf,
  choicesOf,
  isIdSchema,
  isOnlyTrue,
  recordOf,
  typeOf,
  withoutNull,
} from '../src/manifest/read/schema.ts';

/**
 * @typedef {import('../src/manifest/read/schema.ts').Schema & { default?: unknown }} Schema
 * @typedef {import('../src/manifest/kind.ts').Kind} Kind
 * @typedef {{ name: string, type: string, description: string | undefined, isRequired: boolean }} Row
 * @typedef {{ title: string, description: string, example: string, rows: Row[] }} Block
 */

/** Fields of every block of a resource, which are described once. */
const common = new Set(['id', 'protect', 'ref']);

/** The example of imports, which are no resources. */
const importsExample = `
imports:
  conversations:
    - files: support/*.ndjson
      source: zendesk
      map: { id: .ticket, subject: .title }
      redact: [email, phone]
      onDuplicate: skip
`;

/**
 * Describes the blocks of a manifest in the order of the table: the path of each in the file, and its fields.
 *
 * @param {readonly Kind[]} table
 * @param {Schema} manifest
 * @returns {Block[]}
 */
export function blocksOf(table, manifest) {
  const blocks = table.flatMap((kind) => {
    const places = kind.slots.map((slot) => placesOf(slot, table)).flat();
    const schema = schemaAt(manifest, kind, table);
    return [
      {
        title: places.map((place) => `\`${place}\``).join(' and '),
        description: kind.description,
        example: kind.example.trim(),
        rows: Object.entries(schema.properties ?? {})
          .filter(([name]) => !common.has(name) && !isBlock(name, kind, table))
          .flatMap(([name, field]) => rowsOf(name, field, kind)),
      },
    ];
  });
  const imports = /** @type {Schema} */ (manifest.properties?.['imports']);
  return [
    ...blocks,
    {
      title: '`imports`',
      description: `${imports.description}.`,
      example: importsExample.trim(),
      rows: rowsOf('conversations', /** @type {Schema} */ (imports.properties?.['conversations'])),
    },
  ];
}

/**
 * Writes the whole page.
 *
 * @param {readonly Kind[]} table
 * @param {Schema} manifest
 */
export function toManifestReference(table, manifest) {
  const blocks = blocksOf(table, manifest);
  const parts = [
    introduction,
    '## Blocks',
    blocks.map(({ title }) => `- [${title}](#${anchorOf(title)})`).join('\n'),
  ];
  for (const { title, description, example, rows } of blocks)
    parts.push(
      `## ${title}`,
      description,
      ['| Field | Value | Meaning |', '| --- | --- | --- |', ...rows.map(rowText)].join('\n'),
      `\`\`\`yaml\nversion: 1\n${example}\n\`\`\``,
    );
  return `${parts.join('\n\n')}\n`;
}

/**
 * Paths of a slot in the file: `sites.NAME.sections[]`.
 *
 * @param {Kind['slots'][number]} slot
 * @param {readonly Kind[]} table
 * @returns {string[]}
 */
function placesOf({ within, field, as, names }, table) {
  const end = as === 'map' ? (names === 'email' ? '.EMAIL' : '.NAME') : as === 'list' ? '[]' : '';
  if (within === undefined) return [`${field}${end}`];
  const parent = table.find(({ name }) => name === within);
  return (parent?.slots ?? [])
    .flatMap((slot) => placesOf(slot, table))
    .map((place) => `${place}.${field}${end}`);
}

/**
 * The schema of the block of a kind, at its first place.
 *
 * @param {Schema} manifest
 * @param {Kind} kind
 * @param {readonly Kind[]} table
 * @returns {Schema}
 */
function schemaAt(manifest, kind, table) {
  const [slot] = kind.slots;
  if (slot === undefined) throw new Error(`${kind.name} stands nowhere`);
  const parent = table.find(({ name }) => name === slot.within);
  const around = parent === undefined ? manifest : schemaAt(manifest, parent, table);
  const found = slot.field
    .split('.')
    .reduce(
      (/** @type {Schema} */ schema, name) => /** @type {Schema} */ (schema.properties?.[name]),
      around,
    );
  if (slot.as === 'map') return recordOf(found).value;
  return slot.as === 'list' ? (found.items ?? {}) : found;
}

/**
 * Whether a field of a block holds blocks of another kind.
 *
 * @param {string} name
 * @param {Kind} kind
 * @param {readonly Kind[]} table
 */
function isBlock(name, kind, table) {
  return table.some(({ slots }) => slots.some(({ within, field }) => within === kind.name && field === name));
}

/**
 * A row for a field, and one for each field in it.
 *
 * @param {string} name
 * @param {Schema} schema
 * @param {Kind} [kind]
 * @param {string} [refersTo]
 * @param {boolean} [isRequired]
 * @returns {Row[]}
 */
function rowsOf(name, schema, kind, refersTo, isRequired = false) {
  const inner = withoutNull(schema);
  const field = kind?.fields[name];
  const target = field?.refersTo ?? refersTo;
  const isName = kind?.nameField === name;
  const isInList = kind?.slots.some(({ as }) => as === 'list') === true;
  const initial = isOnlyTrue(schema)
    ? undefined
    : (field?.default ?? schema.default ?? /** @type {Schema} */ (inner).default);
  const description = schema.description ?? inner.description;
  const type = [
    `${describeType(schema, target)}${describeLength(inner, description)}`,
    ...(isName && isInList ? ['required'] : []),
    ...(field?.required === true && !isName ? ['required for a new block'] : []),
    ...(field?.create === 'only' ? ['cannot be changed later'] : []),
    ...(initial === undefined || initial === null ? [] : [`default: ${showDefault(initial)}`]),
  ].join('; ');
  const own = { name, type, description, isRequired };
  // Claims may hold claims; they are described once.
  const isRepeated = typeOf(inner) === 'record' && name.includes('.NAME');
  const others = isRepeated
    ? []
    : innerFields(inner).flatMap(([path, one, required]) =>
        rowsOf(`${name}${path}`, one, undefined, target, required),
      );
  return mergeRows([own, ...others]);
}

/**
 * Makes one row of those with the same name, which come from the branches of a union.
 *
 * @param {readonly Row[]} rows
 * @returns {Row[]}
 */
function mergeRows(rows) {
  /** @type {Map<string, Row>} */
  const merged = new Map();
  for (const row of rows) {
    const known = merged.get(row.name);
    const types = new Set([...(known?.type.split(', ') ?? []), ...row.type.split(', ')]);
    merged.set(row.name, { ...row, ...known, type: known === undefined ? row.type : [...types].join(', ') });
  }
  return [...merged.values()];
}

/**
 * Fields inside of a value: those of a map, of the items of a list, and of the maps of a union. A field of a union is required if
 * all maps of the union require it.
 *
 * @param {Schema} schema
 * @returns {[path: string, schema: Schema, isRequired: boolean][]}
 */
function innerFields(schema) {
  switch (typeOf(schema)) {
    case 'map':
      return Object.entries(schema.properties ?? {}).map(([name, one]) => [
        `.${name}`,
        one,
        schema.required?.includes(name) === true,
      ]);
    case 'record':
      return innerFields(withoutNull(recordOf(schema).value)).map(([path, ...one]) => [
        `.NAME${path}`,
        ...one,
      ]);
    case 'list':
      return innerFields(withoutNull(schema.items ?? {})).map(([path, ...one]) => [`[]${path}`, ...one]);
    case 'union':
      return requiredInAll(branchesOf(schema).map((branch) => innerFields(withoutNull(branch))));
    default:
      return [];
  }
}

/**
 * @param {readonly [path: string, schema: Schema, isRequired: boolean][][]} branches
 * @returns {[path: string, schema: Schema, isRequired: boolean][]}
 */
function requiredInAll(branches) {
  const maps = branches.filter((fields) => fields.length > 0);
  const isRequired = (/** @type {string} */ path) =>
    maps.every((fields) => fields.some(([one, , required]) => one === path && required));
  return maps.flat().map(([path, one]) => [path, one, isRequired(path)]);
}

/**
 * @param {Schema} schema
 * @param {string} [refersTo]
 * @returns {string}
 */
function describeType(schema, refersTo) {
  const end = acceptsNull(schema) ? ' or null' : '';
  return `${describePlain(withoutNull(schema), refersTo)}${end}`;
}

/**
 * The maximum length of a short text, unless its description has it.
 *
 * @param {Schema} schema
 * @param {string} [description]
 */
function describeLength(schema, description = '') {
  const { maxLength = Infinity } = schema;
  const isText = typeOf(schema) === 'scalar' && schema.type === 'string' && !isIdSchema(schema);
  return isText && maxLength <= 255 && !description.includes(String(maxLength))
    ? `; at most ${maxLength} characters`
    : '';
}

/**
 * @param {Schema} schema
 * @param {string} [refersTo]
 * @returns {string}
 */
function describePlain(schema, refersTo) {
  if (isIdSchema(schema))
    return refersTo === undefined ? 'reference' : `reference to a ${refersTo.replaceAll('-', ' ')}`;
  const choices = choicesOf(schema);
  if (choices !== undefined) return choices.join(', ');
  switch (typeOf(schema)) {
    case 'scalar':
      return (
        { string: 'text', boolean: 'true or false', integer: 'whole number', number: 'number' }[
          schema.type ?? ''
        ] ?? ''
      );
    case 'list':
      return `list of ${plural(describeType(schema.items ?? {}, refersTo))}`;
    case 'union':
      return [...new Set(branchesOf(schema).map((branch) => describeType(branch, refersTo)))].join(' or ');
    case 'record':
    case 'map':
      return 'map';
    default:
      return 'any value';
  }
}

/** @param {string} type */
function plural(type) {
  if (type.startsWith('reference'))
    return type
      .replace(/^reference/, 'references')
      .replace(/ to an? /, ' to ')
      .replace(/(to .*)$/, '$1s');
  return { text: 'texts', map: 'maps' }[type] ?? type.replaceAll('text', 'texts').replaceAll('map', 'maps');
}

/** @param {unknown} value */
function showDefault(value) {
  return typeof value === 'string'
    ? value === ''
      ? 'empty'
      : value
    : Array.isArray(value)
      ? '[]'
      : typeof value === 'object'
        ? Object.keys(value ?? {}).length === 0
          ? '{}'
          : 'off'
        : String(value);
}

/** @param {Row} row */
function rowText({ name, type, description = '', isRequired }) {
  return `| \`${name}\` | ${escape(type)}${isRequired ? '; required' : ''} | ${escape(description)} |`;
}

/** @param {string} text */
function escape(text) {
  return text.replaceAll('|', '\\|').replaceAll('<', '\\<').replaceAll('*', '\\*');
}

/** @param {string} title */
function anchorOf(title) {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9 ]/g, '')
    .trim()
    .replaceAll(' ', '-');
}

const introduction = `---
description: Every block and field of a manifest, with an example of each.
---

# Manifest reference

This page lists every block that a [manifest](manifests.md) can have. If a block leaves out a field, apply does not change the field
of an existing resource, and a new resource gets the default that the table names, if there is one. The fields of \`content\` say how
apply imports a folder; if they are left out, apply uses their defaults, even for existing spaces. A field inside a map or list is
required if the column "Value" says so. \`null\` clears a field if this column contains null. \`docsctl validate\` checks whether a
manifest follows this page, and \`docsctl schema manifest\` prints a JSON Schema for editors.

## The file

| Field | Value | Meaning |
| --- | --- | --- |
| \`version\` | 1 | the version of the format; required in every file |
| \`include\` | list of texts | paths of more files of the manifest, relative to this file. They can be patterns with \\* and \\*\\* |
| \`overlay\` | true or false; default: false | true: the file changes the other files that you give with \`-f\` |
| \`vars\` | map | variables by name. The value is the default value of the variable, or a map with \`required\`, \`default\`, \`type\` and \`description\` |
| \`org.id\` | text | organization that the manifest is for: its ID, hostname or title |

## Values

| Written as | Meaning |
| --- | --- |
| \`!ref space.guide\` | the resource of another block: here, of the block \`guide\` below \`spaces:\` |
| \`!lookup { title: Guide }\` | an existing resource that has no block in the manifest, by its fields. Exactly one resource must have these fields |
| \`!file okta.pem\` | the text of a file in the [folder of the manifest](manifests.md#variables-and-several-files). Its path is relative to the file that names it. If the field is a map or a list, the file has to be JSON or YAML |
| \`\${var.name}\` | the value of a variable from \`vars\`. Texts can contain it, with or without quotes. Names of fields cannot contain it |
| \`\${env.NAME}\` | the value of an environment variable, in the same places |

A reference is \`!ref\`, \`!lookup\` or an ID.

## Every block

| Field | Value | Meaning |
| --- | --- | --- |
| \`id\` | text | ID of the existing resource that the block stands for |
| \`protect\` | true or false | true: never delete this resource, even with \`--prune\` |
| \`ref\` | text; only in lists | name by which \`!ref\` finds the block (default: the value of its \`path\` field) |`;
