interface Row {
  readonly id: string;
}

/** A part of a name: words, or the name of another row. */
export type NamePart = string | { readonly table: { readonly name: string }; readonly id: string };

/** How the changes of a table appear in audit events. A field that is listed nowhere never does. */
export interface RowAudit<F extends string = string, R extends Row = Row> {
  /** The kind of resource, as in the API: "space". */
  readonly type: string;
  /** The field with the ID that callers know (default `id`). */
  readonly id?: F;
  /** The ID is a secret, so events have a digest of it. */
  readonly secretId?: true;
  /** The field that names the resource. */
  readonly label?: F;
  /** Returns what names a row that has no `label` of its own, such as who has which role on what. */
  describe?(row: R): readonly NamePart[];
  readonly fields: readonly F[];
  /** Fields of which only the fact of a change is shown. */
  readonly secrets?: readonly F[];
  /** Texts and documents of which only the size is shown. */
  readonly sizes?: readonly F[];
  /** Fields that jobs change all the time. Their changes are shown only when a caller makes them. */
  readonly progress?: readonly F[];
  /** The row belongs to the organization of another row. */
  readonly owner?: { readonly table: { readonly name: string }; readonly by: F };
  /** The row is part of another change, so it is no target unless nothing else changed. */
  readonly secondary?: true;
}

/** Rows of which only the number is shown, because one request writes thousands. */
export interface CountAudit {
  readonly type: string;
  readonly counted: true;
}

/** `request`: a change shows that work was requested, and nothing else. */
export type TableAudit<F extends string = string, R extends Row = Row> =
  | RowAudit<F, R>
  | CountAudit
  | 'request';
