/**
 * The version of what stores hold. Every kind of store and every backup has the number, and a docsctl with a lower one refuses
 * it. Raise it when an older docsctl would misread or damage a store of this one: when a field of a row was removed, changed or
 * made required, which test/stores/version.test.ts notices, or when a new table refers to content, which an older one would remove
 * as unused. New indexes, other new tables and optional fields do not count. A store gets the present number when it is opened.
 */
export const storeVersion = 3;
