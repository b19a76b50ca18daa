import { empty, markup } from '../../src/render/markup.ts';
import type { RenderContext, Target } from '../../src/render/render-context.ts';
import { wordsOf } from '../../src/render/words.ts';
import { isRecord } from '../../src/contract/values.ts';

/** Returns the context of a site for rendering documents in tests. URLs lead to themselves; pages and files must be given. */
export function renderContext(
  more: Partial<RenderContext> & { readonly targets?: Readonly<Record<string, Target>> } = {},
): RenderContext {
  const { targets = {}, ...rest } = more;
  return {
    resolve: (ref) => {
      if (!isRecord(ref)) return undefined;
      const name = String(ref['url'] ?? ref['page'] ?? ref['file'] ?? '');
      if (Object.hasOwn(targets, name)) return targets[name];
      return ref['kind'] === 'url' && name !== ''
        ? { href: name, kind: /^https?:/.test(name) ? 'external' : 'page', title: name }
        : undefined;
    },
    evaluate: () => undefined,
    isTrue: () => true,
    specification: () => undefined,
    words: wordsOf('en'),
    icons: {
      draw: (name) =>
        name === '' ? empty : markup`<svg class="icon" data-icon="${name}" aria-hidden="true"></svg>`,
    },
    ...rest,
  };
}
