import type { SchemaViewer } from './view-schema.ts';

/** A difference between two versions of a specification. */
export interface SpecificationChange {
  readonly change: 'added' | 'removed' | 'changed';
  readonly kind: 'operation' | 'webhook' | 'schema' | 'security-scheme' | 'server';
  /** The changed part: `GET /pets`, the name of a webhook, schema or security scheme, or the address of a server. */
  readonly name: string;
  /** The place in it, such as `query parameter limit` or `response 200 application/json owner.name`; empty for the whole part. */
  readonly part: string;
  /** Whether clients of the earlier version can fail with the later one. */
  readonly breaking: boolean;
  readonly message: string;
}

/** One of the two compared versions. */
export interface Side {
  readonly root: Record<string, unknown>;
  readonly viewer: SchemaViewer;
}

/** Receives a difference of an operation or schema. */
export type Report = (
  part: string,
  breaking: boolean,
  message: string,
  change?: SpecificationChange['change'],
) => void;
