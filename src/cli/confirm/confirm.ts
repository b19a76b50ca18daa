import { capitalize } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import type { Session } from '../session/session.ts';

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

/**
 * Asks a question that includes the store or server and the organization, unless --yes is given. `refusal` is the error if there
 * is no terminal.
 * @throws Problem(guard-refused) if the answer is no, or there is no terminal
 */
export async function confirmQuestion(
  session: Session,
  { question, refusal, hint }: { question: (where: string) => string; refusal: string; hint: string },
): Promise<void> {
  const { flags, terminal, settings } = session;
  if (flags.yes === true) return;
  if (!terminal.stderrIsTTY || !terminal.stdinIsTTY) throw new Problem('guard-refused', refusal, { hint });
  const { ask } = await import('../prompts.ts');
  const { place } = await session.api();
  const org = settings.org === undefined ? '' : `, organization ${settings.org.value}`;
  if (!(await ask(session, question(`${place}${org}`))))
    throw new Problem('guard-refused', 'Not confirmed. Nothing was changed.');
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
