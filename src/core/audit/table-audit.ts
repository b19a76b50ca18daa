interface Row {
  readonly id: string;
}

/** A part of a name: words, or the name of another row. */
export type NamePart = string | { readonly table: { readonly name: string }; readonly id: string };

/** How audit events show the changes of a table. They never show a field that is not listed here. */
export interface RowAudit<F extends string = string, R extends Row = Row> {
  /** The kind of resource, as in the API: "space". */
  readonly type: string;
  /** The field with the ID that callers know (default `id`). */
  readonly id?: F;
  /** The ID is a secret, so events have a digest of it. */
  readonly secretId?: true;
  /** The field that names the resource. */
  readonly label?: F;
  /** Returns the parts of a name for rows without a `label`: for a permission, the member, the role and the resource. */
  describe?(row: R): readonly NamePart[];
  readonly fields: readonly F[];
  /** Secret fields. Events show that they changed, but not their values. */
  readonly secrets?: readonly F[];
  /** Texts and documents. Events show only their sizes. */
  readonly sizes?: readonly F[];
  /** Fields that jobs change all the time. Their changes are shown only when a caller makes them. */
  readonly progress?: readonly F[];
  /** The row belongs to the organization of another row. */
  readonly owner?: { readonly table: { readonly name: string }; readonly by: F };
  /** The row is part of another change, so it is no target unless nothing else changed. */
  readonly secondary?: true;
}

/** Tables of which events show only the number of changed rows, because one request writes thousands. */
export interface CountAudit {
  readonly type: string;
  readonly counted: true;
}

/** `request`: a change of a row only means that a job was requested. */
export type TableAudit<F extends string = string, R extends Row = Row> =
  | RowAudit<F, R>
  | CountAudit
  | 'request';
