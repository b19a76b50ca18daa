import { Problem } from '../errors/problem.ts';
import { mappingTargets, type Mapping, type MappingTarget } from './mapping.ts';
import { parsePath, type FieldPath } from './field-path.ts';
import { withSuggestion } from './suggestion.ts';

/**
 * Returns a mapping for the columns of one file, in which columns with the name of a field of conversations are mapped to it.
 * `withoutId` accepts files without a column for IDs.
 *
 * @throws Problem(invalid-input) if a column of the mapping is missing or exists twice, or a required field has no column
 */
export function mapColumns(
  mapping: Mapping,
  columns: readonly string[],
  file: string,
  withoutId: boolean,
): Mapping {
  const paths = new Map<MappingTarget, FieldPath>();
  // With a column of messages, which contains JSON, the body and role are paths in the messages and not columns.
  const isInMessages = (target: MappingTarget) =>
    mapping.paths.has('parts') && (target === 'body' || target === 'role');
  for (const [target, path] of mapping.paths) {
    if (!isInMessages(target)) requireColumn(path, target, columns, file);
    paths.set(target, path);
  }
  for (const [name, path] of mapping.attributes) requireColumn(path, `attributes.${name}`, columns, file);
  const attributes = new Map(mapping.attributes);
  for (const column of columns) {
    const target = mappingTargets.find((field) => normalizeName(field) === normalizeName(column));
    const attribute = /^attributes\.(.+)$/s.exec(column)?.[1];
    if (target !== undefined && !paths.has(target) && !(mapping.paths.has('parts') && target === 'body'))
      paths.set(target, pathTo(column));
    if (attribute !== undefined && !attributes.has(attribute)) attributes.set(attribute, pathTo(column));
  }
  // Many exports have several columns "Comment". This is a fault only if one of them is read.
  const read = [...[...paths].filter(([target]) => !isInMessages(target)), ...attributes];
  const twice = read.find(([, { name }]) => columns.indexOf(name) !== columns.lastIndexOf(name))?.[1].name;
  if (twice !== undefined)
    throw new Problem('invalid-input', `${file} has two columns "${twice.slice(0, 100)}".`, {
      hint: 'Rename one of the columns.',
    });
  const missing = [
    ...(withoutId ? [] : (['id'] as const)),
    ...(paths.has('parts') ? [] : (['body'] as const)),
  ].find((target) => !paths.has(target));
  if (missing !== undefined)
    throw new Problem(
      'invalid-input',
      withSuggestion(`${file} has no column "${missing}"`, missing, columns),
      { hint: `Name the column with --map ${missing}=COLUMN. ${listColumns(columns)}` },
    );
  return { ...mapping, paths, attributes };
}

function requireColumn(path: FieldPath, target: string, columns: readonly string[], file: string): void {
  if (columns.includes(path.name)) return;
  throw new Problem(
    'invalid-input',
    withSuggestion(`${file} has no column "${path.name.slice(0, 100)}" for ${target}`, path.name, columns),
    { hint: listColumns(columns) },
  );
}

function pathTo(column: string): FieldPath {
  const steps = parsePath(column)?.steps ?? [];
  return { text: column, name: column, steps };
}

function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '');
}

function listColumns(columns: readonly string[]): string {
  return `The columns of the file are ${columns
    .slice(0, 20)
    .map((column) => column.slice(0, 60))
    .join(', ')}${columns.length > 20 ? `, … (${columns.length})` : ''}.`;
}
