import { clarifyFindings } from './clarify-findings.ts';
import { isObject, recordOf } from '../contract/values.ts';
import { checkExtraRules } from './extra-rules.ts';
import { maxErrors } from './parse-source.ts';
import { resolveIdentifiers } from './resolve-identifiers.ts';
import { countExpandedValues, findReferences, resolveReference } from './specification-tree.ts';
import { createFinding, type Finding } from './specification.ts';
import { validateSpecification } from './validate-specification.ts';
import { copyWithoutMistakes } from './without-mistakes.ts';

const maxRounds = 4;
/** A specification with more values, counted with expanded references, is checked only once. */
const maxValuesAgain = 300_000;

/** Checks a parsed specification: its version, its references, the schema of its version, and additional rules. */
export async function checkSpecification(value: Record<string, unknown>): Promise<Finding[]> {
  const refused = checkVersion(value) ?? checkSize(value);
  if (refused !== undefined) return [refused];
  const resolved = resolveIdentifiers(value);
  const findings = [...checkReferences(resolved), ...checkExtraRules(resolved)];
  const isKnown = ({ pointer }: Finding) =>
    findings.some(
      ({ object }) =>
        object.every((token, index) => pointer[index] === token) &&
        (object.length > 0 || pointer.length === 0),
    );
  const mistakes = findings.flatMap(({ code, pointer }) => (code === 'UNRESOLVED_REF' ? [pointer] : []));
  // The library checks its rules only if the schema has no findings. So each round leaves out the parts with findings of earlier
  // rounds.
  for (let round = 0; round < maxRounds && findings.length < maxErrors.findings; round++) {
    const rest = mistakes.length === 0 ? resolved : copyWithoutMistakes(resolved, mistakes);
    if (round > 0 && countExpandedValues(rest) > maxValuesAgain) break;
    const found = clarifyFindings(resolved, await validateSpecification(rest));
    if (round === 0) mistakes.push(...findings.map(({ pointer }) => pointer));
    // The library may mistake the kind of an object, so our own findings for an object replace those of the library.
    findings.push(...found.filter((finding) => !isKnown(finding)));
    if (found.length === 0) break;
    mistakes.push(...found.map(({ pointer }) => pointer));
  }
  return findings.slice(0, maxErrors.findings);
}

/** Whether a finding concerns only an operation, a component or another part, so that the rest can be published. */
export function isPartial({ pointer, isFatal }: Finding): boolean {
  return isFatal !== true && pointer.length > 1 && pointer[0] !== 'info';
}

function checkVersion(value: Record<string, unknown>): Finding | undefined {
  const { swagger, openapi } = value;
  if (swagger === undefined && openapi === undefined)
    return createFinding('NOT_OPENAPI', describeOther(value));
  const [field, version] = openapi === undefined ? ['swagger', swagger] : ['openapi', openapi];
  const isPlain = typeof version === 'string' || typeof version === 'number';
  const written = isPlain ? String(version) : (JSON.stringify(version) ?? '');
  const [isShort, minor] = (field === 'openapi' && /^3(?:\.([01]))?$/.exec(written)) || [];
  if (isShort !== undefined)
    return createFinding(
      'SCHEMA_INVALID',
      `openapi ${written} lacks its last number: write "${minor === '1' ? '3.1.0' : '3.0.3'}"`,
      [field],
    );
  const isKnown = field === 'swagger' ? written === '2.0' || swagger === 2 : /^3\.[01](\.|$)/.test(written);
  const message = `${field} ${written.slice(0, 20)} is not supported; use swagger 2.0, openapi 3.0 or openapi 3.1`;
  return isKnown ? undefined : createFinding('UNSUPPORTED_VERSION', message, [field]);
}

/** Other description formats of APIs, by a field that only they have. */
const otherFormats = {
  asyncapi: 'an AsyncAPI document',
  arazzo: 'an Arazzo document',
  overlay: 'an OpenAPI overlay',
  swaggerVersion: 'Swagger 1.2; convert it to OpenAPI 3',
  $schema: 'a JSON Schema',
  item: 'a Postman collection; export it as OpenAPI',
};

function describeOther(value: Record<string, unknown>): string {
  const [, other] = Object.entries(otherFormats).find(([field]) => Object.hasOwn(value, field)) ?? [];
  const suffix = other === undefined ? '' : `; this is ${other}`;
  return `"openapi" or "swagger" with a version is missing${suffix}`;
}

// The library compares list items with each other, so the time grows with the square of their number.
const maxOperations = 5000;
const maxParameters = 500;
const maxPathLength = 2000;
const maxPairs = 20_000_000;

/** Rejects a specification that would take too long to check. No published one comes near these limits. */
function checkSize(value: Record<string, unknown>): Finding | undefined {
  const refuse = (message: string, pointer: readonly string[]): Finding => ({
    ...createFinding('SCHEMA_INVALID', message, pointer),
    isFatal: true,
  });
  let operations = 0;
  for (const [path, item] of Object.entries(recordOf(value['paths']))) {
    const pointer = ['paths', path];
    if (path.length > maxPathLength)
      return refuse(`this path has more than ${maxPathLength} characters`, pointer);
    operations += Math.max(1, Object.keys(recordOf(item)).length);
    if (operations > maxOperations)
      return refuse(`more than ${maxOperations} operations, which is the limit of a specification`, pointer);
  }
  let pairs = 0;
  const walk = (node: unknown, pointer: readonly string[]): Finding | undefined => {
    if (!isObject(node)) return undefined;
    if (Array.isArray(node)) {
      pairs += node.some((item) => typeof item === 'object') ? node.length ** 2 : node.length;
      if (node.length > maxParameters && pointer.at(-1) === 'parameters')
        return refuse(`more than ${maxParameters} parameters in one list`, pointer);
      if (pairs > maxPairs)
        return refuse('the lists up to this point have too many items to compare', pointer);
    }
    for (const [key, member] of Object.entries(node)) {
      if (key === 'example' || key === 'examples' || key === 'default' || key.startsWith('x-')) continue;
      const found = walk(member, [...pointer, key]);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return walk(value, []);
}

/** Finds references without a target, and references out of the text. */
function checkReferences(root: unknown): Finding[] {
  const findings: Finding[] = [];
  for (const { target, pointer } of findReferences(root)) {
    if (findings.length >= maxErrors.findings) break;
    const isResolved = /^#(\/|$)/.test(target) && resolveReference(root, target) !== undefined;
    if (!isResolved)
      findings.push({
        ...createFinding('UNRESOLVED_REF', describeUnresolved(root, target), pointer),
        ...(target.startsWith('#') ? {} : { isFatal: true }),
      });
  }
  return findings;
}

function describeUnresolved(root: unknown, target: string): string {
  if (!target.startsWith('#'))
    return `"${target.slice(0, 200)}" leads to another file; a specification is one text`;
  const slashed = `#/${target.slice(1)}`;
  const isSlip = !target.startsWith('#/') && resolveReference(root, slashed) !== undefined;
  return `${quote(target)} leads to nothing${isSlip ? `: write ${quote(slashed)}` : ''}`;
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 200));
}
