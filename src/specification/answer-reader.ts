import { readSpecification } from './read-specification.ts';
import { specificationPages } from './specification-pages.ts';
import type { SpecificationReading } from './specification.ts';

/** What a reader is given, as JSON. */
export interface ReaderRequest {
  readonly text: string;
  /** Whether nothing but JSON is meant. */
  readonly isJson?: boolean | undefined;
  /** Slug of the specification in the pages that are computed from it; absent where none are wanted. */
  readonly pagesFor?: string | undefined;
}

/** What it answers. */
export interface ReaderAnswer extends SpecificationReading {
  /** Paths and texts of the pages that were asked for. */
  readonly pages?: readonly (readonly [string, string])[] | undefined;
}

/** Reads and checks one specification, and computes its pages. */
export async function answerReader({ text, isJson, pagesFor }: ReaderRequest): Promise<ReaderAnswer> {
  const { value, facts, errors } = await readSpecification(text, isJson);
  const pages =
    pagesFor === undefined || value === undefined ? undefined : [...specificationPages(value, pagesFor)];
  return { errors, ...(facts === undefined ? {} : { facts }), ...(pages === undefined ? {} : { pages }) };
}
