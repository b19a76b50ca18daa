import type { Operation } from '../../contract/operation.ts';
import { propertiesIn, withoutNull } from './field-schema.ts';

/** The positional arguments of an operation. Path parameters can be given as options, too. */
export function positionalsOf({ cli, paramNames }: Operation): readonly string[] {
  if (cli.positional !== undefined) return cli.positional;
  return paramNames.slice(-1).filter((name) => name !== 'organizationId');
}

/**
 * What several words of a positional argument are: resources, with a request for each; values of a field of the body,
 * with a request for each; the items of one list in the body; or the words of one text. Undefined if only one is taken.
 */
export type Several = 'resources' | 'values' | 'items' | 'text';

/** Whether the words of an argument are those of one text, such as the words of a search. */
export function isWords(name: string): boolean {
  return name === 'query';
}

/** Tells what the words of a positional argument are if there are several. */
export function severalOf(operation: Operation, name: string): Several | undefined {
  const positionals = positionalsOf(operation);
  if (isWords(name) && positionals.at(-1) === name) return 'text';
  const { item, file } = operation.returns;
  if (positionals.length !== 1 || item !== undefined || file !== undefined) return undefined;
  if (operation.paramNames.includes(name)) return 'resources';
  const field = new Map(propertiesIn(operation.body)).get(name);
  if (field === undefined) return undefined;
  const { type } = withoutNull(field);
  return type === 'array' ? 'items' : type === 'string' ? 'values' : undefined;
}

/** What help adds to an argument that takes several words. */
export const severalNotes: Readonly<Record<Several, string>> = {
  resources: '; several can be given, and "-" reads IDs from standard input',
  values: '; several can be given, and "-" reads them from standard input',
  items: '; "-" reads them from standard input',
  text: '',
};
