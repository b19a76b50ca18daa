/**
 * The version of the data in stores. Every store and every backup has this number, and a docsctl with a lower number refuses it.
 * Raise it when an older docsctl would misread or damage a store: when a field of a row is removed, changed or made required
 * (test/stores/version.test.ts notices this), or when a new table refers to content, which an older docsctl would remove as
 * unused. New indexes, other new tables and optional fields do not count. Opening a store sets its number to this one.
 */
export const storeVersion = 3;
