import type { RichDocumentValue } from '../../contract/shapes.ts';
import type { ResourceScope, ChangeContext } from '../../core/handler.ts';
import { dequeue, enqueue } from '../../core/jobs.ts';
import { spaces, type SpaceRow } from '../../core/rows/spaces.ts';
import { translationMemory, translations, type TranslationRow } from './rows.ts';
import type { ReadTransaction, WriteTransaction } from '../../core/store.ts';
import { notFound, Problem } from '../../errors/problem.ts';
import { findContradictions } from '../../translation/glossary.ts';

/** The kind of the jobs that translate. */
const jobKind = 'translation';

export async function translationOf(
  { tx, organization }: ResourceScope & { readonly tx: ReadTransaction },
  id: string,
): Promise<TranslationRow> {
  const row = await tx.get(translations, id);
  if (row?.organization !== organization.id) throw notFound('translation', id);
  return row;
}

/** Refuses instructions whose glossary says two things of one term: nobody could tell which of them counts. */
export function checkGlossary(instructions: RichDocumentValue): void {
  const [first, ...more] = findContradictions(instructions).map(
    ({ term, lines: [one, other] }) => `of "${term}": "${shortened(one)}", and then "${shortened(other)}".`,
  );
  if (first === undefined) return;
  throw new Problem('invalid-input', `The glossary says two things ${first}`, {
    ...(more.length === 0
      ? {}
      : {
          violations: [first, ...more]
            .slice(0, 20)
            .map((said) => ({ path: '/body/instructions', message: `Two things ${said}` })),
        }),
    hint: 'Say one thing of a term; capitals make no other term.',
  });
}

function shortened(line: string): string {
  return line.length <= 100 ? line : `${line.slice(0, 99)}…`;
}

/** A space that is there, in this organization. */
export async function liveSpace(
  view: ReadTransaction,
  organization: string,
  id: string | undefined,
): Promise<SpaceRow | undefined> {
  const space = id === undefined ? undefined : await view.get(spaces, id);
  return space?.state === 'live' && space.organization === organization ? space : undefined;
}

/** Has a translation brought up to date, outside of this transaction. */
export async function askForRun(
  tx: WriteTransaction,
  now: string,
  { id, organization }: TranslationRow,
  change: Partial<TranslationRow> = {},
): Promise<TranslationRow> {
  await enqueue(tx, now, { kind: jobKind, organization, subject: id });
  return tx.update(translations, id, { status: 'pending', problem: undefined, ...change });
}

/** Takes a translation away, and has what was remembered for it forgotten; the target stays. */
export async function removeTranslation(
  { tx, now }: ChangeContext,
  { id, organization }: TranslationRow,
): Promise<void> {
  await tx.remove(translations, id);
  await dequeue(tx, jobKind, id);
  await enqueue(tx, now, { kind: jobKind, organization, subject: id });
}

/** The most segments that are tried again in one run. */
const mostAgain = 1000;

/** Forgets which segments keep their words, so that they are tried again. */
export async function forgetKept(tx: WriteTransaction, { id }: TranslationRow): Promise<void> {
  for (const row of await tx.find(translationMemory, { index: 'byKept', equals: [id, 1], limit: mostAgain }))
    await tx.remove(translationMemory, row.id);
}
