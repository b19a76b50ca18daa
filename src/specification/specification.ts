import type { SourcePlace } from './source-text.ts';

/** Something wrong with a specification: codes are PARSE_ERROR, TOO_COSTLY and those of Finding. */
export interface SpecificationError {
  readonly code: string;
  readonly message: string;
  readonly at: SourcePlace;
  /** The file of several in which it stands. */
  readonly file?: string | undefined;
  /** As in a JSON pointer; empty for the whole text. */
  readonly pointer: string;
}

/** What a specification describes, at a glance. */
export interface SpecificationFacts {
  /** As it states it: `3.1.0`. */
  readonly format: string;
  readonly title: string;
  readonly version: string;
  readonly operations: number;
  readonly webhooks: number;
  readonly schemas: number;
}

/** What came of reading a specification: facts where nothing is wrong, else every error with its place. */
export interface SpecificationReading {
  readonly facts?: SpecificationFacts | undefined;
  readonly errors: readonly SpecificationError[];
}

/** `line 40, column 1: tabs …`, as errors are told where a file has no name. */
export function printError({ at, message, pointer }: SpecificationError): string {
  return `line ${at.line}, column ${at.column}: ${message}${pointer === '' ? '' : ` (${pointer})`}`;
}
