import { collectRows, type ReadTransaction } from '../../core/store.ts';
import { sortTerms, type Term } from '../../translation/glossary.ts';
import { glossaryEntries } from './rows.ts';

/** Maximum number of terms of a translation, including the terms in its instructions. */
const maxTerms = 500;

/**
 * Adds the glossary terms of an organization for two languages to the terms in the instructions of a translation, which have
 * priority. If two entries have the same term, the older one wins. Returns at most 500 terms.
 */
export async function withGlossary(
  view: ReadTransaction,
  organization: string,
  { from, to, terms }: { from: string; to: string; terms: readonly Term[] },
): Promise<Term[]> {
  const found = new Map(terms.map((term) => [term.source.toLowerCase(), term]));
  for (const { translations } of await collectRows(view, glossaryEntries, 'byOrganization', [organization])) {
    const { [from]: source, [to]: target } = translations;
    if (source === undefined || target === undefined || found.has(source.toLowerCase())) continue;
    if (found.size >= maxTerms) break;
    found.set(source.toLowerCase(), source === target ? { source } : { source, target });
  }
  return sortTerms([...found.values()]);
}
