import type { RuleFinding } from './parameter-rules.ts';
import { resolvePointer } from './references.ts';
import { isSchemaAt } from './schema-place.ts';
import { isRecord } from '../contract/values.ts';

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

/** What is wrong with what operations, and the specification itself, say of security and responses. */
export function checkOperations(
  value: Record<string, unknown>,
  isSwagger: boolean,
): (node: Record<string, unknown>, pointer: readonly string[]) => RuleFinding[] {
  const schemes = schemesOf(value, isSwagger);
  const place = isSwagger ? '"securityDefinitions"' : '"securitySchemes" of "components"';
  const wrong = (message: string, object: readonly string[]): RuleFinding => ({
    code: 'SPEC_INVALID',
    message,
    pointer: object,
    object,
  });
  return (node, pointer) => {
    const isOperation = methods.has(pointer.at(-1) ?? '') && !isSchemaAt(pointer);
    if (pointer.length > 0 && !isOperation) return [];
    const { security, responses } = node;
    const unknown = (Array.isArray(security) ? security : []).flatMap((requirement, index) =>
      Object.keys(isRecord(requirement) ? requirement : {})
        .filter((name) => !Object.hasOwn(schemes, name))
        .map((name) =>
          wrong(`${JSON.stringify(name.slice(0, 100))} is none of the ${place}`, [
            ...pointer,
            'security',
            String(index),
            name,
          ]),
        ),
    );
    // The library puts there what it refers to, and sees nothing wrong.
    const isReferred = isOperation && isRecord(responses) && typeof responses['$ref'] === 'string';
    return [
      ...unknown,
      ...(isReferred
        ? [
            wrong('"responses" as a whole is no place for a reference; each of them is', [
              ...pointer,
              'responses',
              '$ref',
            ]),
          ]
        : []),
    ];
  };
}

function schemesOf(value: Record<string, unknown>, isSwagger: boolean): Record<string, unknown> {
  const { components, securityDefinitions } = value;
  const schemes = isSwagger
    ? securityDefinitions
    : isRecord(components)
      ? components['securitySchemes']
      : undefined;
  const target =
    isRecord(schemes) && typeof schemes['$ref'] === 'string'
      ? resolvePointer(value, schemes['$ref'])
      : schemes;
  return isRecord(target) ? target : {};
}
