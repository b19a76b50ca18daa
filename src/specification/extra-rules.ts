import { checkOperations } from './operation-rules.ts';
import { checkParameter, type RuleFinding } from './parameter-rules.ts';
import { walkSpecification } from './references.ts';
import { isSchemaAt } from './schema-place.ts';
import { isRecord } from '../contract/values.ts';

const schemaTypes = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];
const most = 50;

/** What the library does not see, or tells so that nobody could act on it. */
export function checkExtraRules(value: Record<string, unknown>): RuleFinding[] {
  const isSwagger = value['openapi'] === undefined;
  const is31 = String(value['openapi']).startsWith('3.1');
  const findings: RuleFinding[] = [...checkPaths(value), ...checkSecuritySchemes(value, isSwagger)];
  // One by one: a list of a hundred thousand is more than a call takes.
  const add = (found: readonly RuleFinding[]): void => found.forEach((one) => findings.push(one));
  const each = (
    list: unknown,
    pointer: readonly string[],
    check: (one: unknown, at: string[]) => RuleFinding[],
  ): void => {
    if (typeof list === 'object' && list !== null)
      for (const [key, one] of Object.entries(list)) add(check(one, [...pointer, key]));
  };
  const checkOperation = checkOperations(value, isSwagger);
  walkSpecification(value, (node, pointer) => {
    if (findings.length >= most) return;
    add(checkOperation(node, pointer));
    if (Array.isArray(node['parameters']))
      each(node['parameters'], [...pointer, 'parameters'], (one, at) => checkParameter(one, at, isSwagger));
    if (is31 && Array.isArray(node['servers'])) each(node['servers'], [...pointer, 'servers'], checkServer);
    if (is31 && isSchemaAt(pointer)) add(checkSchema(node, pointer));
  });
  const components = isSwagger ? value : value['components'];
  if (isRecord(components))
    each(
      isRecord(components['parameters']) ? components['parameters'] : {},
      isSwagger ? ['parameters'] : ['components', 'parameters'],
      (one, at) => checkParameter(one, at, isSwagger),
    );
  return findings.slice(0, most);
}

function checkPaths({ paths }: Record<string, unknown>): RuleFinding[] {
  const wrong = isRecord(paths)
    ? Object.keys(paths).filter((path) => !path.startsWith('/') && !path.startsWith('x-'))
    : [];
  return wrong.map((path) => {
    const pointer = ['paths', path];
    return {
      code: 'SPEC_INVALID',
      message: `a path begins with a slash: write ${JSON.stringify(`/${path}`.slice(0, 100))}`,
      pointer,
      object: pointer,
    };
  });
}

/** The library takes for granted that each is an object, and falls over it otherwise. */
function checkSecuritySchemes(value: Record<string, unknown>, isSwagger: boolean): RuleFinding[] {
  const holder = isSwagger ? value : value['components'];
  const key = isSwagger ? 'securityDefinitions' : 'securitySchemes';
  const schemes = isRecord(holder) ? holder[key] : undefined;
  if (!isRecord(schemes)) return [];
  return Object.entries(schemes).flatMap(([name, scheme]) => {
    const pointer = [...(isSwagger ? [] : ['components']), key, name];
    if (!isRecord(scheme))
      return [
        { code: 'SCHEMA_INVALID', message: 'must be object', pointer, object: pointer },
      ] satisfies RuleFinding[];
    return isSwagger || !isRecord(scheme['flows']) ? [] : checkFlows(scheme['flows'], pointer);
  });
}

/** What each flow of OAuth 2 needs; else it is told that something else of the scheme is missing. */
const flowFields: Readonly<Record<string, readonly string[]>> = {
  implicit: ['authorizationUrl', 'scopes'],
  password: ['tokenUrl', 'scopes'],
  clientCredentials: ['tokenUrl', 'scopes'],
  authorizationCode: ['authorizationUrl', 'tokenUrl', 'scopes'],
};

function checkFlows(flows: Record<string, unknown>, object: readonly string[]): RuleFinding[] {
  return Object.entries(flows).flatMap(([name, flow]) => {
    const missing = isRecord(flow)
      ? (Object.hasOwn(flowFields, name) ? flowFields[name]! : []).filter(
          (field) => flow[field] === undefined,
        )
      : [];
    return missing.map(
      (field) =>
        ({
          code: 'SCHEMA_INVALID',
          message: `must have required property '${field}'`,
          pointer: [...object, 'flows', name],
          object,
        }) satisfies RuleFinding,
    );
  });
}

function checkServer(server: unknown, pointer: string[]): RuleFinding[] {
  const variables =
    isRecord(server) && isRecord(server['variables']) ? Object.entries(server['variables']) : [];
  return variables.flatMap(([name, variable]) => {
    if (!isRecord(variable) || !Array.isArray(variable['enum']) || variable['enum'].length === 0) return [];
    const object = [...pointer, 'variables', name];
    if (typeof variable['default'] !== 'string' || variable['enum'].includes(variable['default'])) return [];
    return [
      {
        code: 'SCHEMA_INVALID',
        message: 'the default of a server variable is one of its "enum"',
        pointer: [...object, 'default'],
        object,
      },
    ] satisfies RuleFinding[];
  });
}

/** The schema of 3.1 says nothing of what stands in the schemas of a specification. */
function checkSchema(schema: Record<string, unknown>, object: readonly string[]): RuleFinding[] {
  const at = (field: string, message: string): RuleFinding => ({
    code: 'SCHEMA_INVALID',
    message,
    pointer: [...object, field],
    object: [...object, field],
  });
  const { type, properties, discriminator } = schema;
  const wrong = (Array.isArray(type) ? type : [type]).find(
    (one) => one !== undefined && !schemaTypes.includes(one as string),
  );
  return [
    ...(wrong === undefined
      ? []
      : [
          at('type', `"type" is one of ${schemaTypes.join(', ')}, not ${JSON.stringify(wrong).slice(0, 60)}`),
        ]),
    ...(properties === undefined || isRecord(properties) ? [] : [at('properties', 'must be object')]),
    ...['allOf', 'anyOf', 'oneOf'].flatMap((field) =>
      schema[field] === undefined || Array.isArray(schema[field]) ? [] : [at(field, 'must be array')],
    ),
    ...(discriminator === undefined ||
    (isRecord(discriminator) && typeof discriminator['propertyName'] === 'string')
      ? []
      : [at('discriminator', 'a discriminator is an object with a "propertyName"')]),
  ];
}
