import { integrations, type IntegrationRow } from '../../core/rows/integrations.ts';
import { revisions, type RevisionRow } from '../../core/rows/revisions.ts';
import type { Row, Table } from '../../core/store.ts';
import type { ReferringTable } from '../../content/collection/collector.ts';
import { referencesOfRevision, type References } from '../../content/collection/record-references.ts';
import {
  specs,
  specVersions,
  type SpecRow,
  type SpecVersionRow,
} from '../../content/generated/specification-rows.ts';
import type { TranslatedFields } from '../translations/page-memory.ts';
import { translationMemory, type TranslationMemoryRow } from '../translations/rows.ts';

/**
 * Every table whose rows refer to blobs or tries. The garbage collection removes content that none of them refers to, so a new
 * table with the hash of a blob must be added here.
 */
export const referringTables: readonly ReferringTable[] = [
  refer<RevisionRow>(revisions, referencesOfRevision),
  refer<IntegrationRow>(integrations, ({ icon, previewImages, script }) => ({
    blobs: [script, ...previewImages, ...(icon === undefined ? [] : [icon])],
  })),
  refer<SpecRow>(specs, ({ given }) => ({ blobs: given === undefined ? [] : [given] })),
  refer<SpecVersionRow>(specVersions, ({ text }) => ({ blobs: [text] })),
  refer<TranslationMemoryRow>(translationMemory, ({ text }) => ({ blobs: rememberedBlobs(text) })),
];

function refer<R extends Row>(table: Table<R>, references: (row: R) => References): ReferringTable {
  return { table, references: references as (row: Row) => References };
}

/**
 * Returns the blobs of a translation memory row: the row contains a segment as plain text, or a page as JSON with the hash of its
 * text.
 */
function rememberedBlobs(text: string | null): string[] {
  const fields = text?.startsWith('{"title":') === true ? parseFields(text) : undefined;
  return fields?.text === undefined ? [] : [fields.text.blob];
}

function parseFields(text: string): TranslatedFields | undefined {
  try {
    return JSON.parse(text) as TranslatedFields;
  } catch {
    // The text is a segment that happens to start like JSON.
    return undefined;
  }
}
