/** What a value must look like: data, made by hand for what manifests add, and from schemas for what the API takes. */
export type Shape = AnyShape | MapShape | MapOfShape | ListShape | ScalarShape | OneOfShape;

interface Common {
  /** null is taken too: it clears the field. */
  readonly nullable?: boolean;
  /** The value stays hidden: only `!secret` and `!file` are taken. */
  readonly secret?: boolean;
  /** For editors. */
  readonly description?: string;
}

/** Anything; a file of JSON or YAML is read into its value. */
export interface AnyShape extends Common {
  readonly kind: 'any';
}

export interface MapShape extends Common {
  readonly kind: 'map';
  readonly fields: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  /** Fields that are not listed are taken as they are. */
  readonly open?: boolean;
}

/** A map of names that the writer chooses. */
export interface MapOfShape extends Common {
  readonly kind: 'mapOf';
  readonly value: Shape;
  readonly keyPattern?: string;
  readonly maxEntries?: number;
}

export interface ListShape extends Common {
  readonly kind: 'list';
  readonly item: Shape;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export type ScalarType = 'string' | 'number' | 'integer' | 'boolean';

export interface ScalarShape extends Common {
  readonly kind: 'scalar';
  readonly types: readonly ScalarType[];
  readonly enum?: readonly (string | number | boolean)[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly format?: string;
  /** The id of another resource: `!ref` and `!lookup` are taken too. */
  readonly id?: boolean;
}

/** One of several; maps are told apart by fields that can have one value only, such as `type`. */
export interface OneOfShape extends Common {
  readonly kind: 'oneOf';
  readonly shapes: readonly Shape[];
}
