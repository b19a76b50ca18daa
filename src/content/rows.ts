import { table } from '../core/store.ts';
import type { ComputedSource, IntegrationSource } from './computed-source.ts';
import type { PageSettings } from '../richtext/page-settings.ts';

/** A text or the bytes of a file, stored once under its SHA-256. */
export interface BlobRow {
  readonly id: string;
  readonly encoding: 'text' | 'base64';
  readonly data: string;
}

export const blobs = table<BlobRow>()('blobs', {});

/**
 * An object in the blob storage that no blob refers to, by its key. `pending`: it is being stored, and its blob will be written
 * next. `unused`: its blob was removed or never written, and the object will be removed.
 */
export interface LooseObjectRow {
  readonly id: string;
  readonly state: 'pending' | 'unused';
  readonly at: string;
}

export const looseObjects = table<LooseObjectRow>()('content_loose_objects', {});

/** The path of an entry in the folder from which it was imported, and the git object ID of its current content. */
interface GitPlace {
  readonly oid: string;
  readonly path: string;
}

/** A page of a revision. Its text is a blob. */
export interface PageEntry {
  readonly kind: 'page';
  readonly id: string;
  readonly type: 'document' | 'group' | 'link';
  readonly parent: string | null;
  /** Fractional index among the pages of its parent. */
  readonly position: string;
  readonly title: string;
  /** The title in the table of contents, if it is different. */
  readonly linkTitle?: string;
  readonly slug: string;
  readonly emoji?: string;
  readonly icon?: string;
  readonly description?: string;
  readonly condition?: string;
  readonly hidden?: boolean;
  readonly noIndex?: boolean;
  readonly noRobotsIndex?: boolean;
  /** The destination of a link. */
  readonly href?: string;
  /** The specification of the pages that are generated in place of the link. The href names it too. */
  readonly computed?: ComputedSource;
  /** The source of the pages that an integration computes in place of the link. */
  readonly source?: IntegrationSource;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The original front matter with its fences. Followed by the blob, it is exactly the file. */
  readonly frontMatter?: string;
  /** Layout, cover, variables, links and tags in the front matter. Absent in pages that were stored before this field existed. */
  readonly settings?: PageSettings;
  /** The hash of the Markdown text of a document. Groups and links have none. */
  readonly blob?: string;
  /** The size of the text in bytes. */
  readonly size: number;
  readonly git?: GitPlace;
}

/** A file of a revision. Its bytes are a blob. */
export interface FileEntry {
  readonly kind: 'file';
  readonly id: string;
  readonly name: string;
  readonly contentType: string;
  readonly size: number;
  readonly dimensions?: { readonly width: number; readonly height: number };
  readonly blob: string;
  readonly git?: GitPlace;
}

/**
 * The role of a text that is not a page: the table of contents, settings, variables, tags, a part that pages include, or another
 * file, such as code, that they include.
 */
type TextRole = 'summary' | 'settings' | 'variables' | 'tags' | 'include' | 'snippet';

/** A text of a folder that is not a page. An include is reusable content in the API. */
export interface TextEntry {
  readonly kind: 'text';
  readonly id: string;
  readonly role: TextRole;
  readonly title: string;
  /** The hash of the whole text, including front matter. */
  readonly blob: string;
  readonly size: number;
  readonly git: GitPlace;
}

export type Entry = PageEntry | FileEntry | TextEntry;

/** A node of a trie, such as the one of a revision, stored once under the SHA-256 of its JSON: a leaf, or branches. */
export interface NodeRow {
  readonly id: string;
  /** For each next hexadecimal digit: the node below, and its number of entries. */
  readonly branches?: Readonly<Record<string, readonly [node: string, size: number]>>;
  readonly entries?: readonly { readonly id: string }[];
}

export const nodes = table<NodeRow>()('content_nodes', {});

/**
 * A state of the garbage collection. `current`: one is running, and new references are recorded with its epoch. `needed`:
 * something that referred to content was removed. `last`: the result of the last one.
 */
export interface CollectionStateRow {
  readonly id: 'current' | 'needed' | 'last';
  readonly at: string;
  readonly epoch?: string;
  /** The number of removed rows, and their bytes. */
  readonly rows?: number;
  readonly bytes?: number;
}

export const collectionStates = table<CollectionStateRow>()('content_collections', {});

/**
 * A blob, or the root of a trie, that got a reference after the garbage collection started. The ID is `<epoch>.<n or b>.<hash>`.
 */
interface NewReferenceRow {
  readonly id: string;
}

export const newReferences = table<NewReferenceRow>()('content_new_references', {});

/** A piece of a page in the current content of a space, for searches. */
export interface SectionRow {
  /** `<space>.<page>.<number>`, numbered in reading order. */
  readonly id: string;
  readonly space: string;
  readonly page: string;
  /** The anchor of its heading; empty for the text before the first heading. */
  readonly anchor: string;
  readonly title: string;
  readonly pageTitle: string;
  /** Plain text. */
  readonly body: string;
}

export const sections = table<SectionRow>()(
  'sections', //
  // The sections of a page are adjacent, because their IDs start with the IDs of the space and the page.
  { bySpace: { on: ['space'] } },
  { pageTitle: 4, title: 3, body: 1 },
);
