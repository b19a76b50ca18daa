import { checkSchema, compileSchema } from '../../core/json-schema.ts';
import type { InstallationRow, InstallationStatus, IntegrationRow } from '../../core/rows/integrations.ts';
import { invalid, Problem, type Violation } from '../../errors/problem.ts';
import { defined } from '../../contract/values.ts';

/** Where an integration can be set up. */
export type Level = 'account' | 'space' | 'site';
/** Bytes of a configuration as JSON: two of them fit well into the message of an event. */
const mostBytes = 64 * 1024;
const levels: readonly Level[] = ['account', 'space', 'site'];

interface Setting {
  readonly type: 'string' | 'number' | 'boolean' | 'button';
  readonly default?: unknown;
  readonly enum?: readonly string[];
}
/** As an integration declares it: settings, or a component of its own that asks for them. */
type Declared =
  | { readonly properties: Readonly<Record<string, Setting>>; readonly required?: readonly string[] }
  | { readonly componentId: string };

/** Refuses declared settings that no value could be checked against, or whose own defaults are wrong. */
export function checkConfigurations(configurations: IntegrationRow['configurations']): void {
  const wrong = levels.flatMap((level) =>
    wrongWith(configurations[level] as Declared | undefined, `/body/configurations/${level}`),
  );
  if (wrong.length > 0)
    throw new Problem(
      'invalid-input',
      `The settings that the integration asks for are not valid: ${wrong[0]!.path} ${wrong[0]!.message}.`,
      { violations: wrong },
    );
}

function wrongWith(declared: Declared | undefined, at: string): Violation[] {
  if (declared === undefined || !('properties' in declared)) return [];
  const schema = schemaOf(declared);
  const found = checkSchema(schema, at);
  if (found.length > 0) return found;
  for (const name of declared.required ?? [])
    if (!Object.hasOwn(declared.properties, name))
      found.push({ path: `${at}/required`, message: `names "${name}", which is no setting` });
  const { required: _, ...lenient } = schema;
  const wrong = compileSchema(lenient)(defaultsOf(declared), `${at}/properties`).map(({ path, message }) => ({
    path: `${path}/default`,
    message,
  }));
  return [...found, ...wrong, ...tooLargeAt(declared, at)];
}

/** The setting whose default is the first that goes beyond what a configuration may have. */
function tooLargeAt(
  declared: { readonly properties: Readonly<Record<string, Setting>> },
  at: string,
): Violation[] {
  const begun: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(defaultsOf(declared))) {
    begun[name] = value;
    if (sizeOf(begun) <= mostBytes) continue;
    const message = `makes the defaults larger than a configuration may be, which is ${mostBytes / 1024} KiB`;
    return [
      { path: `${at}/properties/${name.replaceAll('~', '~0').replaceAll('/', '~1')}/default`, message },
    ];
  }
  return [];
}

function sizeOf(configuration: unknown): number {
  return Buffer.byteLength(JSON.stringify(configuration));
}

/** Refuses a configuration that is not as the integration declares it. */
export function checkConfiguration(
  { configurations }: IntegrationRow,
  level: Level,
  configuration: unknown,
): void {
  if (sizeOf(configuration) > mostBytes)
    throw invalid(
      '/body/configuration',
      `A configuration has at most ${mostBytes / 1024} KiB.`,
      'It goes along with every event; keep what is larger elsewhere.',
    );
  const wrong = compileSchema(schemaOf(configurations[level] as Declared | undefined))(
    configuration,
    '/body/configuration',
  );
  if (wrong.length === 0) return;
  throw new Problem(
    'invalid-input',
    `The configuration is not what the integration asks for: ${wrong[0]!.path.replace('/body/', '')} ${wrong[0]!.message}.`,
    {
      violations: wrong,
      hint: '`docsctl integrations get NAME --query configurations -o json` shows what it asks for.',
    },
  );
}

/** What a new installation begins with: defaults; it is pending until all is there that the integration requires. */
export function startOf(
  { configurations }: IntegrationRow,
  level: Level,
): { configuration: InstallationRow['configuration']; status: InstallationStatus } {
  const declared = configurations[level] as Declared | undefined;
  const configuration = declared !== undefined && 'properties' in declared ? defaultsOf(declared) : {};
  return {
    configuration,
    status: compileSchema(schemaOf(declared))(configuration).length === 0 ? 'active' : 'pending',
  };
}

function defaultsOf({
  properties,
}: {
  readonly properties: Readonly<Record<string, Setting>>;
}): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, setting]) =>
      setting.default === undefined ? [] : [[name, setting.default]],
    ),
  );
}

function schemaOf(declared: Declared | undefined): Record<string, unknown> {
  if (declared === undefined || !('properties' in declared)) return { type: 'object' };
  const properties = Object.fromEntries(
    Object.entries(declared.properties).map(([name, setting]) => [name, ofSetting(setting)]),
  );
  return { type: 'object', properties, required: declared.required ?? [], additionalProperties: false };
}

/** A button stands for what the integration brings from elsewhere, such as a login: that may be anything. */
function ofSetting({ type, enum: values }: Setting): unknown {
  if (type === 'button') return true;
  return defined({ type, enum: values });
}
