import { isObject, isRecord, recordOf } from '../contract/values.ts';
import { checkParameter } from './parameter-rules.ts';
import {
  httpMethods,
  isSchemaAt,
  isSwagger as isSwaggerVersion,
  isVersion31,
  resolveReference,
  walkSpecification,
} from './specification-tree.ts';
import { createFinding, type Finding } from './specification.ts';

type Pointer = readonly string[];

const maxFindings = 50;
const schemaTypes = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];
/** The required fields of each OAuth 2 flow. The library reports another missing field for them. */
const flowFields: Readonly<Record<string, readonly string[]>> = {
  implicit: ['authorizationUrl', 'scopes'],
  password: ['tokenUrl', 'scopes'],
  clientCredentials: ['tokenUrl', 'scopes'],
  authorizationCode: ['authorizationUrl', 'tokenUrl', 'scopes'],
};

/** Finds mistakes that the library does not find, or does not explain well; at most 50 findings. */
export function checkExtraRules(value: Record<string, unknown>): Finding[] {
  const isSwagger = isSwaggerVersion(value);
  const is31 = isVersion31(value);
  const findings = [...checkPaths(value), ...checkSecuritySchemes(value, isSwagger)];
  const checkEach = (
    list: unknown,
    pointer: Pointer,
    check: (item: unknown, pointer: Pointer) => Finding[],
  ): void => {
    if (!isObject(list)) return;
    for (const [key, item] of Object.entries(list)) add(check(item, [...pointer, key]));
  };
  // Added one by one, because a call accepts fewer arguments than a list may have items.
  const add = (found: readonly Finding[]) => found.forEach((one) => findings.push(one));
  const checkOneParameter = (item: unknown, pointer: Pointer): Finding[] =>
    checkParameter(item, pointer, isSwagger);
  const schemes = findSecuritySchemes(value, isSwagger);
  walkSpecification(value, (node, pointer) => {
    if (findings.length >= maxFindings) return;
    const isOperation = httpMethods.has(pointer.at(-1) ?? '') && !isSchemaAt(pointer);
    if (isOperation || pointer.length === 0) add(checkSecurity(node, pointer, schemes, isSwagger));
    if (isOperation) add(checkResponses(node, pointer));
    const { parameters, servers } = node;
    if (Array.isArray(parameters)) checkEach(parameters, [...pointer, 'parameters'], checkOneParameter);
    if (is31 && Array.isArray(servers)) checkEach(servers, [...pointer, 'servers'], checkServer);
    if (is31 && isSchemaAt(pointer)) add(checkSchema(node, pointer));
  });
  const { parameters } = recordOf(isSwagger ? value : value['components']);
  const holder = isSwagger ? [] : ['components'];
  if (isRecord(parameters)) checkEach(parameters, [...holder, 'parameters'], checkOneParameter);
  return findings.slice(0, maxFindings);
}

function checkPaths({ paths }: Record<string, unknown>): Finding[] {
  return Object.keys(recordOf(paths))
    .filter((path) => !path.startsWith('/') && !path.startsWith('x-'))
    .map((path) => {
      const written = JSON.stringify(`/${path}`.slice(0, 100));
      return createFinding('SPEC_INVALID', `a path must begin with a slash: write ${written}`, [
        'paths',
        path,
      ]);
    });
}

/** Finds security schemes that are not objects, for which the library throws, and flows without required fields. */
function checkSecuritySchemes(value: Record<string, unknown>, isSwagger: boolean): Finding[] {
  const path = isSwagger ? ['securityDefinitions'] : ['components', 'securitySchemes'];
  const schemes = path.reduce<unknown>((node, key) => recordOf(node)[key], value);
  return Object.entries(recordOf(schemes)).flatMap(([name, scheme]) => {
    const object = [...path, name];
    if (!isRecord(scheme)) return createFinding('SCHEMA_INVALID', 'must be object', object);
    if (isSwagger) return [];
    return Object.entries(recordOf(scheme['flows'])).flatMap(([flowName, flow]) => {
      const required = Object.hasOwn(flowFields, flowName) ? (flowFields[flowName] ?? []) : [];
      const missing = isRecord(flow) ? required.filter((field) => flow[field] === undefined) : [];
      const pointer = [...object, 'flows', flowName];
      return missing.map((field) =>
        createFinding('SCHEMA_INVALID', `must have required property '${field}'`, pointer, object),
      );
    });
  });
}

function findSecuritySchemes(value: Record<string, unknown>, isSwagger: boolean): Record<string, unknown> {
  const schemes = isSwagger ? value['securityDefinitions'] : recordOf(value['components'])['securitySchemes'];
  const { $ref: target } = recordOf(schemes);
  return recordOf(typeof target === 'string' ? resolveReference(value, target) : schemes);
}

/** Finds security requirements, of an operation or the whole specification, for undeclared schemes. */
function checkSecurity(
  { security }: Record<string, unknown>,
  pointer: Pointer,
  schemes: Record<string, unknown>,
  isSwagger: boolean,
): Finding[] {
  const place = isSwagger ? '"securityDefinitions"' : '"securitySchemes" of "components"';
  return (Array.isArray(security) ? security : []).flatMap((requirement, index) =>
    Object.keys(recordOf(requirement))
      .filter((name) => !Object.hasOwn(schemes, name))
      .map((name) =>
        createFinding('SPEC_INVALID', `${JSON.stringify(name.slice(0, 100))} is not defined in ${place}`, [
          ...pointer,
          'security',
          String(index),
          name,
        ]),
      ),
  );
}

/** Finds responses that are a reference, which the library expands without an error. */
function checkResponses({ responses }: Record<string, unknown>, pointer: Pointer): Finding[] {
  if (typeof recordOf(responses)['$ref'] !== 'string') return [];
  const message = '"responses" cannot be a reference; each response can';
  return [createFinding('SPEC_INVALID', message, [...pointer, 'responses', '$ref'])];
}

function checkServer(server: unknown, pointer: Pointer): Finding[] {
  return Object.entries(recordOf(recordOf(server)['variables'])).flatMap(([name, variable]) => {
    const { enum: values, default: value } = recordOf(variable);
    if (!Array.isArray(values) || values.length === 0) return [];
    if (typeof value !== 'string' || values.includes(value)) return [];
    const object = [...pointer, 'variables', name];
    const message = 'the default of a server variable must be one of its "enum" values';
    return createFinding('SCHEMA_INVALID', message, [...object, 'default'], object);
  });
}

/** Finds mistakes in a schema of 3.1, which the schema of OpenAPI 3.1 does not check. */
function checkSchema(schema: Record<string, unknown>, object: Pointer): Finding[] {
  const findings: Finding[] = [];
  const add = (field: string, message: string) =>
    void findings.push(createFinding('SCHEMA_INVALID', message, [...object, field]));
  const { type, properties, discriminator } = schema;
  const types: unknown[] = Array.isArray(type) ? type : [type];
  const wrong = types.find((one) => one !== undefined && !schemaTypes.includes(one as string));
  if (wrong !== undefined)
    add('type', `"type" must be one of ${schemaTypes.join(', ')}, not ${JSON.stringify(wrong).slice(0, 60)}`);
  if (properties !== undefined && !isRecord(properties)) add('properties', 'must be object');
  for (const field of ['allOf', 'anyOf', 'oneOf'])
    if (schema[field] !== undefined && !Array.isArray(schema[field])) add(field, 'must be array');
  if (discriminator !== undefined && typeof recordOf(discriminator)['propertyName'] !== 'string')
    add('discriminator', 'a discriminator must be an object with a "propertyName"');
  return findings;
}
