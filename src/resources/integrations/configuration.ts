import { pointerToken } from '../../contract/paths.ts';
import { describeViolations } from '../../contract/check.ts';
import { checkSchema, compileSchema } from '../../core/json-schema.ts';
import type { InstallationRow, InstallationStatus, IntegrationRow } from '../../core/rows/integrations.ts';
import { invalid, Problem, type Violation } from '../../errors/problem.ts';
import { defined } from '../../contract/values.ts';

type InstallationLevel = 'account' | 'space' | 'site';
/** Maximum size of a configuration as JSON, in bytes: two of them fit into the message of an event. */
const maxConfigurationBytes = 64 * 1024;
const levels: readonly InstallationLevel[] = ['account', 'space', 'site'];

interface Setting {
  readonly type: 'string' | 'number' | 'boolean' | 'button';
  readonly default?: unknown;
  readonly enum?: readonly string[];
}
interface DeclaredSettings {
  readonly properties: Readonly<Record<string, Setting>>;
  readonly required?: readonly string[];
}

/** Returns the settings that an integration declares; undefined if it declares none, or shows a component to edit them. */
function declaredSettings(
  configurations: IntegrationRow['configurations'],
  level: InstallationLevel,
): DeclaredSettings | undefined {
  const declared = configurations[level] as DeclaredSettings | { componentId: string } | undefined;
  return declared !== undefined && 'properties' in declared ? declared : undefined;
}

/** Checks the settings that an integration declares, and their defaults. @throws Problem(invalid-input) */
export function checkConfigurations(configurations: IntegrationRow['configurations']): void {
  const violations = levels.flatMap((level) => {
    const declared = declaredSettings(configurations, level);
    return declared === undefined ? [] : findViolations(declared, `/body/configurations/${level}`);
  });
  if (violations.length > 0)
    throw new Problem(
      'invalid-input',
      `The configurations of the integration are not valid: ${describeViolations(violations, '/body')}.`,
      { violations },
    );
}

function findViolations(declared: DeclaredSettings, at: string): Violation[] {
  const schema = schemaOf(declared);
  const violations = checkSchema(schema, at);
  if (violations.length > 0) return violations;
  for (const name of declared.required ?? [])
    if (!Object.hasOwn(declared.properties, name))
      violations.push({ path: `${at}/required`, message: `contains "${name}", which is not a setting` });
  const { required: _, ...lenient } = schema;
  const defaults = defaultsOf(declared);
  for (const { path, message } of compileSchema(lenient)(defaults, `${at}/properties`))
    violations.push({ path: `${path}/default`, message });
  const oversized = findOversizedDefault(defaults);
  if (oversized !== undefined)
    violations.push({
      path: `${at}/properties/${pointerToken(oversized)}/default`,
      message: `makes the defaults larger than ${maxConfigurationBytes / 1024} KiB, the limit of a configuration`,
    });
  return violations;
}

/** Returns the name of the first setting whose default makes the configuration too large. */
function findOversizedDefault(defaults: Readonly<Record<string, unknown>>): string | undefined {
  const configuration: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(defaults)) {
    configuration[name] = value;
    if (sizeOf(configuration) > maxConfigurationBytes) return name;
  }
  return undefined;
}

function sizeOf(configuration: unknown): number {
  return Buffer.byteLength(JSON.stringify(configuration));
}

/** Checks a configuration against the settings that the integration declares. @throws Problem(invalid-input) */
export function checkConfiguration(
  { configurations }: IntegrationRow,
  level: InstallationLevel,
  configuration: unknown,
): void {
  if (sizeOf(configuration) > maxConfigurationBytes)
    throw invalid(
      '/body/configuration',
      `The configuration is larger than ${maxConfigurationBytes / 1024} KiB.`,
      'Store large values elsewhere: the configuration is sent with every event.',
    );
  const check = compileSchema(schemaOf(declaredSettings(configurations, level)));
  const violations = check(configuration, '/body/configuration');
  if (violations.length === 0) return;
  throw new Problem(
    'invalid-input',
    `The configuration does not fit the integration: ${describeViolations(violations, '/body')}.`,
    {
      violations,
      hint: 'Show the settings of the integration: `docsctl integrations get NAME --query configurations -o json`',
    },
  );
}

/**
 * Returns the configuration and status of a new installation: the defaults, and `pending` if a required setting has no default.
 */
export function initialSettings(
  { configurations }: IntegrationRow,
  level: InstallationLevel,
): { configuration: InstallationRow['configuration']; status: InstallationStatus } {
  const declared = declaredSettings(configurations, level);
  const configuration = declared === undefined ? {} : defaultsOf(declared);
  return {
    configuration,
    status: compileSchema(schemaOf(declared))(configuration).length === 0 ? 'active' : 'pending',
  };
}

function defaultsOf({ properties }: DeclaredSettings): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, setting]) =>
      setting.default === undefined ? [] : [[name, setting.default]],
    ),
  );
}

function schemaOf(declared: DeclaredSettings | undefined): Record<string, unknown> {
  if (declared === undefined) return { type: 'object' };
  const properties = Object.fromEntries(
    Object.entries(declared.properties).map(([name, setting]) => [name, settingSchema(setting)]),
  );
  return { type: 'object', properties, required: declared.required ?? [], additionalProperties: false };
}

/** Returns the schema of a setting. A button can have any value, because the integration fetches it, for example with a login. */
function settingSchema({ type, enum: values }: Setting): unknown {
  return type === 'button' ? true : defined({ type, enum: values });
}
