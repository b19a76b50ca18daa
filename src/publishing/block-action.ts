import { isDeepStrictEqual } from 'node:util';
import { parseJson } from '../contract/limits.ts';
import { defined, isRecord, recordOf } from '../contract/values.ts';
import { Deferred } from '../core/handler.ts';
import type { ScriptRendering } from '../resources/content/blocks/ask-script.ts';
import { actionsIn, componentMarkup } from './component-markup.ts';
import { json } from './content-types.ts';
import { missing } from './notices.ts';
import { wordsFor } from './open-frame.ts';
import { drawBlock, renderEvent } from './page-with-blocks.ts';
import { showPage } from './show-page.ts';
import type { EndpointAnswer, SiteAnswer } from './site-request.ts';
import type { Visit } from './visit.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Maximum size of a request to a block, in bytes. */
const maxBody = 32 * 1024;

/** The action of a reader in a block. */
interface BlockAction {
  readonly siteSpace: string;
  readonly page: string;
  readonly block: string;
  readonly state: Fields;
  readonly action: Fields | undefined;
  /** The action of the block that opened the dialog in which the reader acts. */
  readonly modal: Fields | undefined;
  /** The state of the block when the reader opened the dialog. */
  readonly blockState: Fields | undefined;
}

/**
 * Answers the action of a reader in a block of an integration. The block must be on a page that the visitor sees: its integration
 * and properties come from the page, and only the state and the action from the reader. A dialog is drawn only if the block
 * offers it, in its first or a later state.
 */
export async function blockAction(visit: Visit): Promise<EndpointAnswer> {
  const given = readAction(visit);
  if (given === undefined) return failed(400, 'The body is not an action.');
  const { view, cache } = visit;
  const shown = view.map.spaces.find(({ row }) => row.id === given.siteSpace);
  if (shown === undefined) return missing(visit, undefined);
  const open = await view.openSpace(shown);
  const page = open.pages.byId.get(given.page);
  if (page?.type !== 'document') return missing(visit, open);
  const made = await cache.get(view, open, page, () => showPage(view, open, page));
  const block = made.blocks.find(({ key }) => key === given.block);
  if (block === undefined) return missing(visit, open);
  const { words } = wordsFor(view, open);
  return new Deferred(async (services) => {
    const { recipient } = block.block;
    let { block: componentId, props } = block.block;
    if (given.modal !== undefined) {
      let modal = modalOf(await drawBlock(visit, services, open, block), given.modal);
      if (modal === undefined && given.blockState !== undefined) {
        const event = { ...renderEvent(open, componentId, props), state: given.blockState };
        modal = modalOf(await cache.blocks.ask(services, recipient, event), given.modal);
      }
      if (modal === undefined) return failed(404, 'The block has no such dialog.');
      ({ componentId, props } = modal);
    }
    const event = {
      ...renderEvent(open, componentId, props),
      state: given.state,
      ...defined({ action: given.action }),
    };
    const rendering = await cache.blocks.ask(services, recipient, event);
    if ('problem' in rendering) return failed(502, 'The integration did not answer.');
    if ('isComplete' in rendering) return answer(200, { returnValue: rendering.returnValue ?? null });
    const { component, state } = rendering;
    return answer(200, { html: (await componentMarkup(component, words)).text, values: state });
  });
}

/** Returns the component of the dialog that an action of a block opens; undefined if the block has no such action. */
function modalOf(
  rendering: ScriptRendering,
  action: Fields,
): { readonly componentId: string; readonly props: Fields } | undefined {
  if (!('component' in rendering)) return undefined;
  const offered = actionsIn(rendering.component).find((each) => isDeepStrictEqual(each, action));
  if (offered?.['action'] !== '@ui.modal.open') return undefined;
  const { componentId, props } = offered;
  return typeof componentId === 'string' ? { componentId, props: recordOf(props) } : undefined;
}

function readAction({ request: { body } }: Visit): BlockAction | undefined {
  if (body === undefined || body.bytes.length > maxBody || !/^application\/json\b/i.test(body.type))
    return undefined;
  let given: unknown;
  try {
    const text = Buffer.from(body.bytes).toString();
    given = parseJson(text, { depth: 16, nodes: 2000 });
  } catch {
    return undefined;
  }
  if (!isRecord(given)) return undefined;
  const { siteSpace, page, block, state = {}, action, modal, blockState } = given;
  if (typeof siteSpace !== 'string' || typeof page !== 'string' || typeof block !== 'string')
    return undefined;
  if (!isRecord(state) || (action !== undefined && !isRecord(action))) return undefined;
  if (modal !== undefined && !isRecord(modal)) return undefined;
  if (blockState !== undefined && !isRecord(blockState)) return undefined;
  return { siteSpace, page, block, state, action, modal, blockState };
}

function answer(status: number, body: object): SiteAnswer {
  return { status, headers: { ...json, 'cache-control': 'private, no-store' }, body: JSON.stringify(body) };
}

function failed(status: number, error: string): SiteAnswer {
  return answer(status, { error });
}
