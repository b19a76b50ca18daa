import type { Api } from '../contract/api.ts';
import type { InputOf, Operation, OutputOf, PathParams } from '../contract/operation.ts';
import { orUndefined } from '../errors/problem.ts';
import type { TextReader } from '../publishing/text-reader.ts';
import type { Content } from '../render/markup.ts';
import { getCollection } from '../resources/collections/contract.ts';
import type { AppAnswer } from './app-answers.ts';

/** A link of the way from the organization to a page. */
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
  /** The pages beside this one. */
  readonly side?: Content;
  /** Other forms of what is shown, such as its Markdown. */
  readonly links?: readonly TrailLink[];
  /** What the title is the title of: "Space". */
  readonly kind: string;
}

/** What a page is made of: the answers of the API to the member who asks. */
export interface PageContext {
  readonly api: Api;
  readonly query: URLSearchParams;
  readonly texts: TextReader;
  /** The path of the page, with the base. */
  readonly path: string;
  /** Makes the address of a path of this server. */
  readonly href: (path: string) => string;
  /** The address of a page of this server that an answer names; undefined for an address elsewhere. */
  readonly pageOf: (url: string) => string | undefined;
}

/** Makes the page, or another answer, of a path. The parameters are the parts of the path. */
export type PageMaker = (context: PageContext, params: PathParams) => Promise<PageView | AppAnswer>;

/** Reads the collection that a space or collection is in; undefined without one that the member may read. */
export async function readParent(
  context: Pick<PageContext, 'api'>,
  { parent }: { parent?: string },
): Promise<OutputOf<typeof getCollection> | undefined> {
  if (parent === undefined) return undefined;
  return readOptional(context, getCollection, { params: { collectionId: parent } });
}

/** Calls an operation for a part of a page; undefined where the member may not, and the part is left out. */
export function readOptional<O extends Operation>(
  { api }: Pick<PageContext, 'api'>,
  operation: O,
  input: InputOf<O>,
): Promise<OutputOf<O> | undefined> {
  return orUndefined(api.call(operation, input), 'forbidden', 'not-found');
}
