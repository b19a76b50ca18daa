import { createHash } from 'node:crypto';
import { Deferred, type Services } from '../core/handler.ts';
import { attributes, markup, type Markup } from '../render/markup.ts';
import type { ScriptRendering } from '../resources/content/blocks/ask-script.ts';
import type { Words } from '../render/words.ts';
import type { LiveEvent } from '../resources/integration-events/runs.ts';
import { contentPolicyWith } from './answer-headers.ts';
import { fillSlots, type PageBlock } from './block-slots.ts';
import { componentMarkup, frameOrigins } from './component-markup.ts';
import { html } from './content-types.ts';
import { wordsFor } from './open-frame.ts';
import type { MadePage } from './page-cache.ts';
import type { OpenSpace } from './page-links.ts';
import { scriptOrigins } from './site-scripts.ts';
import type { SiteAnswer } from './site-request.ts';
import type { SitePage } from './space-pages.ts';
import type { Visit } from './visit.ts';

/** Maximum milliseconds that a reader waits for the blocks of a page. Later renderings are cached for the next reader. */
const maxWait = 4000;

/** Answers with a page whose blocks of integrations are rendered by their scripts after the transaction. */
export async function pageWithBlocks(
  visit: Visit,
  open: OpenSpace,
  page: SitePage,
  made: MadePage,
): Promise<Deferred<SiteAnswer>> {
  const scripts = await visit.view.scripts();
  const { words } = wordsFor(visit.view, open);
  return new Deferred(async (services) => {
    const late = lateAfter(maxWait);
    const drawn = new Map<string, string>();
    const origins: string[] = [];
    await Promise.all(
      made.blocks.map(async (block) => {
        const rendering = await Promise.race([drawBlock(visit, services, open, block), late.rendering]);
        if (!('component' in rendering)) return;
        const { component, state } = rendering;
        origins.push(...frameOrigins(component));
        const content = await componentMarkup(component, words);
        drawn.set(block.key, wrap(visit, { open, page, block, state, content, words }).text);
      }),
    );
    late.clear();
    const injected = scriptOrigins(scripts);
    const frames = { 'frame-src': [...(injected['frame-src'] ?? []), ...origins] };
    return {
      status: 200,
      headers: { ...html, 'content-security-policy': contentPolicyWith({ ...injected, ...frames }) },
      body: fillSlots(made.body.toString(), drawn),
    };
  });
}

/** Returns the event that asks an integration to render a block for a visitor. */
export function renderEvent(
  { shown }: OpenSpace,
  componentId: string,
  props: Readonly<Record<string, unknown>>,
): LiveEvent {
  const spaceId = shown.space.id;
  const context = { type: 'document', theme: 'light', spaceId, editable: false };
  return { type: 'ui_render', spaceId, componentId, props, context };
}

/** Renders a block in its initial state, or returns the cached rendering. */
export function drawBlock(
  { cache }: Visit,
  services: Services,
  open: OpenSpace,
  { block: { recipient, block, props } }: PageBlock,
): Promise<ScriptRendering> {
  const { integration, installation, target } = recipient;
  const key = createHash('sha256')
    .update(JSON.stringify([integration, installation, target, open.shown.space.id, block, props]))
    .digest('base64url');
  return cache.blocks.get(key, services, recipient, renderEvent(open, block, props));
}

interface BlockContent {
  readonly open: OpenSpace;
  readonly page: SitePage;
  readonly block: PageBlock;
  readonly state: Readonly<Record<string, unknown>>;
  readonly content: Markup;
  readonly words: Words;
}

/** Returns the HTML element of a block, with the data that the script of the page needs for actions. */
function wrap({ view }: Visit, { open, page, block, state, content, words }: BlockContent): Markup {
  const place = { siteSpace: open.shown.row.id, page: page.id, block: block.key };
  return markup`<div${attributes({
    class: 'ck',
    'data-ck-block': JSON.stringify(place),
    'data-ck-address': `${view.map.base}~gitbook/blocks`,
    'data-ck-values': JSON.stringify(state),
    'data-ck-failed': words.actionFailed,
  })}>${content}</div>`;
}

/** Creates a rendering that fails after a time. */
function lateAfter(time: number): {
  readonly rendering: Promise<ScriptRendering>;
  readonly clear: () => void;
} {
  let timer: NodeJS.Timeout | undefined;
  const rendering = new Promise<ScriptRendering>((resolve) => {
    timer = setTimeout(() => resolve({ problem: 'The block was not drawn in time.' }), time);
  });
  return { rendering, clear: () => clearTimeout(timer) };
}
