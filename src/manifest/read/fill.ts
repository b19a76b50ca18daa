import { didYouMean } from '../../contract/nearest.ts';
import type { Faults } from './faults.ts';
import { limits } from './limits.ts';
import { formatLocation, type SourceLocation } from './source-location.ts';
import { parseTemplate, type Piece } from './template.ts';
import { toType, type Variable, type VariableValue } from './variables.ts';

/** The environment. Only names that the manifest uses are read. */
export type Environment = Readonly<Record<string, string | undefined>>;

type Mention = Extract<Piece, { scope: string }>;

/** Fills variables into texts, up to a limit for all texts together: a short manifest cannot become gigabytes. */
export class Filler {
  readonly #variables: ReadonlyMap<string, Variable>;
  readonly #env: Environment;
  readonly #faults: Faults;
  #left: number = limits.filled;

  constructor(variables: ReadonlyMap<string, Variable>, env: Environment, faults: Faults) {
    this.#variables = variables;
    this.#env = env;
    this.#faults = faults;
  }

  /**
   * Returns a text with its variables filled in. A text that is exactly one `${var.x}` takes the type of the variable.
   * `textAt` is where the text itself begins, if that is known.
   */
  fill(text: string, at: SourceLocation, textAt: SourceLocation | undefined): VariableValue {
    if (!text.includes('${')) return text;
    const pieces = parseTemplate(text);
    const [only] = pieces;
    if (pieces.length === 1 && only !== undefined && 'scope' in only && only.scope === 'var') {
      const value = this.#variable(only.name, locate(only, at, textAt)) ?? '';
      return typeof value === 'string' ? this.#spend(value, at) : value;
    }
    return this.#join(pieces, at, textAt, ({ scope, name }, location) =>
      scope === 'var' ? this.#variable(name, location) : this.#environment(name, location),
    );
  }

  /** Returns a value of the environment, without a fault if it is not set. */
  peek(name: string): string | undefined {
    return Object.hasOwn(this.#env, name) ? this.#env[name] : undefined;
  }

  #join(
    pieces: readonly Piece[],
    at: SourceLocation,
    textAt: SourceLocation | undefined,
    valueOf: (mention: Mention, location: SourceLocation) => VariableValue | undefined,
  ): string {
    const texts = pieces.map((piece) => {
      if ('text' in piece) return piece.text;
      const location = locate(piece, at, textAt);
      if ('scope' in piece) return this.#spend(String(valueOf(piece, location) ?? ''), at);
      this.#faults.add(location, piece.fault);
      return '';
    });
    return texts.join('');
  }

  #environment(name: string, at: SourceLocation): string | undefined {
    const value = this.peek(name);
    if (value === undefined) this.#faults.add(at, `the environment variable ${name} is not set`);
    return value;
  }

  #variable(name: string, at: SourceLocation): VariableValue | undefined {
    const variable = this.#variables.get(name);
    if (variable?.given !== undefined) return variable.given;
    if (variable?.default !== undefined) return this.#default(name, variable.type, variable.default);
    // A required variable is a fault where it is declared, and here too: this shows what needs it.
    this.#faults.add(
      at,
      variable === undefined
        ? `the variable "${name}" is not declared under "vars:"${didYouMean(name, [...this.#variables.keys()])}`
        : `the variable "${name}" is not set; give it with --var ${name}=… (declared at ${formatLocation(variable.at)})`,
    );
    return undefined;
  }

  #default(
    name: string,
    type: Variable['type'],
    { value, at }: NonNullable<Variable['default']>,
  ): VariableValue | undefined {
    if (typeof value !== 'string') return value;
    const text = this.#join(parseTemplate(value), at, at, (mention, location) => {
      if (mention.scope === 'env') return this.#environment(mention.name, location);
      this.#faults.add(location, 'the default of a variable takes ${env.NAME}, not another variable');
      return undefined;
    });
    const filled = toType(text, type);
    if (filled === undefined)
      this.#faults.add(at, `the default of "${name}" is no ${type}, but the type of the variable is`);
    return filled;
  }

  #spend(text: string, at: SourceLocation): string {
    const before = this.#left;
    this.#left -= text.length;
    if (this.#left >= 0) return text;
    if (before >= 0)
      this.#faults.add(at, `variables put more than ${limits.filled >> 20} MiB into the manifest up to here`);
    return '';
  }
}

function locate(
  { index }: { readonly index: number },
  at: SourceLocation,
  textAt: SourceLocation | undefined,
): SourceLocation {
  return textAt === undefined ? at : { ...textAt, column: textAt.column + index };
}
