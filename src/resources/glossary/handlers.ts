import type { Static } from '../../contract/schema.ts';
import type { Handler, UrlContext } from '../../core/handler.ts';
import { listPage, pageOfArray } from '../../core/listing.ts';
import { requestRemoval } from '../../core/removal.ts';
import { collectRows, getOwned, type ReadTransaction } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';
import { requestRunsWithTerms } from '../translations/rules.ts';
import * as contract from './contract.ts';
import { glossaryEntries, type GlossaryEntryRow } from './rows.ts';

export const listGlossary: Handler<typeof contract.listGlossary> = async (context, { query }) => {
  const { tx, organization } = context;
  const { orderBy } = query;
  const show = (row: GlossaryEntryRow) => shape(context, row);
  if (orderBy === undefined)
    return listPage(
      tx,
      { table: glossaryEntries, index: 'byOrganization', equals: [organization.id] },
      query,
      show,
    );
  const rows = await collectRows(tx, glossaryEntries, 'byOrganization', [organization.id]);
  const keyOf = ({ translations: { [orderBy]: term } }: GlossaryEntryRow) =>
    term === undefined ? '1' : `0${term.toLowerCase()}`;
  const page = pageOfArray(
    rows.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : keyOf(one) > keyOf(other) ? 1 : 0)),
    query,
  );
  return { ...page, items: page.items.map(show) };
};

export const getGlossaryEntry: Handler<typeof contract.getGlossaryEntry> = async (context, { params }) =>
  shape(context, await entryOf(context.tx, context.organization.id, params.glossaryEntryId));

export const updateGlossary: Handler<typeof contract.updateGlossary> = async (context, { body }) => {
  const { tx, organization, now, newId } = context;
  /** The languages of each changed entry, before and after the change. */
  const changed: ReadonlySet<string>[] = [];
  const note = (translations: Readonly<Record<string, string>>) =>
    void changed.push(new Set(Object.keys(translations)));
  for (const change of body.operations) {
    if (change.type === 'insert') {
      const row = { id: newId('gls'), organization: organization.id, createdAt: now, updatedAt: now };
      await tx.insert(glossaryEntries, { ...row, translations: change.translations });
      note(change.translations);
      continue;
    }
    const { id, translations } = await entryOf(tx, organization.id, change.id);
    note(translations);
    if (change.type === 'delete') {
      await tx.remove(glossaryEntries, id);
      await requestRemoval(tx, now);
    } else {
      await tx.update(glossaryEntries, id, { translations: change.translations, updatedAt: now });
      note(change.translations);
    }
  }
  if ((await tx.count(glossaryEntries, 'byOrganization', [organization.id])) > contract.maxEntries)
    throw new Problem('conflict', `The glossary would have more than ${contract.maxEntries} entries.`, {
      hint: 'Delete entries that are no longer needed: `docsctl translations glossary update --delete ID`',
    });
  await requestRunsWithTerms(tx, now, organization.id, changed);
};

/** Returns an entry of the glossary of an organization. @throws Problem(not-found) */
function entryOf(view: ReadTransaction, organization: string, id: string): Promise<GlossaryEntryRow> {
  return getOwned(view, glossaryEntries, id, { organization }, 'glossary entry');
}

function shape(
  { url }: UrlContext,
  { id, organization, translations, createdAt, updatedAt }: GlossaryEntryRow,
): Static<typeof contract.GlossaryEntry> {
  return {
    object: 'glossary-entry',
    id,
    translations,
    createdAt,
    updatedAt,
    urls: { location: url(`/v1/orgs/${organization}/translations-glossary/${id}`) },
  };
}
