import { Problem } from '../../errors/problem.ts';

interface Range {
  /** Default: 0. */
  readonly min?: number;
  /** Default: 999,999. */
  readonly max?: number;
  /** The unit after the number, such as %. */
  readonly unit?: string;
  readonly hint?: string;
}

/** Parses the whole number of an option, written in digits. @throws Problem(invalid-input) outside of the range */
export function readWholeNumber(
  flag: string,
  text: string,
  { min = 0, max = 999_999, unit = '', hint }: Range = {},
): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new Problem(
    'invalid-input',
    `${flag} takes a whole number from ${min}${unit} to ${max}${unit}, not "${text.slice(0, 60)}${unit}".`,
    { hint },
  );
}
