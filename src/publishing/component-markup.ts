import type { Component, Element } from '../contentkit/elements.ts';
import { componentToHtml, type HtmlPart } from '../contentkit/to-html.ts';
import { isRecord } from '../contract/values.ts';
import { attributes, join, markup, Markup } from '../render/markup.ts';
import { renderDocument } from '../render/render-document.ts';
import type { Words } from '../render/words.ts';
import { openSiteFiles } from './site-files.ts';

/** Elements without content and without an end tag. */
const voidTags: ReadonlySet<string> = new Set(['hr', 'img', 'input']);

/** Renders a component of an integration as HTML. Texts are escaped, URLs are checked, and it contains no scripts. */
export function componentMarkup(component: Component, words: Words): Promise<Markup> {
  return writePart(componentToHtml(component), words);
}

async function writePart(part: HtmlPart, words: Words): Promise<Markup> {
  if (typeof part === 'string') return join([part]);
  if ('blocks' in part) {
    const { body } = await renderDocument(
      { object: 'document', data: {}, nodes: part.blocks },
      {
        resolve: (ref) =>
          isRecord(ref) && ref['kind'] === 'url' && typeof ref['url'] === 'string'
            ? { href: ref['url'], kind: 'external', title: ref['url'] }
            : undefined,
        evaluate: () => undefined,
        isTrue: () => false,
        specification: () => undefined,
        words,
        icons: openSiteFiles().icons,
      },
    );
    return body;
  }
  const children: Markup[] = [];
  for (const child of part.children) children.push(await writePart(child, words));
  const tag = new Markup(part.tag);
  const start = markup`<${tag}${attributes(part.attributes)}>`;
  return voidTags.has(part.tag) ? start : markup`${start}${children}</${tag}>`;
}

/** Yields the elements of a component, including nested ones. */
function* elementsIn(elements: readonly Element[]): Generator<Element> {
  for (const element of elements) {
    yield element;
    for (const inner of Object.values(element) as unknown[]) {
      const list: readonly unknown[] = Array.isArray(inner) ? inner : [inner];
      for (const each of list) {
        if (!isRecord(each)) continue;
        // Steps of a stepper are not elements, but contain elements.
        if (Array.isArray(each['children']) && each['type'] === undefined)
          yield* elementsIn(each['children'] as Element[]);
        else if (typeof each['type'] === 'string' && inner !== element)
          yield* elementsIn([each as unknown as Element]);
      }
    }
  }
}

/** Returns the origins of the frames in a component. */
export function frameOrigins(component: Component): string[] {
  return [...elementsIn(component.children)].flatMap((element) =>
    element.type === 'webframe' && element.url !== undefined ? [new URL(element.url).origin] : [],
  );
}

/** Yields the actions that readers can trigger in a component. */
export function actionsIn({ children, submit }: Component): Readonly<Record<string, unknown>>[] {
  const all = [...elementsIn(submit === undefined ? children : [...children, submit])];
  return all.flatMap((element) =>
    'onPress' in element && element.onPress !== undefined ? [element.onPress] : [],
  );
}
