import { didYouMean } from '../../contract/nearest.ts';
import type { YamlEntry, YamlMap, YamlNode } from '../../richtext/yaml-tree.ts';
import type { Faults } from './faults.ts';
import { wholeFile, type SourceLocation } from './source-location.ts';

export type VariableType = 'string' | 'number' | 'boolean';
export type VariableValue = string | number | boolean;

/** A variable as `vars:` declares it. */
export interface Variable {
  readonly at: SourceLocation;
  readonly required: boolean;
  readonly type: VariableType;
  readonly description?: string;
  /** The value given with `--var`. */
  readonly given?: VariableValue;
  /** The value it has when none is given; it may hold `${env.X}`. */
  readonly default?: { readonly at: SourceLocation; readonly value: VariableValue };
}

const types: readonly VariableType[] = ['string', 'number', 'boolean'];
const fields = ['required', 'default', 'description', 'type'];

/** Reads `vars:` and the values given for it; required ones without a value, and given ones that are not declared, are faults. */
export function readVariables(
  vars: YamlNode | undefined,
  given: Readonly<Record<string, string>>,
  faults: Faults,
): Map<string, Variable> {
  const variables = new Map<string, Variable>();
  if (vars !== undefined && (vars.kind !== 'map' || vars.tag !== undefined))
    faults.add(vars.at, 'vars is a map of names: { env: staging, host: { required: true } }');
  else
    for (const [name, entry] of vars?.entries ?? []) {
      const value = Object.hasOwn(given, name) ? given[name] : undefined;
      const variable = readVariable(name, entry, value, faults);
      if (variable !== undefined) variables.set(name, variable);
    }
  for (const name of Object.keys(given))
    if (vars?.kind !== 'map' || !vars.entries.has(name))
      faults.add(
        wholeFile(`--var ${name}`),
        `no variable of this name is declared under "vars:"${didYouMean(name, [...variables.keys()])}`,
      );
  return variables;
}

function readVariable(
  name: string,
  { key, value }: YamlEntry,
  given: string | undefined,
  faults: Faults,
): Variable | undefined {
  const before = faults.count;
  if (!/^[A-Za-z_][\w-]*$/.test(name))
    faults.add(
      key,
      `"${name.slice(0, 60)}" cannot name a variable: letters, digits, "_" and "-", a letter first`,
    );
  const stated = value.kind === 'map' && value.tag === undefined ? value : undefined;
  if (stated !== undefined) checkFields(stated, faults);
  const standard = stated === undefined ? value : stated.entries.get('default')?.value;
  const initial = standard === undefined ? undefined : initialOf(standard, faults);
  const type =
    (stated === undefined ? undefined : typeOf(stated)) ??
    (typeof initial?.value as VariableType | 'undefined');
  const kind = type === 'undefined' ? 'string' : type;
  if (initial !== undefined && typeof initial.value !== kind && typeof initial.value !== 'string')
    faults.add(initial.at, `the default is no ${kind}, but the type of the variable is`);
  const required = stated?.entries.get('required')?.value;
  const isRequired = required?.kind === 'scalar' && required.value === true;
  if (isRequired && given === undefined && initial === undefined)
    faults.add(key, `the variable "${name}" is required and not set; give it with --var ${name}=…`);
  const set = given === undefined ? undefined : toType(given, kind);
  if (given !== undefined && set === undefined)
    faults.add(wholeFile(`--var ${name}`), `is no ${kind}, as the variable is declared`);
  if (faults.count > before && !isRequired)
    return { at: key, required: isRequired, type: kind, given: set ?? '' };
  const description = stated?.entries.get('description')?.value;
  return {
    at: key,
    required: isRequired,
    type: kind,
    ...(set === undefined ? {} : { given: set }),
    ...(initial === undefined ? {} : { default: initial }),
    ...(description?.kind === 'scalar' ? { description: String(description.value) } : {}),
  };
}

/** `x: ` and `default: null` declare a variable without a default. */
function initialOf(node: YamlNode, faults: Faults): Variable['default'] {
  if (node.kind === 'scalar' && node.tag === undefined)
    return node.value === null ? undefined : { at: node.textAt ?? node.at, value: node.value };
  faults.add(node.at, 'the default of a variable is a text, a number, true or false');
  return undefined;
}

function checkFields({ entries }: YamlMap, faults: Faults): void {
  for (const [field, { key, value }] of entries) {
    const scalar = value.kind === 'scalar' && value.tag === undefined ? value.value : undefined;
    if (!fields.includes(field))
      faults.add(key, `"${field.slice(0, 60)}" is not a field of a variable${didYouMean(field, fields)}`);
    else if (field === 'required' && typeof scalar !== 'boolean')
      faults.add(value.at, 'required is true or false');
    else if (field === 'description' && typeof scalar !== 'string')
      faults.add(value.at, 'the description is a text');
    else if (field === 'type' && !types.some((type) => type === scalar))
      faults.add(value.at, `the type of a variable is one of ${types.join(', ')}`);
  }
}

function typeOf({ entries }: YamlMap): VariableType | undefined {
  const stated = entries.get('type')?.value;
  return stated?.kind === 'scalar' ? types.find((type) => type === stated.value) : undefined;
}

/** A text as a value of the type; undefined when it is none. */
export function toType(text: string, type: VariableType): VariableValue | undefined {
  if (type === 'string') return text;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  const number = /^-?\d{1,300}(\.\d{1,300})?(e[+-]?\d{1,3})?$/i.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}
