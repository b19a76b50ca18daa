import { enqueue } from '../../core/jobs.ts';
import { translations, type TranslationRow } from './rows.ts';
import { eachRow, type WriteTransaction } from '../../core/store.ts';

/** Has the translations of a space follow its content; publishing calls it. */
export async function followTranslations(tx: WriteTransaction, now: string, space: string): Promise<void> {
  const found: TranslationRow[] = [];
  for await (const row of eachRow(tx, translations, 'bySource', [space])) found.push(row);
  for (const { id, organization, status } of found) {
    await enqueue(tx, now, { kind: 'translation', organization, subject: id });
    if (status !== 'pending') await tx.update(translations, id, { status: 'pending' });
  }
}
