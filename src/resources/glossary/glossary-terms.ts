import { collectRows, type ReadTransaction } from '../../core/store.ts';
import { sortTerms, type Term } from '../../translation/glossary.ts';
import { glossaryEntries } from './rows.ts';

/** The most terms of a translation, with those of its instructions. */
const maxTerms = 500;

/**
 * Adds the terms that the glossary of an organization has in two languages to those of the instructions of a translation,
 * which count first. Of two entries with the same term, the older one counts. At most 500 terms are returned.
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
