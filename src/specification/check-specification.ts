import { validate } from '@readme/openapi-parser';
import { checkBudget } from './budget.ts';
import { clarify } from './clarify.ts';
import { checkExtraRules } from './extra-rules.ts';
import { withPlainReferences } from './identifiers.ts';
import { pointerInSource, pointerOfLine, pointerOfWords } from './locate.ts';
import { prepare } from './prepare.ts';
import { isSchemaAt } from './schema-place.ts';
import { checkReferences, referencesIn, writtenOut, type Finding } from './references.ts';

/** Checks a specification as data: its version, its references, the schema of its version, and the rules beyond that. */
export async function checkSpecification(value: Record<string, unknown>): Promise<Finding[]> {
  const version = checkVersion(value);
  const refused = version ?? checkBudget(value);
  if (refused !== undefined) return [refused];
  const plain = withPlainReferences(value);
  const references = checkReferences(plain);
  if (references.length > 0) return references;
  const extra = checkExtraRules(plain);
  const found = clarify(plain, await validated(plain));
  // What is said here of an object is said better than by the library, which may take it for one of another kind.
  const rest = found.filter(
    ({ pointer }) => !extra.some(({ object }) => object.every((word, index) => pointer[index] === word)),
  );
  return [...extra.map(({ code, message, pointer }) => ({ code, message, pointer })), ...rest].slice(0, 50);
}

function checkVersion(value: Record<string, unknown>): Finding | undefined {
  const { swagger, openapi } = value;
  if (swagger === undefined && openapi === undefined)
    return { code: 'NOT_OPENAPI', pointer: [], message: notOpenapi(value) };
  const pointer = [openapi === undefined ? 'swagger' : 'openapi'];
  const version = openapi === undefined ? swagger : openapi;
  const stated =
    typeof version === 'string' || typeof version === 'number'
      ? String(version)
      : (JSON.stringify(version) ?? '');
  const short = /^3(?:\.([01]))?$/.exec(stated);
  if (openapi !== undefined && short !== null)
    return {
      code: 'SCHEMA_INVALID',
      pointer,
      message: `openapi ${stated} lacks its last number: write "${short[1] === '1' ? '3.1.0' : '3.0.3'}"`,
    };
  const isKnown = openapi === undefined ? stated === '2.0' || swagger === 2 : /^3\.[01](\.|$)/.test(stated);
  return isKnown
    ? undefined
    : {
        code: 'UNSUPPORTED_VERSION',
        pointer,
        message: `${pointer[0]} ${stated.slice(0, 20)} is not taken; swagger 2.0 and openapi 3.0 and 3.1 are`,
      };
}

/** What else describes APIs, by a field that only it has. */
const others: Readonly<Record<string, string>> = {
  asyncapi: 'an AsyncAPI document',
  arazzo: 'an Arazzo document',
  overlay: 'an OpenAPI overlay',
  swaggerVersion: 'Swagger 1.2; convert it to OpenAPI 3',
  $schema: 'a JSON Schema',
  item: 'a Postman collection; export it as OpenAPI',
};

function notOpenapi(value: Record<string, unknown>): string {
  const other = Object.keys(others).find((field) => Object.hasOwn(value, field));
  return `neither "openapi" nor "swagger" says which version of OpenAPI this is${other === undefined ? '' : `: this is ${others[other]!}`}`;
}

/** Values of which the library may draw a picture, at about 2 KB each; a specification of ordinary size stands for a million. */
const mostDrawn = 50_000;
const undrawn = 'undrawn';
/** Values that it may look at with each reference written out: beyond that, checking has no end. */
const mostValues = 3_000_000;
/** What the library says where its rules fall over something that its schema let pass. */
const fallen = /^Cannot (use|read|convert)|is not (a function|iterable|an object)/;

async function validated(value: Record<string, unknown>): Promise<Finding[]> {
  const size = writtenOut(value);
  let isUnknown = size > mostValues;
  if (!isUnknown) {
    const found = await judge(value, structuredClone(value), size > mostDrawn);
    isUnknown = found.some(({ message }) => fallen.test(message));
    if (!isUnknown && !found.some(isUndrawn)) return found;
  }
  // Each schema stands for itself: mostly the same is wrong, and the picture of that is small.
  const apart = withSchemasApart(value);
  const rest = writtenOut(apart);
  if (rest > mostValues)
    return [
      {
        code: 'SCHEMA_INVALID',
        pointer: [],
        message: `it stands for more than ${mostValues} values when its references are written out`,
      },
    ];
  const again = (await judge(value, apart, rest > 2 * mostDrawn)).filter(
    ({ message }) => !fallen.test(message),
  );
  const isTold = again.length > 0 ? !again.some(isUndrawn) : isUnknown;
  return isTold
    ? again
    : [
        {
          code: 'SCHEMA_INVALID',
          pointer: [],
          message: 'it breaks the schema of its version; it is too large to tell where, so check it in parts',
        },
      ];
}

/** A copy in which references from schemas stand as they are; the library leaves alone what leads out of the text. */
function withSchemasApart(value: Record<string, unknown>): Record<string, unknown> {
  const copy = structuredClone(value);
  for (const { holder, target, pointer } of referencesIn(copy))
    if (isSchemaAt(pointer.slice(0, -1))) holder['$ref'] = target.replace('#', 'here');
  return copy;
}

/** Takes the copy, in which the library writes references out, and of which it draws its pictures. */
async function judge(value: unknown, copy: Record<string, unknown>, isLarge: boolean): Promise<Finding[]> {
  let errors: readonly { readonly message: string }[];
  prepare(copy);
  const draw = (): never => {
    throw new Error(undrawn);
  };
  // Of the object itself it takes a copy.
  if (isLarge)
    for (const part of Object.values(copy))
      if (typeof part === 'object' && part !== null) Object.defineProperty(part, 'toJSON', { value: draw });
  try {
    const result = await validate(copy as never, {
      resolve: { external: false },
      dereference: { circular: 'ignore' },
      validate: { errors: { colorize: false } },
    });
    errors = result.valid ? [] : result.errors;
  } catch (error) {
    errors = [{ message: (error as Error).message }];
  }
  return errors.slice(0, 50).map(({ message }) => findingOf(value, copy, message));
}

function isUndrawn({ message }: Finding): boolean {
  return message === undrawn;
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
  return {
    code: 'SPEC_INVALID',
    pointer: words === undefined ? [] : pointerOfWords(value, words),
    message: message.replace(/\.$/, ''),
  };
}

/** Both sayings of an error, where the second says more than the first. */
function inOnce(said: string, tail: string | undefined): string {
  const isSame = tail === undefined || tail.endsWith(said) || /^\S+ is missing here!$/.test(tail);
  return isSame ? said : `${said}: ${tail}`;
}
