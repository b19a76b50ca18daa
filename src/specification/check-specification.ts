import { validate } from '@readme/openapi-parser';
import { checkBudget } from './budget.ts';
import { pointerInSource, pointerOfLine, pointerOfWords } from './locate.ts';
import { checkReferences, type Finding } from './references.ts';

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
  const isKnown = openapi === undefined ? stated === '2.0' || swagger === 2 : /^3\.[01](\.|$)/.test(stated);
  return isKnown ? undefined : { code: 'UNSUPPORTED_VERSION', pointer, message: `${pointer[0]} ${stated.slice(0, 20)} is not taken; swagger 2.0 and openapi 3.0 and 3.1 are` };
}

async function validated(value: unknown): Promise<Finding[]> {
  let errors: readonly { readonly message: string }[];
  // It writes references out in what it is given, and draws its pictures of that.
  const copy = structuredClone(value);
  try {
    const result = await validate(copy as never, { resolve: { external: false }, dereference: { circular: 'ignore' }, validate: { errors: { colorize: false } } });
    errors = result.valid ? [] : result.errors;
  } catch (error) {
    errors = [{ message: (error as Error).message }];
  }
  return errors.slice(0, 50).map(({ message }) => findingOf(value, copy, message));
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
      message: [said.replaceAll('\n', ' ').replace(/^[A-Z ]+ (?=must|is|has)/, ''), tail].filter(Boolean).join(': '),
    };
  }
  const words = /`(\/[^`]*)`/.exec(message)?.[1] ?? /operationId `([^`]*)`/.exec(message)?.[1];
  return { code: 'SPEC_INVALID', pointer: words === undefined ? [] : pointerOfWords(value, words), message: message.replace(/\.$/, '') };
}
