import { groupBy, isRecord, truncate } from '../contract/values.ts';
import { oneLine, schemasOf, type OperationEntry } from './specification-tree.ts';
import { viewEntry, type ContentView, type OperationView, type ResponseView } from './view-operation.ts';
import { innerOf, SchemaViewer, type FieldView, type SchemaView } from './view-schema.ts';

/** Maximum number of fields of one schema, of values of one field, and of characters of one value and one example. */
const limits = { fields: 100, values: 30, value: 200, example: 4000 } as const;

/**
 * Describes an operation or webhook of a specification in Markdown: its security, parameters by kind, bodies and responses, with
 * examples, the specification's own code samples, and callbacks.
 */
export function describeOperation(
  root: Record<string, unknown>,
  entry: OperationEntry,
  field: 'paths' | 'webhooks',
): string[] {
  const view = viewEntry(root, entry, field, true);
  const callbacks = view.callbacks.flatMap(({ name, operation }) => [
    `**Callback ${code(name)}**`,
    '',
    `${code(`${operation.method.toUpperCase()} ${operation.path}`)}${deprecatedNote(operation.isDeprecated)}`,
    '',
    ...paragraph(operation.description),
    ...describeParts(operation),
  ]);
  return [...describeSecurity(view), ...describeParts(view), ...describeSamples(view), ...callbacks];
}

/** Describes schemas of a specification in Markdown, all or those with these names. Schemas inside of them are only named. */
export function describeSchemas(root: Record<string, unknown>, names?: readonly string[]): string[] {
  const all = schemasOf(root);
  return (names ?? Object.keys(all)).flatMap((name) => {
    const schema = Object.hasOwn(all, name) ? all[name] : undefined;
    return isRecord(schema) ? describeModel(root, schema, `**${code(name)}**: `) : [];
  });
}

/** Describes a schema of a specification in Markdown: its type, behind a prefix, its limits and its fields. */
export function describeModel(root: Record<string, unknown>, schema: unknown, prefix = ''): string[] {
  const view = new SchemaViewer(root, undefined, true).view(schema);
  return [...describeType(view, prefix), ...describeFields(view)];
}

/** Returns the type of a schema, behind a prefix, with its limits and its description. */
function describeType(schema: SchemaView, prefix = ''): string[] {
  const facts = factsOf(schema);
  return [
    `${prefix}${typeOf(schema)}${facts === '' ? '' : `; ${facts}`}`,
    '',
    ...paragraph(schema.description),
  ];
}

function describeParts({ parameters, body, responses }: OperationView): string[] {
  return [
    ...parameters.flatMap(({ place, fields }) => [`**${parameterTitles[place]}**`, '', ...tableOf(fields)]),
    ...(body === undefined
      ? []
      : [
          `**Body**${body.isRequired ? ' (required)' : ''}`,
          '',
          ...paragraph(body.description),
          ...describeContents(body.contents),
        ]),
    ...(responses.length === 0 ? [] : ['**Responses**', '']),
    ...responses.flatMap(describeResponse),
  ];
}

const parameterTitles = {
  path: 'Path parameters',
  query: 'Query parameters',
  header: 'Header parameters',
  cookie: 'Cookie parameters',
} as const;

function describeSecurity({ security }: OperationView): string[] {
  if (security.every((all) => all.length === 0)) return [];
  const lines = security.map((all) => {
    const names = all.map(({ name, place, scopes, description }) => {
      const needed = scopes.length === 0 ? '' : `, scopes ${scopes.map(code).join(', ')}`;
      return `${code(name)} (${code(place)}${needed})${description === '' ? '' : `: ${oneLine(description)}`}`;
    });
    return `* ${names.join(' and ') || 'No credentials'}`;
  });
  return ['**Security**', '', ...lines, ''];
}

/** Returns the specification's own code samples. */
function describeSamples({ samples = [] }: OperationView): string[] {
  if (samples.length === 0) return [];
  return [
    '**Code samples**',
    '',
    ...samples.flatMap(({ label, syntax, code: text }) => [code(label), '', ...fenced(text, syntax)]),
  ];
}

function describeResponse({ status, description, headers, contents, links }: ResponseView): string[] {
  return [
    `${code(status)} ${oneLine(description)}`.trim(),
    '',
    ...(headers.length === 0 ? [] : ['Headers:', '', ...tableOf(headers)]),
    ...describeContents(contents),
    ...(links.length === 0 ? [] : ['Links:', '']),
    ...links.map(({ name, operation, description: text, values }) => {
      const given = values.length === 0 ? '' : ` with ${values.map(code).join(', ')}`;
      return `* ${code(name)}: ${code(operation)}${given}${text === '' ? '' : `. ${oneLine(text)}`}`;
    }),
    ...(links.length === 0 ? [] : ['']),
  ];
}

/** Describes contents. Formats of the same schema are described together. */
function describeContents(contents: readonly ContentView[]): string[] {
  return [...groupBy(contents, ({ schema }) => schema)].flatMap(([schema, group]) => {
    const [example] = group.flatMap(({ examples }) => examples);
    return [
      ...describeType(schema, `${group.map(({ mediaType }) => code(mediaType)).join(', ')}: `),
      ...describeFields(schema),
      ...(example === undefined ? [] : fenced(example.text, isJson(example.text) ? 'json' : '')),
    ];
  });
}

/** Describes the fields of a schema, and those of its variants. */
function describeFields(schema: SchemaView): string[] {
  const { fields, variants } = innerOf(schema);
  return [
    ...(fields.length === 0 ? [] : tableOf(fields)),
    ...variants.flatMap((variant) => {
      const inside = describeFields(variant);
      return inside.length === 0 ? [] : [`${variantName(variant)}:`, '', ...inside];
    }),
  ];
}

function variantName(variant: SchemaView): string {
  return variant.names.length > 0 || variant.title === '' ? typeOf(variant) : oneLine(variant.title);
}

/** Returns the type of a schema: the name of its component, or its kind. */
function typeOf(schema: SchemaView, depth = 0): string {
  const { type, names, items, variants, values } = schema;
  const orNull = type.endsWith(' or null') ? ' or null' : '';
  if (names.length > 0) return `${names.map(code).join(' and ')}${orNull}`;
  if (items !== undefined && depth < 5)
    return `${type.startsWith('array') ? 'array' : 'map'} of ${typeOf(items, depth + 1)}${orNull}`;
  if (variants.length > 0 && depth < 5)
    return `${[...new Set(variants.slice(0, 10).map((each) => typeOf(each, depth + 1)))].join(' or ')}${orNull}`;
  const shown = values.slice(0, limits.values).map(code).join(', ');
  const more = values.length > limits.values ? ', …' : '';
  return `${oneLine(type)}${shown === '' ? '' : `: ${shown}${more}`}`;
}

/** Returns the limits, the default, the example and the discriminator of a schema. */
function factsOf(schema: SchemaView): string {
  const { limits: own, default: standard, example, discriminator } = schema;
  const facts = [
    ...own,
    ...(standard === undefined ? [] : [`default: ${standard}`]),
    ...(example === undefined ? [] : [`example: ${example}`]),
  ];
  const inside = innerOf(schema);
  return [
    ...facts.map((fact) => code(truncate(fact, limits.value))),
    ...(discriminator === undefined ? [] : [describeDiscriminator(discriminator)]),
    ...(inside === schema ? [] : [factsOf(inside)]),
  ]
    .filter((fact) => fact !== '')
    .join(', ');
}

function describeDiscriminator({ property, mapping }: NonNullable<SchemaView['discriminator']>): string {
  if (mapping.length === 0) return code(`discriminator: ${property}`);
  const choices = mapping.map(([value, name]) => `${code(value)} for ${code(name)}`);
  return `${code(property)} is ${choices.join(', ')}`;
}

interface Row {
  readonly name: string;
  readonly field: FieldView;
  readonly depth: number;
}

/** Returns a table of fields. Fields of nested objects have names such as `owner.name`, `tags[].id` and `labels.*.text`. */
function tableOf(fields: readonly FieldView[]): string[] {
  const all = rowsOf(fields);
  // If there are too many, the deepest are left out.
  let depth = Math.max(...all.map((row) => row.depth));
  while (depth > 0 && all.filter((row) => row.depth <= depth).length > limits.fields) depth--;
  const shown = all.filter((row) => row.depth <= depth).slice(0, limits.fields);
  const cell = (text: string) => text.replaceAll('|', '\\|');
  return [
    '| Name | Type | Required | Description |',
    '| --- | --- | --- | --- |',
    ...shown.map(
      ({ name, field }) =>
        `| ${cell(code(name))} | ${cell(typeOf(field.schema))} | ${field.isRequired ? 'yes' : 'no'} | ${cell(textOf(field))} |`,
    ),
    '',
    ...(shown.length < all.length ? [`${all.length - shown.length} more fields are not listed.`, ''] : []),
  ];
}

function rowsOf(fields: readonly FieldView[], prefix = '', depth = 0): Row[] {
  return fields.flatMap((field) => {
    let [name, { schema }] = [`${prefix}${field.name}`, field];
    for (; schema.items !== undefined; schema = schema.items)
      name = schema.type.startsWith('array') ? `${name}[]` : `${name}.*`;
    return [
      { name: `${prefix}${field.name}`, field, depth },
      ...rowsOf(schema.fields, `${name}.`, depth + 1),
    ];
  });
}

function textOf({ description, isDeprecated, schema }: FieldView): string {
  return [isDeprecated ? 'Deprecated.' : '', oneLine(description || schema.description), factsOf(schema)]
    .filter((part) => part !== '')
    .join(' ');
}

function deprecatedNote(isDeprecated: boolean): string {
  return isDeprecated ? ' (deprecated)' : '';
}

function paragraph(description: string): string[] {
  const text = oneLine(description);
  return text === '' ? [] : [text, ''];
}

function isJson(text: string): boolean {
  return /^[[{]/.test(text);
}

/** Returns a block of code. Long code is cut. */
function fenced(whole: string, language: string): string[] {
  const text = truncate(whole, limits.example);
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)));
  return [`${fence}${language}`, ...text.split(/\r?\n/), fence, ''];
}

/** Returns a text as code. */
function code(text: string): string {
  const line = oneLine(text);
  if (!line.includes('`')) return line === '' ? '' : `\`${line}\``;
  const ticks = '`'.repeat(Math.max(...[...line.matchAll(/`+/g)].map(([run]) => run.length)) + 1);
  return `${ticks} ${line} ${ticks}`;
}
