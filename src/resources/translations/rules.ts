import type { RichDocumentValue } from '../../contract/shapes.ts';
import { shorten } from '../../contract/values.ts';
import type { ResourceScope, ChangeContext } from '../../core/handler.ts';
import { dequeue, enqueue } from '../../core/jobs.ts';
import { contentRole } from '../../core/permissions.ts';
import { spaces, type SpaceRow } from '../../core/rows/spaces.ts';
import { translationMemory, translations, type TranslationRow } from './rows.ts';
import { collectRows, getOwned, type ReadTransaction, type WriteTransaction } from '../../core/store.ts';
import { notFound, Problem } from '../../errors/problem.ts';
import { findContradictions, findJoinedTerms } from '../../translation/glossary.ts';

const jobKind = 'translation';

/** Returns a translation of the organization. @throws Problem(not-found) */
export async function translationOf(
  context: ResourceScope & { tx: ReadTransaction },
  id: string,
): Promise<TranslationRow> {
  const { tx, organization } = context;
  const row = await getOwned(tx, translations, id, { organization: organization.id }, 'translation');
  const source = await tx.get(spaces, row.source);
  if (source !== undefined && (await contentRole(tx, context, source)) === null)
    throw notFound('translation', id);
  return row;
}

/** Checks that a glossary can be parsed, and that it has one translation for each term. @throws Problem(invalid-input) */
export function checkGlossary(instructions: RichDocumentValue): void {
  const joined = findJoinedTerms(instructions);
  if (joined !== undefined)
    throw new Problem(
      'invalid-input',
      `The instructions seem to have several terms of a glossary in one paragraph: "${shorten(joined, 100)}".`,
      {
        hint: 'Begin each term with a dash: "- term: translation". If this is not a glossary, end each sentence with a full stop.',
      },
    );
  const [first, ...more] = findContradictions(instructions).map(
    ({ term, lines: [one, other] }) => `for "${term}": "${shorten(one, 100)}" and "${shorten(other, 100)}".`,
  );
  if (first === undefined) return;
  throw new Problem('invalid-input', `The glossary has two entries ${first}`, {
    violations: (more.length === 0 ? [] : [first, ...more])
      .slice(0, 20)
      .map((said) => ({ path: '/body/instructions', message: `Two entries ${said}` })),
    hint: 'Keep one entry for each term. Upper and lower case do not matter.',
  });
}

/** Finds a space of the organization that is not deleted. */
export async function findLiveSpace(
  view: ReadTransaction,
  organization: string,
  id: string | undefined,
): Promise<SpaceRow | undefined> {
  const space = id === undefined ? undefined : await view.get(spaces, id);
  return space?.state === 'live' && space.organization === organization ? space : undefined;
}

/** Enqueues a run of a translation. */
export async function requestRun(
  tx: WriteTransaction,
  now: string,
  { id, organization }: TranslationRow,
  change: Partial<TranslationRow> = {},
): Promise<TranslationRow> {
  await enqueue(tx, now, { kind: jobKind, organization, subject: id });
  return tx.update(translations, id, { status: 'pending', problem: undefined, ...change });
}

/**
 * Enqueues runs of the translations of an organization that use changed glossary entries. `changed` contains the languages of
 * each entry.
 */
export async function requestRunsWithTerms(
  tx: WriteTransaction,
  now: string,
  organization: string,
  changed: readonly ReadonlySet<string>[],
): Promise<void> {
  for (const row of await collectRows(tx, translations, 'byOrganization', [organization]))
    if (changed.some((codes) => codes.has(row.from) && codes.has(row.language)))
      await requestRun(tx, now, row);
}

/** Removes a translation and enqueues the removal of its stored answers. The target is kept. */
export async function removeTranslation(
  { tx, now }: ChangeContext,
  { id, organization }: TranslationRow,
): Promise<void> {
  await tx.remove(translations, id);
  await dequeue(tx, jobKind, id);
  await enqueue(tx, now, { kind: jobKind, organization, subject: id });
}

/** Maximum number of segments that one run tries again. */
const maxRetried = 1000;

/** Removes stored failures of segments, so that these are tried again. */
export async function forgetUntranslated(tx: WriteTransaction, { id }: TranslationRow): Promise<void> {
  for (const row of await tx.find(translationMemory, { index: 'byKept', equals: [id, 1], limit: maxRetried }))
    await tx.remove(translationMemory, row.id);
}
