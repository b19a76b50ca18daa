import { ownValue } from '../../contract/values.ts';
import { didYouMean } from '../../contract/nearest.ts';
import { formatLocation, type Faults, type SourceLocation } from './faults.ts';
import { limits } from './limits.ts';
import { parseTemplate, type Piece } from './template.ts';
import { toType, type Variable, type VariableValue } from './variables.ts';

/** The environment. Only names that the manifest uses are read. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A value, and the names of the variables `${var.x}` that were filled in. */
interface FilledText {
  readonly value: VariableValue;
  readonly vars?: readonly string[];
}

export type FillText = (text: string, at: SourceLocation, textAt: SourceLocation | undefined) => FilledText;

type Lookup = (name: string, at: SourceLocation) => VariableValue | undefined;

/**
 * Creates a function that fills variables into texts. It limits the total size of the results, so that a short manifest cannot
 * become gigabytes. A text that is exactly one `${var.x}` gets the type of the variable. `textAt` is the location of the text
 * itself, if known.
 */
export function createFiller(
  variables: ReadonlyMap<string, Variable>,
  env: Environment,
  faults: Faults,
): FillText {
  let left: number = limits.filled;

  const ofEnvironment: Lookup = (name, at) => {
    const value = ownValue(env, name);
    if (value === undefined) faults.add(at, `the environment variable ${name} is not set`);
    return value;
  };

  const ofVariable: Lookup = (name, at) => {
    const variable = variables.get(name);
    if (variable?.given !== undefined) return variable.given;
    if (variable?.default !== undefined) return fillDefault(name, variable.type, variable.default);
    // A required variable without a value is reported at its declaration and here, to show where it is needed.
    faults.add(
      at,
      variable === undefined
        ? `the variable "${name}" is not declared under "vars:"${didYouMean(name, [...variables.keys()])}`
        : `the variable "${name}" is not set; set it with --var ${name}=… (declared at ${formatLocation(variable.at)})`,
    );
    return undefined;
  };

  const inDefault: Lookup = (_, at) => {
    faults.add(at, 'the default of a variable may use ${env.NAME}, but no other variable');
    return undefined;
  };

  return (text, at, textAt) => {
    if (!text.includes('${')) return { value: text };
    const pieces = parseTemplate(text);
    const vars = new Set(
      pieces.flatMap((piece) => ('scope' in piece && piece.scope === 'var' ? piece.name : [])),
    );
    const values = valuesOf(pieces, at, textAt, ofVariable);
    const [only] = values;
    const value = values.length === 1 && only !== undefined && vars.size === 1 ? only : values.join('');
    return vars.size === 0 ? { value } : { value, vars: [...vars] };
  };

  function valuesOf(
    pieces: readonly Piece[],
    at: SourceLocation,
    textAt: SourceLocation | undefined,
    ofVar: Lookup,
  ): VariableValue[] {
    return pieces.map((piece) => {
      if ('text' in piece) return piece.text;
      const location = textAt === undefined ? at : { ...textAt, column: textAt.column + piece.index };
      if ('scope' in piece)
        return spend((piece.scope === 'var' ? ofVar : ofEnvironment)(piece.name, location) ?? '', at);
      faults.add(location, piece.fault);
      return '';
    });
  }

  function fillDefault(
    name: string,
    type: Variable['type'],
    { value, at }: NonNullable<Variable['default']>,
  ): VariableValue | undefined {
    if (typeof value !== 'string') return value;
    const filled = toType(valuesOf(parseTemplate(value), at, at, inDefault).join(''), type);
    if (filled === undefined) faults.add(at, `the default of "${name}" does not match its type, ${type}`);
    return filled;
  }

  function spend(value: VariableValue, at: SourceLocation): VariableValue {
    const before = left;
    left -= String(value).length;
    if (left >= 0) return value;
    if (before >= 0)
      faults.add(at, `variables add more than ${limits.filled >> 20} MiB to the manifest up to here`);
    return '';
  }
}
