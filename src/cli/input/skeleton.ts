import type { Operation } from '../../contract/operation.ts';
import { printText } from '../output/print-text.ts';
import {
  isStructured,
  isText,
  propertiesIn,
  requiredIn,
  shapeOf,
  withoutNull,
  type Schema,
} from './field-schema.ts';
import { paramFlag } from './flags.ts';
import { positionalsOf } from './positionals.ts';
import { yamlText } from '../output/yaml.ts';
import { wantsTable, type Session } from '../session/session.ts';

/** Prints a template for the body of an operation: commented YAML, or an object with -o json. */
export async function printSkeleton(session: Session, operation: Operation): Promise<void> {
  if (!wantsTable(session)) return session.print(exampleOf(operation.body as Schema));
  await printText(session, skeletonText(operation));
}

/** Returns the body of an operation as YAML. Required fields have example values; the others are commented out. */
export function skeletonText(operation: Operation): string {
  const { id, body } = operation;
  const schema = body as Schema;
  const required = requiredIn(body);
  const command = `docsctl ${id.replaceAll('.', ' ')}`;
  const fields = propertiesIn(body).map(([name, field]) => fieldText(name, field, required.includes(name)));
  const text = fields.length > 0 ? fields.join('') : yamlText(exampleOf(schema));
  const isComplete = !/^#(?! )/m.test(text);
  return `# The body of \`${command}\`. ${isComplete ? 'Fill in the fields, delete those that you do not need,' : 'Remove the # of the fields that you need, fill them in,'} and send the file:
#   ${[command, ...argumentsOf(operation), '--body FILE'].join(' ')}
${text}`;
}

/** Returns the arguments and options that identify the resource of a request. */
function argumentsOf({ paramNames, ...operation }: Operation): string[] {
  const positionals = positionalsOf({ paramNames, ...operation });
  return [...paramNames]
    .filter((param) => param !== 'organizationId')
    .sort((one, other) => Number(positionals.includes(other)) - Number(positionals.includes(one)))
    .map((param) => {
      const name = paramFlag(param);
      return positionals.includes(param) ? name.toUpperCase() : `--${name} ${name.toUpperCase()}`;
    });
}

/** Returns a field with its description. A line without a value means that the value can be removed. */
function fieldText(name: string, field: Schema, isRequired: boolean): string {
  const own = withoutNull(field);
  const text = field.description ?? own.description ?? '';
  const notes = [
    ...(isRequired ? ['required'] : []),
    ...choicesOf(own),
    ...(isStructured(own) && !isText(own) ? [shapeOf(own)] : []),
  ];
  const comment = [text, notes.length > 0 ? `(${notes.join('; ')})` : ''].filter(Boolean).join(' ');
  const value = yamlText({ [name]: exampleOf(own) });
  return `\n${comment === '' ? '' : `# ${comment}\n`}${isRequired ? value : value.replace(/^(?=.)/gm, '#')}`;
}

function choicesOf({ enum: choices = [], items }: Schema): string[] {
  if (items !== undefined) return choicesOf(items);
  return choices.length === 0 ? [] : [`one of ${choices.join(', ')}`];
}

const exampleTexts: Readonly<Record<string, string>> = {
  uri: 'https://example.com',
  url: 'https://example.com',
  email: 'someone@example.com',
  'date-time': '2030-01-01T00:00:00Z',
};

/** Returns an example value for a schema. */
function exampleOf(schema: Schema): unknown {
  const {
    type,
    enum: choices,
    const: constant,
    anyOf,
    items,
    format,
    properties,
    patternProperties,
    examples,
  } = schema;
  if (Array.isArray(examples)) return examples[0];
  if (constant !== undefined) return constant;
  if (choices !== undefined) return choices[0];
  if (isText(schema)) return { markdown: 'text' };
  if (anyOf !== undefined) return exampleOf(anyOf.find((choice) => choice.type !== 'null') ?? ({} as Schema));
  if (type === 'array') return items === undefined ? [] : [exampleOf(items)];
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return (schema['minimum'] as number | undefined) ?? 0;
  if (type === 'string') return exampleTexts[format ?? ''] ?? 'text';
  if (properties !== undefined)
    return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, exampleOf(field)]));
  const [pattern] = Object.values(patternProperties ?? {});
  return pattern === undefined ? {} : { name: exampleOf(pattern) };
}
