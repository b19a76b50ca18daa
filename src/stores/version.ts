/**
 * The version of what stores hold. Raise it when an older docsctl would misread or damage a store of this one: when it does
 * not know a table that refers to content, or a field that it must keep or obey. New indexes do not count: they are made
 * again. Every kind of store keeps the number, and a docsctl with a lower one refuses the store.
 */
export const storeVersion = 1;
