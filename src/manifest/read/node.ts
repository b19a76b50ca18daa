import type { SourceLocation } from './faults.ts';

/** A value of a manifest with its location, after variables are filled in and tags are resolved. */
export type ManifestNode = MapNode | ListNode | ScalarNode | RefNode | LookupNode | FileNode;

export interface MapNode {
  readonly at: SourceLocation;
  readonly kind: 'map';
  readonly entries: Map<string, MapEntry>;
}

export interface MapEntry {
  readonly key: SourceLocation;
  readonly value: ManifestNode;
}

export interface ListNode {
  readonly at: SourceLocation;
  readonly kind: 'list';
  readonly items: readonly ManifestNode[];
}

export interface ScalarNode {
  readonly at: SourceLocation;
  readonly kind: 'scalar';
  readonly value: string | number | boolean | null;
  /** The variables that were filled in. */
  readonly vars?: readonly string[];
}

/** `!ref space.guide` */
export interface RefNode {
  readonly at: SourceLocation;
  readonly kind: 'ref';
  readonly to: { readonly kind: string; readonly name: string };
}

/** `!lookup { title: API v1 }`. The values are scalars, or refs to narrow it down. */
export interface LookupNode {
  readonly at: SourceLocation;
  readonly kind: 'lookup';
  readonly by: Map<string, { readonly key: SourceLocation; readonly value: ScalarNode | RefNode }>;
}

/** `!file path`: the text of a file in the manifest's folder. */
export interface FileNode {
  readonly at: SourceLocation;
  readonly kind: 'file';
  /** The printed path: relative to the working folder. */
  readonly path: string;
  readonly text: string;
}

/** Returns the value of a field of a map; undefined for other nodes. */
export function childOf(node: ManifestNode | undefined, field: string): ManifestNode | undefined {
  return node?.kind === 'map' ? node.entries.get(field)?.value : undefined;
}
