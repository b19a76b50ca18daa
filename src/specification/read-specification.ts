import { defined, isRecord, recordOf, truncate } from '../contract/values.ts';
import { checkSpecification, isPartial } from './check-specification.ts';
import { compareSpecifications } from './compare-specifications.ts';
import type { SpecificationChange } from './specification-change.ts';
import { parseSource } from './parse-source.ts';
import { renderPages } from './specification-pages.ts';
import { formatPointer, listOperations, toText } from './specification-tree.ts';
import type { SpecificationFacts, SpecificationReport } from './specification.ts';

/** A request to the child process, as JSON. */
export interface AnalysisRequest {
  readonly text: string;
  /** Whether to reject YAML. */
  readonly isJson?: boolean;
  /** The slug of the specification for its pages; without one, no pages are rendered. */
  readonly pagesFor?: string;
  /** The text of a later version to compare with. */
  readonly comparedWith?: string;
}

/** The answer of the child process. */
export interface Analysis extends SpecificationReport {
  readonly pages?: readonly (readonly [string, string])[];
  readonly changes?: readonly SpecificationChange[];
}

/** Reads and checks a specification. If requested, renders its pages or compares it with another one. */
export async function analyzeSpecification({
  text,
  isJson,
  pagesFor,
  comparedWith,
}: AnalysisRequest): Promise<Analysis> {
  const { value, facts, errors } = await readSpecification(text, isJson);
  if (comparedWith !== undefined) {
    const later = await readSpecification(comparedWith);
    if (value === undefined || later.value === undefined) return { errors: [...errors, ...later.errors] };
    return { errors, facts: later.facts, changes: compareSpecifications(value, later.value) };
  }
  const hasPages = pagesFor !== undefined && value !== undefined;
  return defined({ errors, facts, pages: hasPages ? [...renderPages(value, pagesFor)] : undefined });
}

/** A parsed specification, with its data if it can be published. */
interface Specification extends SpecificationReport {
  readonly value: Record<string, unknown> | undefined;
}

/**
 * Reads and checks the text of a specification: Swagger 2.0, OpenAPI 3.0 or 3.1, as JSON or YAML, or only as JSON. Never throws.
 */
export async function readSpecification(text: string, isJson = false): Promise<Specification> {
  const source = parseSource(text, isJson);
  const hasErrors = 'errors' in source;
  if (hasErrors || !isRecord(source.value)) {
    const errors = hasErrors ? source.errors : [{ at: source.locate([]), message: describeOther(text) }];
    return {
      value: undefined,
      facts: undefined,
      errors: errors.map(({ at, message }) => ({ code: 'PARSE_ERROR', message, at, pointer: '' })),
    };
  }
  const findings = await checkSpecification(source.value);
  const errors = findings
    .map(({ code, message, pointer }) => ({
      code,
      message: truncate(message, 1000),
      at: source.locate(pointer),
      pointer: truncate(formatPointer(pointer), 300),
    }))
    .sort((one, other) => one.at.line - other.at.line);
  const value = findings.every(isPartial) ? source.value : undefined;
  return { value, facts: value && readFacts(value), errors };
}

function describeOther(text: string): string {
  if (/^\s*<\?xml/.test(text)) return 'this is XML; a specification is JSON or YAML';
  return /^\s*<(!doctype|html)/i.test(text)
    ? 'this is a web page, not a specification'
    : 'a specification must be a map of fields';
}

function readFacts(value: Record<string, unknown>): SpecificationFacts {
  const info = recordOf(value['info']);
  const schemas = recordOf(value['components'])['schemas'] ?? value['definitions'];
  return {
    format: toText(value['openapi'] ?? value['swagger']),
    title: toText(info['title']),
    version: toText(info['version']),
    operations: listOperations(value).length,
    webhooks: listOperations(value, 'webhooks').length,
    schemas: Object.keys(recordOf(schemas)).length,
  };
}
