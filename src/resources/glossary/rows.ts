import { audited } from '../../core/audit/audited.ts';
import { table } from '../../core/store.ts';

/** A term of an organization in several languages. */
export interface GlossaryEntryRow {
  readonly id: string;
  readonly organization: string;
  /** The term in each language, by language code. */
  readonly translations: Readonly<Record<string, string>>;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const glossaryEntries = audited(
  table<GlossaryEntryRow>()('glossary_entries', {
    byOrganization: { on: ['organization'], by: ['createdAt'] },
  }),
  {
    type: 'glossary-entry',
    fields: ['organization', 'translations'],
    describe: ({ translations }) => [Object.values(translations).slice(0, 3).join(', ')],
  },
);
