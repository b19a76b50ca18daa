import { table } from '../core/store.ts';
import type { ComputedSource, IntegrationSource } from './computed-source.ts';
import type { PageSettings } from '../richtext/page-settings.ts';

/** A text or the bytes of a file, stored once under the SHA-256 of what it holds. */
export interface BlobRow {
  readonly id: string;
  readonly encoding: 'text' | 'base64';
  readonly data: string;
}

export const blobs = table<BlobRow>()('blobs', {});

/**
 * An object of the blob storage that no blob refers to, by its key. `pending`: it is stored now, and its blob is written next;
 * `unused`: its blob was removed, or never written, and the object is removed next.
 */
export interface LooseObjectRow {
  readonly id: string;
  readonly state: 'pending' | 'unused';
  readonly at: string;
}

export const looseObjects = table<LooseObjectRow>()('content_loose_objects', {});

/** The path of an entry in the folder that it was imported from, and the git object id of its present content. */
interface GitPlace {
  readonly oid: string;
  readonly path: string;
}

/** A page of a revision; its text is a blob. */
export interface PageEntry {
  readonly kind: 'page';
  readonly id: string;
  readonly type: 'document' | 'group' | 'link';
  readonly parent: string | null;
  /** Fractional index among the pages of its parent. */
  readonly position: string;
  readonly title: string;
  /** The title in the table of contents, if it is another. */
  readonly linkTitle?: string;
  readonly slug: string;
  readonly emoji?: string;
  readonly icon?: string;
  readonly description?: string;
  readonly condition?: string;
  readonly hidden?: boolean;
  readonly noIndex?: boolean;
  readonly noRobotsIndex?: boolean;
  /** Where a link leads. */
  readonly href?: string;
  /** What pages are generated in place of the link, whose href names their source. */
  readonly computed?: ComputedSource;
  /** The same for pages that an integration computes. */
  readonly source?: IntegrationSource;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The original front matter with its fences. Followed by the blob, it is the file byte for byte. */
  readonly frontMatter?: string;
  /** What the front matter says about layout, cover, variables, links and tags. Absent in pages from before it was stored. */
  readonly settings?: PageSettings;
  /** Hash of the Markdown text; a document has one, a group and a link have none. */
  readonly blob?: string;
  /** Bytes of the text. */
  readonly size: number;
  readonly git?: GitPlace;
}

/** A file of a revision; its bytes are a blob. */
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

/** The role of a text that is not a page: the table of contents, settings, variables, tags, or a part that pages include. */
type TextRole = 'summary' | 'settings' | 'variables' | 'tags' | 'include';

/** A text of a folder that is not a page; an include is a reusable content of the API. */
export interface TextEntry {
  readonly kind: 'text';
  readonly id: string;
  readonly role: TextRole;
  readonly title: string;
  /** Hash of the whole text, front matter included. */
  readonly blob: string;
  readonly size: number;
  readonly git: GitPlace;
}

export type Entry = PageEntry | FileEntry | TextEntry;

/**
 * A node of a trie, such as the one that holds a revision, stored once under the SHA-256 of its JSON: a leaf or
 * branches.
 */
export interface NodeRow {
  readonly id: string;
  /** For each next hexadecimal digit the node under it, and how many entries it holds. */
  readonly branches?: Readonly<Record<string, readonly [node: string, size: number]>>;
  readonly entries?: readonly { readonly id: string }[];
}

export const nodes = table<NodeRow>()('content_nodes', {});

/**
 * A state of the garbage collection. `current`: one runs, and what is stored meanwhile is recorded under its epoch.
 * `needed`: something was removed that referred to content. `last`: the result of the last one.
 */
export interface CollectionStateRow {
  readonly id: 'current' | 'needed' | 'last';
  readonly at: string;
  readonly epoch?: string;
  /** Rows that were removed, and their bytes. */
  readonly rows?: number;
  readonly bytes?: number;
}

export const collectionStates = table<CollectionStateRow>()('content_collections', {});

/**
 * A blob or the root of a trie that something refers to since the garbage collection started. Its id is
 * `<epoch>.<n or b>.<hash>`.
 */
interface NewReferenceRow {
  readonly id: string;
}

export const newReferences = table<NewReferenceRow>()('content_new_references', {});

/** A piece of a page of a space's current content, as a search finds it. */
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
  // The sections of a page lie together: their ids start with those of space and page.
  { bySpace: { on: ['space'] } },
  { pageTitle: 4, title: 3, body: 1 },
);
