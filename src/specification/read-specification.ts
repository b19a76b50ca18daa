import { isObject } from '../contract/schema.ts';
import { checkSpecification } from './check-specification.ts';
import { readSourceText } from './source-text.ts';
import type { SpecificationFacts, SpecificationReading } from './specification.ts';

/** A specification that was read, with its value where nothing is wrong. */
export interface Specification extends SpecificationReading {
  readonly value: Record<string, unknown> | undefined;
}

/** Reads and checks the text of a specification: swagger 2.0, openapi 3.0 or 3.1, JSON or YAML. Never throws for what is in it. */
export async function readSpecification(text: string): Promise<Specification> {
  const source = readSourceText(text);
  if ('faults' in source) return { value: undefined, facts: undefined, errors: source.faults.map(({ at, message }) => ({ code: 'PARSE_ERROR', message, at, pointer: '' })) };
  if (!isObject(source.value)) return { value: undefined, facts: undefined, errors: [{ code: 'PARSE_ERROR', message: whatElse(text), at: source.placeOf([]), pointer: '' }] };
  const findings = await checkSpecification(source.value);
  const errors = findings.map(({ code, message, pointer }) => ({
    code,
    message: message.slice(0, 1000),
    at: source.placeOf(pointer),
    pointer: pointer
      .map((word) => `/${word.replaceAll('~', '~0').replaceAll('/', '~1')}`)
      .join('')
      .slice(0, 300),
  }));
  const value = findings.length === 0 ? source.value : undefined;
  return { value, facts: value === undefined ? undefined : factsOf(value), errors };
}

function whatElse(text: string): string {
  return /^\s*<(!doctype|html)/i.test(text) ? 'this is a web page, no specification' : 'this is no map of fields, so it is no specification';
}

const methods: ReadonlySet<string> = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

export interface OperationAt {
  readonly path: string;
  readonly method: string;
  readonly operation: Record<string, unknown>;
}

/** The operations of a specification, path by path. */
export function operationsIn(value: Record<string, unknown>): OperationAt[] {
  const paths = isObject(value['paths']) ? value['paths'] : {};
  return Object.entries(paths).flatMap(([path, item]) =>
    isObject(item) ? Object.entries(item).flatMap(([method, operation]) => (methods.has(method) && isObject(operation) ? [{ path, method, operation }] : [])) : [],
  );
}

function factsOf(value: Record<string, unknown>): SpecificationFacts {
  const info = isObject(value['info']) ? value['info'] : {};
  const components = isObject(value['components']) ? value['components'] : {};
  const schemas = components['schemas'] ?? value['definitions'];
  return {
    format: String(value['openapi'] ?? value['swagger']),
    title: String(info['title'] ?? ''),
    version: String(info['version'] ?? ''),
    operations: operationsIn(value).length,
    schemas: isObject(schemas) ? Object.keys(schemas).length : 0,
  };
}
