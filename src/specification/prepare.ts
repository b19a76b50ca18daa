import { otherFiles, referencesIn, resolvePointer, walkSpecification } from './references.ts';
import { isRecord } from '../contract/values.ts';

/** Takes out of a specification what the library would refuse though it is right, and what other rules tell better. */
export function prepare(value: Record<string, unknown>): void {
  dropSiblings(value);
  leaveData(value);
  bringIn(value);
  const { paths, components, securityDefinitions } = value;
  // It wants a slash before extensions too, and says nothing else where a path lacks one.
  if (isRecord(paths)) for (const path of Object.keys(paths)) if (!path.startsWith('/')) delete paths[path];
  for (const schemes of [
    securityDefinitions,
    isRecord(components) ? components['securitySchemes'] : undefined,
  ])
    dropFrom(schemes, () => true);
  // Neither are extensions responses, nor kinds of components.
  dropFrom(components, (name) => name.startsWith('x-'));
  const is31 = String(value['openapi']).startsWith('3.1');
  walkSpecification(value, (holder) => {
    dropFrom(holder['responses'], (name) => name.startsWith('x-'));
    // In 3.1 a schema may be "true" or "false"; the rules of the library look into it.
    if (is31 && typeof holder['schema'] === 'boolean') holder['schema'] = {};
  });
  const schemas = isRecord(components) ? components['schemas'] : undefined;
  if (is31 && isRecord(schemas))
    for (const [name, schema] of Object.entries(schemas)) if (typeof schema === 'boolean') schemas[name] = {};
}

/** Takes out what is no object, and would be taken for one. */
function dropFrom(map: unknown, isMeant: (name: string) => boolean): void {
  if (isRecord(map))
    for (const [name, one] of Object.entries(map)) if (isMeant(name) && !isRecord(one)) delete map[name];
}

/** Fields beside a `$ref` count for nothing before 3.1, and since then as words only, but for those of path items and schemas; the library takes them for fields of what is referred to. */
function dropSiblings(value: Record<string, unknown>): void {
  const is31 = String(value['openapi']).startsWith('3.1');
  for (const { holder, pointer } of referencesIn(value)) {
    if (isPathItem(pointer)) continue;
    for (const [key, beside] of Object.entries(holder)) {
      const isWord = (key === 'summary' || key === 'description') && typeof beside === 'string';
      if (key !== '$ref' && (!is31 || isWord)) delete holder[key];
    }
  }
}

function isPathItem(pointer: readonly string[]): boolean {
  const isTop = pointer.length === 3 && (pointer[0] === 'paths' || pointer[0] === 'webhooks');
  return isTop || pointer.at(-4) === 'callbacks' || (pointer.length === 4 && pointer[1] === 'pathItems');
}

/** The library follows references in examples and extensions too; in those they are data, or may be. */
function leaveData(value: Record<string, unknown>): void {
  const leave = (node: unknown, isData: boolean, depth: number): void => {
    if (typeof node !== 'object' || node === null || depth > 100) return;
    const holder = node as Record<string, unknown>;
    const target = holder['$ref'];
    if (
      typeof target === 'string' &&
      target.startsWith('#') &&
      (isData || resolvePointer(value, target) === undefined)
    )
      holder['$ref'] = target.replace('#', 'here');
    for (const inner of Object.values(holder)) leave(inner, isData, depth + 1);
  };
  walkSpecification(value, (holder) => {
    for (const [key, inner] of Object.entries(holder)) {
      const isExamples = key === 'examples' && (Array.isArray(inner) || value['openapi'] === undefined);
      if (key === 'example' || key === 'default' || key === 'value' || isExamples) leave(inner, true, 0);
      else if (key.startsWith('x-') && key !== otherFiles) leave(inner, false, 0);
    }
  });
}

/** The library leaves a reference as it is where there is a circle behind it, and then looks at nothing of what it leads to. None of these can hold itself. */
function bringIn(value: Record<string, unknown>): void {
  for (const { holder, pointer } of referencesIn(value)) {
    const [above, name] = pointer.slice(-3);
    const isPart =
      (above === 'parameters' && /^\d+$/.test(name ?? '')) || above === 'responses' || name === 'requestBody';
    const isTop = pointer.length === 3 && (above === 'paths' || above === 'webhooks');
    for (let hops = 0; (isTop || isPart) && hops < 20 && typeof holder['$ref'] === 'string'; hops++) {
      const target = resolvePointer(value, holder['$ref']);
      if (!isRecord(target) || target === holder) break;
      delete holder['$ref'];
      for (const [key, part] of Object.entries(target)) if (!Object.hasOwn(holder, key)) holder[key] = part;
    }
  }
}
