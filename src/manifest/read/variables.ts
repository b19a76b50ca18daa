import { didYouMean } from '../../contract/nearest.ts';
import { defined, ownValue } from '../../contract/values.ts';
import type { YamlEntry, YamlMap, YamlNode } from '../../richtext/yaml-tree.ts';
import { wholeFile, type Faults, type SourceLocation } from './faults.ts';

type VariableType = 'string' | 'number' | 'boolean';
export type VariableValue = string | number | boolean;

export interface Variable {
  readonly at: SourceLocation;
  readonly type: VariableType;
  /** The value given with `--var`. */
  readonly given?: VariableValue;
  /** The value if none is given. It may contain `${env.X}`. */
  readonly default?: { readonly at: SourceLocation; readonly value: VariableValue };
}

const types: readonly VariableType[] = ['string', 'number', 'boolean'];
const fields = ['required', 'default', 'description', 'type'];

/** Reads `vars:` and the given values. Required variables without a value, and values of undeclared variables, are faults. */
export function readVariables(
  vars: YamlNode | undefined,
  given: Readonly<Record<string, string>>,
  faults: Faults,
): Map<string, Variable> {
  const variables = new Map<string, Variable>();
  const declared = vars === undefined ? undefined : untaggedMap(vars);
  if (vars !== undefined && declared === undefined)
    faults.add(vars.at, '"vars" must be a map of names: { env: staging, host: { required: true } }');
  for (const [name, entry] of declared?.entries ?? [])
    variables.set(name, readVariable(name, entry, ownValue(given, name), faults));
  for (const name of Object.keys(given))
    if (vars?.kind !== 'map' || !vars.entries.has(name))
      faults.add(
        wholeFile(`--var ${name}`),
        `this variable is not declared under "vars:"${didYouMean(name, [...variables.keys()])}`,
      );
  return variables;
}

/** Reads the declaration of a variable, which is either its default or a map of fields. */
function readVariable(
  name: string,
  { key, value }: YamlEntry,
  given: string | undefined,
  faults: Faults,
): Variable {
  const before = faults.count;
  if (!/^[A-Za-z_][\w-]*$/.test(name))
    faults.add(
      key,
      `"${name.slice(0, 60)}" is not a valid variable name; use letters, digits, "_" and "-", starting with a letter`,
    );
  const stated = untaggedMap(value);
  if (stated !== undefined) checkFields(stated, faults);
  const initial = readDefault(stated === undefined ? value : stated.entries.get('default')?.value, faults);
  const type =
    types.find((one) => one === scalarIn(stated, 'type')) ??
    types.find((one) => one === typeof initial?.value) ??
    'string';
  if (initial !== undefined && typeof initial.value !== type && typeof initial.value !== 'string')
    faults.add(initial.at, `the default does not match the type of the variable, ${type}`);
  const isRequired = scalarIn(stated, 'required') === true;
  if (isRequired && given === undefined && initial === undefined)
    faults.add(key, `the variable "${name}" is required but not set; set it with --var ${name}=…`);
  const set = given === undefined ? undefined : toType(given, type);
  if (given !== undefined && set === undefined)
    faults.add(wholeFile(`--var ${name}`), `is not a ${type}, which the variable requires`);
  // A variable with a fault counts as set, so that its uses are not reported as well.
  if (faults.count > before && !isRequired) return { at: key, type, given: set ?? '' };
  return { at: key, type, ...defined({ given: set, default: initial }) };
}

/** `x: ` and `default: null` declare a variable without a default. */
function readDefault(node: YamlNode | undefined, faults: Faults): Variable['default'] {
  if (node === undefined) return undefined;
  if (node.kind === 'scalar' && node.tag === undefined)
    return node.value === null ? undefined : { at: node.textAt ?? node.at, value: node.value };
  faults.add(node.at, 'the default of a variable must be text, a number, true or false');
  return undefined;
}

function checkFields({ entries }: YamlMap, faults: Faults): void {
  for (const [field, { key, value }] of entries) {
    const scalar = value.kind === 'scalar' && value.tag === undefined ? value.value : undefined;
    if (!fields.includes(field))
      faults.add(key, `"${field.slice(0, 60)}" is not a field of a variable${didYouMean(field, fields)}`);
    else if (field === 'required' && typeof scalar !== 'boolean')
      faults.add(value.at, '"required" must be true or false');
    else if (field === 'description' && typeof scalar !== 'string')
      faults.add(value.at, '"description" must be text');
    else if (field === 'type' && !types.some((type) => type === scalar))
      faults.add(value.at, `"type" must be one of ${types.join(', ')}`);
  }
}

function untaggedMap(node: YamlNode): YamlMap | undefined {
  return node.kind === 'map' && node.tag === undefined ? node : undefined;
}

function scalarIn(map: YamlMap | undefined, field: string): unknown {
  const value = map?.entries.get(field)?.value;
  return value?.kind === 'scalar' ? value.value : undefined;
}

/** Converts a text to a type; undefined if it is not a value of that type. */
export function toType(text: string, type: VariableType): VariableValue | undefined {
  if (type === 'string') return text;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  const number = /^-?\d{1,300}(\.\d{1,300})?(e[+-]?\d{1,3})?$/i.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}
