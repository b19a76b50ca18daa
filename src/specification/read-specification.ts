import { checkSpecification } from './check-specification.ts';
import { pointerOf, resolvePointer } from './references.ts';
import { readSourceText } from './source-text.ts';
import type { SpecificationFacts, SpecificationReading } from './specification.ts';
import { isRecord } from '../contract/values.ts';

/** A specification that was read, with its value where nothing is wrong. */
export interface Specification extends SpecificationReading {
  readonly value: Record<string, unknown> | undefined;
}

/** Reads and checks the text of a specification: swagger 2.0, openapi 3.0 or 3.1, JSON or YAML, or only JSON. Never throws for what is in it. */
export async function readSpecification(text: string, isJson = false): Promise<Specification> {
  const source = readSourceText(text, isJson);
  if ('faults' in source)
    return {
      value: undefined,
      facts: undefined,
      errors: source.faults.map(({ at, message }) => ({ code: 'PARSE_ERROR', message, at, pointer: '' })),
    };
  if (!isRecord(source.value))
    return {
      value: undefined,
      facts: undefined,
      errors: [{ code: 'PARSE_ERROR', message: whatElse(text), at: source.placeOf([]), pointer: '' }],
    };
  const findings = await checkSpecification(source.value);
  const errors = findings.map(({ code, message, pointer }) => ({
    code,
    message: message.slice(0, 1000),
    at: source.placeOf(pointer),
    pointer: pointerOf(pointer).slice(0, 300),
  }));
  const value = findings.length === 0 ? source.value : undefined;
  return { value, facts: value === undefined ? undefined : factsOf(value), errors };
}

function whatElse(text: string): string {
  if (/^\s*<\?xml/.test(text)) return 'this is XML; a specification is JSON or YAML';
  return /^\s*<(!doctype|html)/i.test(text)
    ? 'this is a web page, no specification'
    : 'this is no map of fields, so it is no specification';
}

const methods: ReadonlySet<string> = new Set([
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
]);

export interface OperationAt {
  /** Or the name of a webhook. */
  readonly path: string;
  readonly method: string;
  readonly operation: Record<string, unknown>;
}

/** The operations of a specification, path by path; or its webhooks, name by name. */
export function operationsIn(
  value: Record<string, unknown>,
  field: 'paths' | 'webhooks' = 'paths',
): OperationAt[] {
  const paths = isRecord(value[field]) ? value[field] : {};
  return Object.entries(paths).flatMap(([path, item]) =>
    isRecord(item)
      ? Object.entries(pathItemOf(value, item)).flatMap(([method, operation]) =>
          methods.has(method) && isRecord(operation) ? [{ path, method, operation }] : [],
        )
      : [],
  );
}

/** A path item may stand elsewhere, and have fields of its own all the same. */
function pathItemOf(value: Record<string, unknown>, item: Record<string, unknown>): Record<string, unknown> {
  let whole = item;
  for (let hops = 0; hops < 20 && typeof whole['$ref'] === 'string'; hops++) {
    const { $ref, ...own } = whole;
    const target = resolvePointer(value, $ref as string);
    whole = { ...(isRecord(target) ? target : {}), ...own };
  }
  return whole;
}

function factsOf(value: Record<string, unknown>): SpecificationFacts {
  const info = isRecord(value['info']) ? value['info'] : {};
  const components = isRecord(value['components']) ? value['components'] : {};
  const schemas = components['schemas'] ?? value['definitions'];
  return {
    format: wordOf(value['openapi'] ?? value['swagger']),
    title: wordOf(info['title']),
    version: wordOf(info['version']),
    operations: operationsIn(value).length,
    webhooks: operationsIn(value, 'webhooks').length,
    schemas: isRecord(schemas) ? Object.keys(schemas).length : 0,
  };
}

function wordOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
