import type { Kind } from './kind.ts';
import type { ManifestNode } from './read/node.ts';
import type { SourceLocation } from './read/faults.ts';

export interface Stated {
  readonly value: unknown;
  readonly at: SourceLocation;
  /** For each text of the value that comes from variables: their names. */
  readonly from?: ReadonlyMap<string, readonly string[]>;
  /** Locates a part of the value, by its path or, if it is a text, by the text. Default: returns `at`. */
  readonly locate?: (part: ValuePart) => SourceLocation;
}

/** A part of a value: the path of names and indexes that leads to it, or a text in it. */
export type ValuePart = string | readonly (string | number)[];

/** A resource that the manifest states. Fields that it does not state are not managed. */
export interface DesiredResource {
  readonly address: string;
  readonly kind: Kind;
  readonly at: SourceLocation;
  readonly parent: string | undefined;
  readonly id: Stated | undefined;
  readonly protect: boolean | undefined;
  readonly fields: ReadonlyMap<string, Stated>;
  /** The blocks inside it, in the order of the file. */
  readonly inside: readonly DesiredResource[];
}

/** All resources of a kind in one parent. A scope exists if the manifest manages them, even if there are none. */
export interface Scope {
  readonly kind: Kind;
  readonly parent: string | undefined;
  /** Whether the order in the file is also the live order. */
  readonly isList: boolean;
  readonly resources: readonly DesiredResource[];
}

export interface Desired {
  /** The organization that the manifest is for, if it states one. */
  readonly organization: Stated | undefined;
  /** In the order of the table of kinds. */
  readonly scopes: readonly Scope[];
  readonly byAddress: ReadonlyMap<string, DesiredResource>;
  readonly lookups: readonly Lookup[];
  /** The top-level fields that are not kinds. */
  readonly beside: ReadonlyMap<string, ManifestNode>;
}

/** `!lookup { title: Guide }`: the only live resource of a kind with these values. */
export interface Lookup {
  readonly kind: Kind;
  readonly at: SourceLocation;
  readonly by: ReadonlyMap<string, unknown>;
}
