import { defined } from '../../../contract/values.ts';
import type { RichDocumentValue } from '../../../contract/shapes.ts';
import { Deferred, type Services } from '../../../core/handler.ts';
import { Problem } from '../../../errors/problem.ts';
import { replaceBlocks } from '../../../contentkit/document-blocks.ts';
import { markdownToRead } from '../../../richtext/readable.ts';
import type { PageBody } from '../schemas.ts';
import { BlockRenderer, bookLimits, drawnByKey, type BlockViewer } from './render-blocks.ts';

/** Adds the drawn blocks of integrations to a page. The scripts run after the transaction. */
export function addBlocks({ space, caller, role }: BlockViewer, page: PageBody): Deferred<PageBody> {
  return new Deferred(async (services) => {
    const nodes = page.document?.nodes ?? nodesOf(page.markdown ?? '');
    const drawn = await new BlockRenderer(services, { space, caller, role }).render(nodes);
    return {
      ...page,
      blocks: drawn.map(({ source, integration, block, nodes: own, problem }) => ({
        integration,
        block,
        ...(source.kind === 'tag'
          ? { props: { ...source.props } }
          : { code: { syntax: source.syntax, content: source.content } }),
        document: { object: 'document' as const, data: {}, nodes: own },
        ...defined({ problem }),
      })),
    };
  });
}

/** Returns a function that replaces the blocks of integrations in documents of one book by their drawings. */
export function blockDrawer(
  services: Services,
  { space, caller, role }: BlockViewer,
): (document: RichDocumentValue) => Promise<RichDocumentValue> {
  const renderer = new BlockRenderer(services, { space, caller, role }, bookLimits);
  return async (document) => ({
    ...document,
    nodes: replaceBlocks(document.nodes, drawnByKey(await renderer.render(document.nodes))),
  });
}

/** Returns the nodes of a text; none if the text cannot be parsed. */
function nodesOf(markdown: string): RichDocumentValue['nodes'] {
  try {
    return markdownToRead(markdown).nodes;
  } catch (error) {
    if (error instanceof Problem) return [];
    throw error;
  }
}
