import type { Operation, PathParams } from '../../contract/operation.ts';
import { valueAt } from '../../contract/paths.ts';
import { isRecord, capitalize } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import { chooseOne, type Choice } from './choose.ts';
import { propertiesIn, withoutNull, type Schema } from '../input/field-schema.ts';
import { fieldFlag, paramFlag } from '../input/flags.ts';
import { listAbove } from './id-endings.ts';
import { kindOf, namesFor } from './name-kinds.ts';
import { namesById, resolveName } from './names.ts';
import { displayText } from '../output/cell.ts';
import { canAsk, type Session } from '../session/session.ts';

/**
 * Offers the values of a path parameter and returns the chosen ID; undefined without a terminal, or if the values are unknown.
 */
export async function chooseParam(
  session: Session,
  param: string,
  params: PathParams,
  operationId: string,
): Promise<string | undefined> {
  if (!canAsk(session)) return undefined;
  const choices = await choicesOf(session, param, params, operationId);
  if (choices.length === 0) return undefined;
  return chooseOne(session, `Which ${namesFor(param, operationId).word}?`, choices);
}

/**
 * Resolves a path parameter of a composite command. If it is missing, the user at the terminal chooses a value.
 * @throws Problem(usage) with this question if there is no terminal
 */
export async function requireParam(
  session: Session,
  [param, given]: readonly [param: string, value: string | undefined],
  { params = {}, operationId = '', hint }: { params?: PathParams; operationId?: string; hint: string },
): Promise<string> {
  const value = given ?? (param === 'spaceId' ? session.settings.space?.value : undefined);
  if (value !== undefined) return resolveName(session, param, value, params, operationId);
  const chosen = await chooseParam(session, param, params, operationId);
  if (chosen !== undefined) return chosen;
  throw new Problem('usage', `No ${namesFor(param, operationId).word} is given.`, { hint });
}

/** Asks for the title of a page. @throws Problem(usage) with this hint if there is no terminal */
export async function requireTitle(session: Session, hint: string): Promise<string> {
  if (!canAsk(session)) throw new Problem('usage', 'The title of the page is missing.', { hint });
  const { askText } = await import('../prompts.ts');
  return askText(session, 'Title of the page:', (text) => text.trim() !== '' || 'A title is needed.');
}

/**
 * Asks for missing required fields of a body: offers a list if there is one, otherwise the user types a name. If a new resource
 * has no field at all, asks for its title, which may stay empty. Call it only if `canAsk`.
 */
export async function askFields(
  session: Session,
  { id, body: schema }: Operation,
  body: unknown,
  params: PathParams,
): Promise<void> {
  if (!isRecord(body)) return;
  const known: Schema | undefined = schema;
  const required = known?.required ?? [];
  const isBare = Object.keys(body).every((name) => name === 'organization') && id.endsWith('.create');
  const missing = propertiesIn(schema).filter(
    ([name]) => !(name in body) && name !== 'organization' && (required.includes(name) || isBare),
  );
  for (const [name, property] of missing) {
    const isRequired = required.includes(name);
    const { enum: values, type } = withoutNull(property);
    const choices = !isRequired
      ? []
      : (values?.map((value) => ({ id: value, name: value })) ??
        (type === 'string' ? await choicesOf(session, name, params, id) : []));
    if (choices.length > 0)
      body[name] = await chooseOne(
        session,
        `Which ${fieldFlag(paramFlag(name)).replaceAll('-', ' ')}?`,
        choices,
      );
    else if (isRequired ? typedFields.includes(name) : name === 'title') {
      const text = await askField(session, property, isRequired);
      if (text !== '') body[name] = text;
    }
  }
}

/** Fields whose text the user types. */
const typedFields = ['title', 'name', 'label', 'hostname', 'email'];

async function askField(session: Session, property: Schema, isRequired: boolean): Promise<string> {
  const [{ askText }, { violationsOf }] = await Promise.all([
    import('../prompts.ts'),
    import('../../contract/check.ts'),
  ]);
  // For "title of the team, up to 64 characters", it asks "Title of the team:".
  const [what = ''] = (property.description ?? '').split(/,| that | with /);
  return askText(session, `${capitalize(what)}:`, (text) => {
    const [violation] = text === '' && !isRequired ? [] : violationsOf(property, text, '');
    return violation === undefined || `The text ${violation.message}.`;
  });
}

async function choicesOf(
  session: Session,
  field: string,
  params: PathParams,
  operationId: string,
): Promise<Choice[]> {
  if (kindOf(field, operationId) !== undefined)
    return [...(await namesById(session, field, params, operationId))].map(([id, name]) => ({ id, name }));
  if (!field.endsWith('Id')) return [];
  const items = (await listAbove(session, operationId, params)) ?? [];
  return items.map((item) => {
    const id = String(valueAt(item, 'id') ?? valueAt(item, 'issue.id'));
    return { id, name: labelOf(item) ?? id };
  });
}

const labels = [
  'subject',
  'title',
  'name',
  'label',
  'issue.title',
  'user.displayName',
  'body.markdown',
  'type',
];

/** Returns the label of an item: `7 Fix the install steps`. */
function labelOf(item: unknown): string | undefined {
  const label = labels.map((path) => valueAt(item, path)).find((value) => typeof value === 'string');
  const [number, type, createdAt] = ['number', 'type', 'createdAt'].map((path) => valueAt(item, path));
  if (label === undefined) return undefined;
  const line = label.replace(/\s+/g, ' ').slice(0, 80);
  // A type alone does not identify an item, so the time is added: "edits 2026-05-01 10:00Z".
  if (label === type && typeof createdAt === 'string') return `${line} ${displayText(createdAt)}`;
  return typeof number === 'number' ? `${number} ${line}` : line;
}
