import type { Kind } from './kind.ts';
import type { ManifestNode } from './read/node.ts';
import type { SourceLocation } from './read/source-location.ts';

export interface Stated {
  readonly value: unknown;
  readonly at: SourceLocation;
  /** Variables by the texts that come from them. */
  readonly from?: ReadonlyMap<string, readonly string[]>;
  /** Locates a part of the value, by its path or, if it is a text, by itself. Default: `at`. */
  readonly locate?: (part: ValuePart) => SourceLocation;
}

/** A part of a value: the names and indexes that lead to it, or a text in it. */
export type ValuePart = string | readonly (string | number)[];

/** A resource as the manifest states it. Fields that it does not state are not managed. */
export interface DesiredResource {
  readonly address: string;
  readonly kind: Kind;
  readonly at: SourceLocation;
  readonly parent: string | undefined;
  readonly id: Stated | undefined;
  readonly protect: boolean | undefined;
  readonly fields: ReadonlyMap<string, Stated>;
  /** The blocks inside, in the order of the file. */
  readonly inside: readonly DesiredResource[];
}

/** All resources of a kind within one parent, if the manifest manages these; there may be none. */
export interface Scope {
  readonly kind: Kind;
  readonly parent: string | undefined;
  /** Whether the order in the file is the live order. */
  readonly isList: boolean;
  readonly resources: readonly DesiredResource[];
}

export interface Desired {
  /** The organization that it is for, if it states one. */
  readonly organization: Stated | undefined;
  /** In the order of the table of kinds. */
  readonly scopes: readonly Scope[];
  readonly byAddress: ReadonlyMap<string, DesiredResource>;
  readonly lookups: readonly Lookup[];
  /** The fields at the top that are no kinds. */
  readonly beside: ReadonlyMap<string, ManifestNode>;
}

/** `!lookup { title: Guide }`: the one live resource of a kind that has these values. */
export interface Lookup {
  readonly kind: Kind;
  readonly at: SourceLocation;
  readonly by: ReadonlyMap<string, unknown>;
}
