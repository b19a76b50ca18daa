import type { Operation } from '../../contract/operation.ts';
import { propertiesIn, withoutNull } from './field-schema.ts';
import { paramDefaults } from './flags.ts';

/** Returns the positional arguments of an operation. Path parameters can also be given as options. */
export function positionalsOf({ cli, paramNames }: Operation): readonly string[] {
  if (cli.positional !== undefined) return cli.positional;
  return paramNames.slice(-1).filter((name) => name !== 'organizationId');
}

/**
 * The meaning of several words for a positional argument: resources, with a request for each; values of a field, with a request
 * for each; the items of one list in the body; or the words of one text. Undefined if only one word is accepted.
 */
export type Several = 'resources' | 'values' | 'items' | 'text';

/** Whether the words of an argument are one text, such as a search query. */
export function isWords(name: string): boolean {
  return name === 'query';
}

/** Returns the meaning of several words for a positional argument. */
export function severalOf(operation: Operation, name: string): Several | undefined {
  const positionals = positionalsOf(operation);
  if (isWords(name) && positionals.at(-1) === name) return 'text';
  const { item, file } = operation.returns;
  // An argument with a default value, such as a version, takes one word.
  if (operation.cli.several === false || positionals.at(-1) !== name || name in paramDefaults)
    return undefined;
  if (item !== undefined || file !== undefined) return undefined;
  if (operation.paramNames.includes(name)) return 'resources';
  const field = new Map([...propertiesIn(operation.query), ...propertiesIn(operation.body)]).get(name);
  if (field === undefined) return undefined;
  const { type } = withoutNull(field);
  return type === 'array' ? 'items' : type === 'string' ? 'values' : undefined;
}

/** The help notes of arguments with several words. */
export const severalNotes: Readonly<Record<Several, string>> = {
  resources: '; several can be given, and "-" reads them from standard input',
  values: '; several can be given, and "-" reads them from standard input',
  items: '; "-" reads them from standard input',
  text: '',
};

/** Whether words name several things, or any number of them: "-" stands for the lines of standard input. */
export function areSeveral(words: readonly string[]): boolean {
  return words.length > 1 || words[0] === '-';
}
