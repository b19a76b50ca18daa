import { capitalize } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import { canAsk, type Session } from '../session/session.ts';

/** An action to confirm: `delete` `spaces` `Guide, API`. */
export interface Confirmation {
  readonly verb: string;
  readonly noun: string;
  /** The object of the action, if it is not a resource of the noun: `the manifest`. */
  readonly object?: string | undefined;
  readonly names: readonly string[];
  /** A sentence about other effects. It is shown before the question. */
  readonly consequence?: string | undefined;
}

/**
 * Asks before something is destroyed, unless --yes is given.
 * @throws Problem(guard-refused) if the answer is no, or there is no terminal
 */
export async function confirm(
  session: Session,
  { verb, noun, object, names, consequence }: Confirmation,
): Promise<void> {
  if (session.flags.yes === true) return;
  const listed = names.slice(0, 5).join(', ') + (names.length > 5 ? `, … (${names.length})` : '');
  const kind = names.length === 1 ? singular(noun) : noun;
  const warning = consequence === undefined ? '' : `${consequence} `;
  const what = object === undefined ? `${listed} (${kind})` : `${object} ${listed}`;
  await confirmQuestion(session, {
    question: (where) => `${warning}${capitalize(verb)} ${what} on ${where}?`,
    refusal:
      `Confirmation is required to ${verb} ${object ?? `the ${kind}`} ${listed}, but there is no terminal to ask on. ${consequence ?? ''}`.trimEnd(),
    hint: 'Add --yes to confirm.',
  });
}

interface Question {
  /** A function gets the store or server and the organization. For a text, the store is not opened. */
  readonly question: string | ((where: string) => string);
  /** The error if there is no terminal. */
  readonly refusal: string;
  readonly hint: string;
}

/** Asks a question, unless --yes is given. @throws Problem(guard-refused) if the answer is no, or there is no terminal */
export async function confirmQuestion(
  session: Session,
  { question, refusal, hint }: Question,
): Promise<void> {
  if (session.flags.yes === true) return;
  if (!canAsk(session)) throw new Problem('guard-refused', refusal, { hint });
  const { ask } = await import('../prompts.ts');
  const text = typeof question === 'string' ? question : question(await describeTarget(session));
  if (!(await ask(session, text))) throw new Problem('guard-refused', 'Not confirmed. Nothing was changed.');
}

/** Returns the store or server, and the organization unless there are several and none is chosen. */
async function describeTarget(session: Session): Promise<string> {
  const { place } = await session.api();
  const given = session.settings.org?.value;
  const { listOrganizations } = await import('../../resources/organizations/contract.ts');
  // Some commands, such as forget, need no connection.
  const { items } = await session
    .call(listOrganizations, { params: {}, query: { limit: 100 } })
    .catch(() => ({ items: [] }));
  const [only, ...others] = items;
  const chosen =
    given === undefined ? (others.length === 0 ? only : undefined) : items.find(({ id }) => id === given);
  const name = chosen?.title ?? given;
  return name === undefined ? place : `${place}, organization ${name}`;
}

/** Describes a removal: "Deleted space Guide." or "Removed 3 members." */
export function describeRemoval(verb: 'delete' | 'remove', noun: string, names: readonly string[]): string {
  const [name] = names;
  const what = names.length === 1 ? `${singular(noun)} ${name}` : `${names.length} ${pluralNoun(noun)}`;
  return `${capitalize(verb)}d ${what}.`;
}

/** Returns the plural of a noun: `sites share-links` → `share links`. Some nouns have a different word for their resources. */
export function pluralNoun(noun: string): string {
  const words: Readonly<Record<string, string>> = { openapi: 'specifications', saml: 'SAML providers', sso: 'start URLs' }; // prettier-ignore
  return words[noun] ?? noun.replace(/^.* /, '').replaceAll('-', ' ');
}

/** Returns the singular of a noun: `sites share-links` → `share link`. */
export function singular(noun: string): string {
  const last = pluralNoun(noun);
  return last.endsWith('ies') ? `${last.slice(0, -3)}y` : last.replace(/([^s])s$/, '$1');
}
