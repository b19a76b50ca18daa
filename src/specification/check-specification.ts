import { validate } from '@readme/openapi-parser';
import { checkBudget } from './budget.ts';
import { pointerInSource, pointerOfLine, pointerOfWords } from './locate.ts';
import { checkReferences, referencesIn, writtenOut, type Finding } from './references.ts';

/** Checks a specification as data: its version, its references, the schema of its version, and the rules beyond that. */
export async function checkSpecification(value: Record<string, unknown>): Promise<Finding[]> {
  const version = checkVersion(value);
  const refused = version ?? checkBudget(value);
  if (refused !== undefined) return [refused];
  const references = checkReferences(value);
  return references.length > 0 ? references : validated(value);
}

function checkVersion(value: Record<string, unknown>): Finding | undefined {
  const { swagger, openapi } = value;
  if (swagger === undefined && openapi === undefined) return { code: 'NOT_OPENAPI', pointer: [], message: 'neither "openapi" nor "swagger" says which version of OpenAPI this is' };
  const pointer = [openapi === undefined ? 'swagger' : 'openapi'];
  const stated = String(openapi ?? swagger);
  const short = /^3(?:\.([01]))?$/.exec(stated);
  if (openapi !== undefined && short !== null)
    return { code: 'SCHEMA_INVALID', pointer, message: `openapi ${stated} lacks its last number: write "${short[1] === '1' ? '3.1.0' : '3.0.3'}"` };
  const isKnown = openapi === undefined ? stated === '2.0' || swagger === 2 : /^3\.[01](\.|$)/.test(stated);
  return isKnown ? undefined : { code: 'UNSUPPORTED_VERSION', pointer, message: `${pointer[0]} ${stated.slice(0, 20)} is not taken; swagger 2.0 and openapi 3.0 and 3.1 are` };
}

/** Values of which the library may draw a picture, at about 2 KB each; a specification of ordinary size stands for a million. */
const mostDrawn = 50_000;
const undrawn = 'undrawn';

async function validated(value: Record<string, unknown>): Promise<Finding[]> {
  const found = await judge(value, true, writtenOut(value) > mostDrawn);
  if (!found.some(isUndrawn)) return found;
  // Mostly the same is wrong where the references stand as they are, and the picture of that is small.
  const again = await judge(value, false, valuesOf(value) > 2 * mostDrawn);
  if (again.length > 0 && !again.some(isUndrawn)) return again;
  return [{ code: 'SCHEMA_INVALID', pointer: [], message: 'it breaks the schema of its version; it is too large to tell where, so check it in parts' }];
}

async function judge(value: unknown, isWrittenOut: boolean, isLarge: boolean): Promise<Finding[]> {
  let errors: readonly { readonly message: string }[];
  // It writes references out in what it is given, and draws its pictures of that.
  const copy = structuredClone(value) as object;
  const draw = (): never => {
    throw new Error(undrawn);
  };
  // What leads out of the text is left as it is.
  if (!isWrittenOut) for (const { holder, target } of referencesIn(copy)) holder['$ref'] = target.replace('#', 'here');
  // Of the object itself it takes a copy.
  if (isLarge) for (const part of Object.values(copy)) if (typeof part === 'object' && part !== null) Object.defineProperty(part, 'toJSON', { value: draw });
  try {
    const result = await validate(copy as never, { resolve: { external: false }, dereference: { circular: 'ignore' }, validate: { errors: { colorize: false } } });
    errors = result.valid ? [] : result.errors;
  } catch (error) {
    errors = [{ message: (error as Error).message }];
  }
  return errors.slice(0, 50).map(({ message }) => findingOf(value, copy, message));
}

function isUndrawn({ message }: Finding): boolean {
  return message === undrawn;
}

function valuesOf(node: unknown): number {
  return typeof node === 'object' && node !== null ? Object.values(node).reduce((sum: number, inner) => sum + valuesOf(inner), 1) : 1;
}

/** The words of the validator: either a rule that names what breaks it, or a schema error with a picture of the place. */
function findingOf(value: unknown, written: unknown, message: string): Finding {
  const line = Number(/^> *(\d+) \|/m.exec(message)?.[1] ?? Number.NaN);
  if (!Number.isNaN(line)) {
    const [said = ''] = message.split(/\n\n/);
    const tail = /\^+ (.+)$/m.exec(message)?.[1];
    return {
      code: 'SCHEMA_INVALID',
      pointer: pointerInSource(value, pointerOfLine(written, line)),
      message: inOnce(said.replaceAll('\n', ' ').replace(/^[A-Z]+(?: [A-Z]+)* (?=must|is|has)/, ''), tail),
    };
  }
  const words = /`(\/[^`]*)`/.exec(message)?.[1] ?? /operationId `([^`]*)`/.exec(message)?.[1];
  return { code: 'SPEC_INVALID', pointer: words === undefined ? [] : pointerOfWords(value, words), message: message.replace(/\.$/, '') };
}

/** Both sayings of an error, where the second says more than the first. */
function inOnce(said: string, tail: string | undefined): string {
  const isSame = tail === undefined || tail.endsWith(said) || /^\S+ is missing here!$/.test(tail);
  return isSame ? said : `${said}: ${tail}`;
}
