import type { Operation } from '../../contract/operation.ts';
import { nullWordOf } from '../../contract/schema.ts';
import { joinOr } from '../../contract/values.ts';
import { propertiesIn, type Schema } from '../input/field-schema.ts';
import { flagsOfField } from '../input/flags.ts';

/**
 * Returns the description of an operation, with the options of its command instead of field names: `now` becomes --now, `draft:
 * false` becomes `--no-draft`, and `icon: null` becomes `--unset icon`.
 */
export function describeWithOptions(operation: Operation): string | undefined {
  const { query, body, description, cli } = operation;
  const fields = new Map([...propertiesIn(query), ...propertiesIn(body)]);
  return description?.replace(/`([A-Za-z]\w*)(?:: ([^`]+))?`/g, (text, name: string, value?: string) => {
    const field = fields.get(name);
    if (field === undefined) return text;
    const filling = (cli.flags ?? []).filter(({ template }) => Object.hasOwn(template as object, name));
    if (filling.length > 0 && value === undefined) return joinOr(filling.map((flag) => `--${flag.name}`));
    const [flag] = flagsOfField(name, operation);
    return value === undefined ? `--${flag}` : `\`${optionFor(flag, field, value)}\``;
  });
}

function optionFor(flag: string, field: Schema, value: string): string {
  if (value === 'true') return `--${flag}`;
  if (value === 'false') return `--no-${flag}`;
  if (value !== 'null') return `--${flag} ${value}`;
  const word = nullWordOf(field);
  return word === undefined ? `--unset ${flag}` : `--${flag} ${word}`;
}
