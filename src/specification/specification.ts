import type { TextPosition } from './parse-source.ts';

/** A mistake in a specification. Pointers are lists of tokens. */
export interface Finding {
  readonly code: 'NOT_OPENAPI' | 'UNSUPPORTED_VERSION' | 'UNRESOLVED_REF' | 'SCHEMA_INVALID' | 'SPEC_INVALID';
  readonly message: string;
  readonly pointer: readonly string[];
  readonly object: readonly string[];
  /** Whether the specification cannot be published because of it, wherever it is. */
  readonly isFatal?: true;
}

/** Creates a finding. `object` is the pointer of the object that it concerns (default: `pointer`). */
export function createFinding(
  code: Finding['code'],
  message: string,
  pointer: readonly string[] = [],
  object = pointer,
): Finding {
  return { code, message, pointer, object };
}

/** An error of a specification. Its code is the code of a Finding, PARSE_ERROR or TOO_COSTLY. */
export interface SpecificationError {
  readonly code: string;
  readonly message: string;
  readonly at: TextPosition;
  readonly file?: string | undefined;
  /** A JSON pointer; empty for the whole text. */
  readonly pointer: string;
}

export interface SpecificationFacts {
  /** The version of OpenAPI as the text has it, such as `3.1.0`. */
  readonly format: string;
  readonly title: string;
  readonly version: string;
  readonly operations: number;
  readonly webhooks: number;
  readonly schemas: number;
}

/**
 * The result of reading a specification: all its errors, and facts if it can be published. Errors of single operations,
 * components and other parts do not prevent this.
 */
export interface SpecificationReport {
  readonly facts?: SpecificationFacts | undefined;
  readonly errors: readonly SpecificationError[];
}

/** Writes an error of a text without a file name, such as `line 40, column 1: tabs …`. */
export function formatError({ at, message, pointer }: SpecificationError): string {
  return `line ${at.line}, column ${at.column}: ${message}${pointer === '' ? '' : ` (${pointer})`}`;
}
