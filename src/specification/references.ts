/** Something wrong, and the words that lead to it from the root. */
export interface Finding {
  readonly code: 'NOT_OPENAPI' | 'UNSUPPORTED_VERSION' | 'UNRESOLVED_REF' | 'SCHEMA_INVALID' | 'SPEC_INVALID';
  readonly message: string;
  readonly pointer: readonly string[];
}

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

/** Where the other files of a specification stand in one that is a single text. */
export const otherFiles = 'x-docsctl-files';

/** Visits the objects of a specification in the order in which they stand: not what is data, and not the maps by names, though what those hold. */
export function walkSpecification(
  root: unknown,
  visit: (holder: Record<string, unknown>, pointer: readonly string[]) => void,
): void {
  const isSwagger = typeof root === 'object' && root !== null && 'swagger' in root;
  const walk = (node: unknown, pointer: readonly string[], isNames: boolean): void => {
    if (typeof node !== 'object' || node === null) return;
    if (Array.isArray(node))
      return node.forEach((item, index) => walk(item, [...pointer, String(index)], false));
    const holder = node as Record<string, unknown>;
    if (!isNames) visit(holder, pointer);
    // An example is data, though another may be referred to.
    if (!isNames && isNamedExample(pointer)) return;
    for (const [key, value] of Object.entries(holder)) {
      if (!isNames && (data.has(key) || (key.startsWith('x-') && key !== otherFiles))) continue;
      if (!isNames && key === 'examples' && (isSwagger || Array.isArray(value))) continue;
      walk(value, [...pointer, key], !isNames && (names.has(key) || key === otherFiles));
    }
  };
  walk(root, [], false);
}

/** Not a property that is called "examples". */
function isNamedExample(pointer: readonly string[]): boolean {
  return pointer.at(-2) === 'examples' && pointer.at(-3) !== 'properties';
}

/** Every reference of a specification, in the order in which they stand. */
export function referencesIn(root: unknown): Reference[] {
  const found: Reference[] = [];
  walkSpecification(root, (holder, pointer) => {
    if (typeof holder['$ref'] === 'string')
      found.push({ target: holder['$ref'], pointer: [...pointer, '$ref'], holder });
  });
  return found;
}

/** References that lead nowhere or out of the text. */
export function checkReferences(root: unknown): Finding[] {
  const findings: Finding[] = [];
  for (const { target, pointer } of referencesIn(root)) {
    if (findings.length >= mostFindings) break;
    if (!target.startsWith('#'))
      findings.push({
        code: 'UNRESOLVED_REF',
        pointer,
        message: `"${target.slice(0, 200)}" leads to another file; a specification is one text`,
      });
    else if (!/^#(\/|$)/.test(target) || resolvePointer(root, target) === undefined)
      findings.push({ code: 'UNRESOLVED_REF', pointer, message: leadsToNothing(root, target) });
  }
  return findings;
}

/** A slash that is forgotten is the common slip. */
function leadsToNothing(root: unknown, target: string): string {
  const slashed = `#/${target.slice(1)}`;
  const isSlip = !target.startsWith('#/') && target !== '#' && resolvePointer(root, slashed) !== undefined;
  return `${JSON.stringify(target.slice(0, 200))} leads to nothing${isSlip ? `: write ${JSON.stringify(slashed.slice(0, 200))}` : ''}`;
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

/** The words of a reference within the text, or of a pointer, in which a percent sign is one. */
export function wordsOf(target: string, isReference = true): string[] {
  return target.slice(1).split('/').slice(1).map((word) => (isReference ? decode(word) : unescape(word))); // prettier-ignore
}

/** The words as a JSON pointer. */
export function pointerOf(words: readonly string[]): string {
  return words.map((word) => `/${word.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function unescape(word: string): string {
  return word.replaceAll('~1', '/').replaceAll('~0', '~');
}

function decode(word: string): string {
  let text = word;
  try {
    text = decodeURIComponent(word);
  } catch {
    // A percent sign of its own.
  }
  return unescape(text);
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
  if (typeof target === 'string' && target.startsWith('#') && depth < 1000)
    sum += valuesIn(root, resolvePointer(root, target), known, depth + 1);
  for (const value of Object.values(node)) sum += depth < 1000 ? valuesIn(root, value, known, depth + 1) : 1;
  known.set(node, sum);
  return sum;
}
