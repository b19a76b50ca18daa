import type { Operation, PathParams } from '../../contract/operation.ts';
import { defined, isRecord } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import { namesFor } from '../names/name-kinds.ts';
import { resolveName, resolveOrganization } from '../names/names.ts';
import { canAsk, type Session } from '../session/session.ts';
import { canEdit } from './edited-fields.ts';
import { isFilledIn } from './field-options.ts';
import { readFields } from './fields.ts';
import { readArguments } from './files.ts';
import { optionKey, paramDefaults, paramFlag } from './flags.ts';
import { positionalsOf, severalOf } from './positionals.ts';

export type Options = Readonly<Record<string, unknown>>;

/** The input of an operation from the command line. Names in path parameters are already replaced by IDs. */
export interface Given {
  readonly options: Options;
  readonly params: PathParams;
  /** The resources, if the command names several; otherwise empty. */
  readonly targets: readonly Target[];
  /** The names of `targets`. */
  readonly names: readonly string[] | undefined;
  /** Path parameters as the user typed them. */
  readonly typed: PathParams;
  readonly query: Record<string, unknown>;
  readonly body: unknown;
  /** Values of a field that each need a separate request. */
  readonly values: readonly string[];
  /** The positional that names the resources or values: the one that takes several words, or else the first. */
  readonly main: string;
  /** Whether the resources or values are the lines of standard input, however many there are. */
  readonly isPiped: boolean;
}

/** Reads the arguments and options of a command, and asks for missing values if possible. */
export async function readGiven(
  session: Session,
  operation: Operation,
  options: Options,
  args: readonly string[],
): Promise<Given> {
  const positionals = positionalsOf(operation);
  const last = positionals.at(-1) ?? '';
  const several = severalOf(operation, last);
  const words = args.slice(Math.max(positionals.length - 1, 0));
  const positional = await readPositionals(session, operation, args);
  if (operation.cli.refusesEmails === true)
    (await import('../confirm/refuse-emails.ts')).refuseEmails(positional.values);
  const { query, body } = await readFields(session, operation, options, positional.fields);
  if (/\.(?:move|override|update|update-\w+)$/.test(operation.id) && !wantsEdit(options, body))
    (await import('../confirm/refuse-no-change.ts')).refuseNoChange(operation, options, body, args);
  const { params, targets, typed } = await resolveParams(session, operation, {
    given: positional.params,
    options,
    many: several === 'resources' ? words : [],
  });
  await fillOrganization(session, operation, query, body);
  const edits = canEdit(operation) && wantsEdit(options, body);
  if (!edits && operation.body !== undefined && canAsk(session)) {
    const { askFields } = await import('../names/choose-missing.ts');
    await askFields(session, operation, body, params);
  }
  const names = targets.length > 0 ? targets.map(({ name }) => name) : undefined;
  const isPiped = words.length === 1 && words[0] === '-' && (several === 'resources' || several === 'values');
  const main = several === undefined ? (positionals[0] ?? '') : last;
  return { options, params, targets, names, typed, query, body, values: positional.values, main, isPiped };
}

/** Whether to edit the fields in the editor: with --edit, or with the verb `edit` and no field. */
export function wantsEdit({ edit }: Options, body: unknown): boolean {
  return edit === true || (edit === 'word' && isRecord(body) && Object.keys(body).length === 0);
}

/**
 * Reads positional values of path parameters and fields. `values` are those of a field that each need a separate request; the
 * first of them is also among the fields.
 */
async function readPositionals(
  session: Session,
  operation: Operation,
  args: readonly string[],
): Promise<{
  params: PathParams;
  fields: Readonly<Record<string, string | readonly string[]>>;
  values: readonly string[];
}> {
  const fields: Record<string, string | readonly string[]> = {};
  const params: Record<string, string> = {};
  let values: readonly string[] = [];
  for (const [index, name] of positionalsOf(operation).entries()) {
    const words = args.slice(index);
    const [word] = words;
    const several = severalOf(operation, name);
    if (word === undefined || several === 'resources') continue;
    if (several === 'items') fields[name] = await readArguments(session, words);
    else if (several === 'values') {
      values = await readArguments(session, words);
      fields[name] = values[0] ?? '';
    } else params[name] = fields[name] = several === 'text' ? words.join(' ') : word;
  }
  return { params, fields, values };
}

/** One of several resources of a command: the name that the user gave, and the path parameters of its request. */
interface Target {
  readonly name: string;
  readonly params: PathParams;
}

/** Resolves the path parameters from positionals, flags and settings. */
async function resolveParams(
  session: Session,
  operation: Operation,
  {
    given,
    options,
    many,
  }: { given: Readonly<Record<string, string | undefined>>; options: Options; many: readonly string[] },
): Promise<{ params: PathParams; targets: readonly Target[]; typed: PathParams }> {
  const positionals = positionalsOf(operation);
  const params: Record<string, string> = {};
  const typed: Record<string, string> = {};
  const names = many.length > 0 ? await readArguments(session, many) : [];
  let target = '';
  let spaces: ReadonlyMap<string, string> | undefined;
  for (const param of operation.paramNames) {
    const isPositional = positionals.includes(param);
    if (param === positionals.at(-1) && many.length > 0) {
      target = param;
      continue;
    }
    const flag = options[optionKey(paramFlag(param))];
    const value =
      given[param] ??
      (typeof flag === 'string' ? flag : undefined) ??
      defaultOf(session, operation, param, isPositional);
    if (value === undefined && param === 'spaceId' && positionals[0] === 'changeRequestId') {
      spaces = await (await import('../names/spaces-of-requests.ts')).findSpacesOfRequests(session, names);
      if (spaces !== undefined) continue;
    }
    if (value === undefined && param !== 'organizationId') {
      const { chooseParam } = await import('../names/choose-missing.ts');
      const chosen = await chooseParam(session, param, params, operation.id);
      if (chosen !== undefined) {
        params[param] = chosen;
        continue;
      }
      const flagName = `--${paramFlag(param)}`;
      const example = operation.cli.examples?.find((line) => line.includes(`${flagName} `));
      const next =
        example === undefined
          ? `. To see the arguments and options, run \`docsctl ${operation.id.replaceAll('.', ' ')} --help\`.`
          : `, for example \`${example}\`.`;
      throw new Problem('usage', `No ${namesFor(param, operation.id).word} is given.`, {
        hint: `Give it ${isPositional ? 'as an argument or ' : ''}with ${flagName}${next}`,
      });
    }
    if (value !== undefined) typed[param] = value;
    params[param] = await resolveName(session, param, value, params, operation.id);
  }
  const resolved: Target[] = [];
  for (const name of names) {
    const own = { ...params, ...defined({ spaceId: spaces?.get(name) }) };
    resolved.push({
      name,
      params: { ...own, [target]: await resolveName(session, target, name, own, operation.id) },
    });
  }
  return { params, targets: resolved, typed };
}

/** Returns the default space or site in the settings; undefined for a command that changes the space or site itself. */
function defaultOf(
  { settings }: Session,
  { id, method }: Operation,
  param: string,
  isPositional: boolean,
): string | undefined {
  const isOwn = isPositional && method !== 'GET' && /^(spaces|sites)\.[^.]+$/.test(id);
  if (isOwn) return undefined;
  if (param === 'spaceId') return settings.space?.value;
  return param === 'siteId' ? settings.site?.value : paramDefaults[param];
}

/** Returns the organization of --org or the settings; undefined if none is chosen. */
export async function chosenOrganization(session: Session): Promise<string | undefined> {
  return session.settings.org === undefined ? undefined : resolveOrganization(session);
}

/** Fills a field `organization` from the settings, unless it is the target of a transfer. Only in bodies, it is required. */
async function fillOrganization(
  session: Session,
  { id, query: filters, body: schema, paramNames }: Operation,
  query: Record<string, unknown>,
  body: unknown,
): Promise<void> {
  if ('organization' in filters.properties) {
    const chosen = query['organization'] ?? (await chosenOrganization(session));
    if (chosen !== undefined) query['organization'] = chosen;
  }
  const required = (schema as { required?: readonly string[] } | undefined)?.required ?? [];
  if (!required.includes('organization') || paramNames.includes('organizationId')) return;
  if (!isFilledIn({ id }, 'organization')) return;
  const fields = body as Record<string, unknown>;
  fields['organization'] ??= await resolveOrganization(session);
}
