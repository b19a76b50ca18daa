import type { Component, Element } from '../contentkit/elements.ts';
import { componentToHtml, type HtmlPart } from '../contentkit/to-html.ts';
import { isRecord } from '../contract/values.ts';
import { attributes, join, markup, Markup } from '../render/markup.ts';
import { renderDocument } from '../render/render-document.ts';
import type { Words } from '../render/words.ts';
import { openSiteFiles } from './site-files.ts';

/** Tags that have no content and no end. */
const voidTags: ReadonlySet<string> = new Set(['hr', 'img', 'input']);

/** Writes a component of an integration as markup. Its texts are escaped, its addresses are checked, nothing in it runs. */
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

/** The elements of a component and those in them. */
function* elementsIn(elements: readonly Element[]): Generator<Element> {
  for (const element of elements) {
    yield element;
    for (const inner of Object.values(element) as unknown[]) {
      const list: readonly unknown[] = Array.isArray(inner) ? inner : [inner];
      for (const each of list) {
        if (!isRecord(each)) continue;
        // Steps of a stepper are no elements, but have some.
        if (Array.isArray(each['children']) && each['type'] === undefined)
          yield* elementsIn(each['children'] as Element[]);
        else if (typeof each['type'] === 'string' && inner !== element)
          yield* elementsIn([each as unknown as Element]);
      }
    }
  }
}

/** The origins of the frames of a component. */
export function frameOrigins(component: Component): string[] {
  return [...elementsIn(component.children)].flatMap((element) =>
    element.type === 'webframe' && element.url !== undefined ? [new URL(element.url).origin] : [],
  );
}

/** The actions that readers can do in a component. */
export function actionsIn({ children, submit }: Component): Readonly<Record<string, unknown>>[] {
  const all = [...elementsIn(submit === undefined ? children : [...children, submit])];
  return all.flatMap((element) =>
    'onPress' in element && element.onPress !== undefined ? [element.onPress] : [],
  );
}
