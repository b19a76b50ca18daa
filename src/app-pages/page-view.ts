import type { Api } from '../contract/api.ts';
import type { InputOf, Operation, OutputOf, PathParams } from '../contract/operation.ts';
import { orUndefined } from '../errors/problem.ts';
import type { TextReader } from '../publishing/text-reader.ts';
import type { Content } from '../render/markup.ts';
import { getCollection } from '../resources/collections/contract.ts';
import type { AppAnswer } from './app-answers.ts';

/** A link in the path from the organization to a page. */
export interface TrailLink {
  readonly title: string;
  readonly href: string;
}

export interface PageView {
  readonly title: string;
  /** The address of a picture before the title. */
  readonly picture?: string | undefined;
  readonly trail: readonly TrailLink[];
  readonly body: Content;
  /** The pages around this one. */
  readonly side?: Content;
  /** Links to other forms of the page, such as its Markdown. */
  readonly links?: readonly TrailLink[];
  /** The kind of resource that the title names: "Space". */
  readonly kind: string;
}

/** The context for creating a page. All data comes from answers of the API to the member. */
export interface PageContext {
  readonly api: Api;
  readonly query: URLSearchParams;
  readonly texts: TextReader;
  /** The path of the page, with the base. */
  readonly path: string;
  /** Returns the address of a path of this server. */
  readonly href: (path: string) => string;
  /** Returns the address on this server of a page that an answer links to; undefined for other addresses. */
  readonly pageOf: (url: string) => string | undefined;
}

/** Creates the page, or another answer, for a path. The parameters are the parts of the path. */
export type PageMaker = (context: PageContext, params: PathParams) => Promise<PageView | AppAnswer>;

/** Reads the collection that contains a space or collection; undefined if there is none that the member may read. */
export async function readParent(
  context: Pick<PageContext, 'api'>,
  { parent }: { parent?: string },
): Promise<OutputOf<typeof getCollection> | undefined> {
  if (parent === undefined) return undefined;
  return readOptional(context, getCollection, { params: { collectionId: parent } });
}

/** Calls an operation for a part of a page. Returns undefined if the member may not call it, so that the part is left out. */
export function readOptional<O extends Operation>(
  { api }: Pick<PageContext, 'api'>,
  operation: O,
  input: InputOf<O>,
): Promise<OutputOf<O> | undefined> {
  return orUndefined(api.call(operation, input), 'forbidden', 'not-found');
}
