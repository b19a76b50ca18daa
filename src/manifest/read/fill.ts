import { didYouMean } from '../../contract/nearest.ts';
import type { Faults } from './faults.ts';
import { limits } from './limits.ts';
import { formatLocation, type SourceLocation } from './source-location.ts';
import { parseTemplate } from './template.ts';
import { toType, type Variable, type VariableValue } from './variables.ts';

/** The environment, asked only for names that the manifest uses. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Fills variables into texts; what they put in is counted, so that few letters cannot become gigabytes. */
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

  /** The text with its variables filled in; one that is exactly one `${var.x}` takes the type of the variable. `textAt` is where the text itself begins, when that is known. */
  fill(text: string, at: SourceLocation, textAt: SourceLocation | undefined): VariableValue {
    if (!text.includes('${')) return text;
    const pieces = parseTemplate(text);
    const [only] = pieces;
    const placeAt = (index: number) =>
      textAt === undefined ? at : { ...textAt, column: textAt.column + index };
    if (pieces.length === 1 && only !== undefined && 'scope' in only && only.scope === 'var') {
      const value = this.#variable(only.name, placeAt(only.index)) ?? '';
      return typeof value === 'string' ? this.#spend(value, at) : value;
    }
    return pieces
      .map((piece) => {
        if ('text' in piece) return piece.text;
        if ('fault' in piece) this.#faults.add(placeAt(piece.index), piece.fault);
        else
          return this.#spend(
            String(
              (piece.scope === 'var'
                ? this.#variable(piece.name, placeAt(piece.index))
                : this.#environment(piece.name, placeAt(piece.index))) ?? '',
            ),
            at,
          );
        return '';
      })
      .join('');
  }

  /** A value of the environment, undefined where it is not set. */
  peek(name: string): string | undefined {
    return Object.hasOwn(this.#env, name) ? this.#env[name] : undefined;
  }

  #environment(name: string, at: SourceLocation): string | undefined {
    const value = this.peek(name);
    if (value === undefined) this.#faults.add(at, `the environment variable ${name} is not set`);
    return value;
  }

  #variable(name: string, at: SourceLocation): VariableValue | undefined {
    const variable = this.#variables.get(name);
    if (variable === undefined) {
      this.#faults.add(
        at,
        `the variable "${name}" is not declared under "vars:"${didYouMean(name, [...this.#variables.keys()])}`,
      );
      return undefined;
    }
    if (variable.given !== undefined) return variable.given;
    const initial = variable.default;
    if (initial === undefined) {
      // A required one was told where it is declared, and is told here too: this is what it is needed for.
      this.#faults.add(
        at,
        `the variable "${name}" is not set; give it with --var ${name}=… (declared at ${formatLocation(variable.at)})`,
      );
      return undefined;
    }
    if (typeof initial.value !== 'string') return initial.value;
    const filled = toType(this.#fillDefault(initial.value, initial.at), variable.type);
    if (filled === undefined)
      this.#faults.add(
        initial.at,
        `the default of "${name}" is no ${variable.type}, but the type of the variable is`,
      );
    return filled;
  }

  #fillDefault(text: string, at: SourceLocation): string {
    return parseTemplate(text)
      .map((piece) => {
        if ('text' in piece) return piece.text;
        const place = { ...at, column: at.column + piece.index };
        if ('fault' in piece) this.#faults.add(place, piece.fault);
        else if (piece.scope === 'var')
          this.#faults.add(place, 'the default of a variable takes ${env.NAME}, not another variable');
        else return this.#spend(this.#environment(piece.name, place) ?? '', place);
        return '';
      })
      .join('');
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
