/** Something wrong, and the words that lead to it from the root. */
export interface Finding {
  readonly code: 'NOT_OPENAPI' | 'UNSUPPORTED_VERSION' | 'UNRESOLVED_REF' | 'SCHEMA_INVALID' | 'SPEC_INVALID';
  readonly message: string;
  readonly pointer: readonly string[];
}

/** Values that a specification may stand for when each reference is written out: beyond that, checking it has no end. */
const mostValues = 3_000_000;
const mostFindings = 50;

/** Fields whose values are data or names, in which "$ref" means nothing, or maps by names that the writer chose. */
const data: ReadonlySet<string> = new Set(['example', 'default', 'enum', 'const']);
const names: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'schemas', 'definitions', '$defs', 'responses', 'parameters', 'examples', 'requestBodies', 'headers', 'securitySchemes', 'links', 'callbacks', 'pathItems', 'paths', 'webhooks', 'dependentSchemas']); // prettier-ignore

export interface Reference {
  readonly target: string;
  readonly pointer: readonly string[];
  /** The object that holds it. */
  readonly holder: Record<string, unknown>;
}

/** Every reference of a specification, in the order in which they stand. */
export function referencesIn(root: unknown): Reference[] {
  const found: Reference[] = [];
  const walk = (node: unknown, pointer: readonly string[], isNames: boolean): void => {
    if (typeof node !== 'object' || node === null) return;
    if (Array.isArray(node)) return node.forEach((item, index) => walk(item, [...pointer, String(index)], false));
    const holder = node as Record<string, unknown>;
    if (!isNames && typeof holder['$ref'] === 'string') found.push({ target: holder['$ref'], pointer: [...pointer, '$ref'], holder });
    for (const [key, value] of Object.entries(holder)) {
      if (!isNames && (data.has(key) || key.startsWith('x-'))) continue;
      walk(value, [...pointer, key], !isNames && names.has(key));
    }
  };
  walk(root, [], false);
  return found;
}

/** References that lead nowhere or out of the text, and a specification that grows without end when they are written out. */
export function checkReferences(root: unknown): Finding[] {
  const findings: Finding[] = [];
  for (const { target, pointer } of referencesIn(root)) {
    if (findings.length >= mostFindings) break;
    if (!target.startsWith('#')) findings.push({ code: 'UNRESOLVED_REF', pointer, message: `"${target.slice(0, 200)}" leads to another file; a specification is one text` });
    else if (resolvePointer(root, target) === undefined) findings.push({ code: 'UNRESOLVED_REF', pointer, message: `"${target.slice(0, 200)}" leads to nothing` });
  }
  if (findings.length === 0 && writtenOut(root) > mostValues)
    findings.push({ code: 'SCHEMA_INVALID', pointer: [], message: `it stands for more than ${mostValues} values when its references are written out` });
  return findings;
}

/** What a reference such as `#/components/schemas/Pet` leads to. */
export function resolvePointer(root: unknown, target: string): unknown {
  let here = root;
  for (const key of wordsOf(target)) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined;
    here = (here as Record<string, unknown>)[key];
  }
  return here;
}

/** The words of a reference within the text. */
export function wordsOf(target: string): string[] {
  return target.slice(1).split('/').slice(1).map(decode); // prettier-ignore
}

function decode(word: string): string {
  let text = word;
  try {
    text = decodeURIComponent(word);
  } catch {
    // A percent sign of its own.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** How many values a specification stands for when its references are written out. */
export function writtenOut(root: unknown): number {
  return valuesIn(root, root, new Map(), 0);
}

/** Counts values with each reference written out, a circle once; what was counted is remembered, so that this is quick where the result is not small. */
function valuesIn(root: unknown, node: unknown, known: Map<unknown, number>, depth: number): number {
  if (typeof node !== 'object' || node === null) return 1;
  const counted = known.get(node);
  if (counted !== undefined) return counted;
  known.set(node, 1);
  let sum = 1;
  const target = (node as Record<string, unknown>)['$ref'];
  if (typeof target === 'string' && depth < 1000) sum += valuesIn(root, resolvePointer(root, target), known, depth + 1);
  for (const value of Object.values(node)) sum += depth < 1000 ? valuesIn(root, value, known, depth + 1) : 1;
  known.set(node, sum);
  return sum;
}
