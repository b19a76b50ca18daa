import type { PhrasingContent } from 'mdast';
import { decodeHtml, readTag, tokenizeHtml, type HtmlToken } from './html.ts';
import { nest, type Nested, type Part } from './nest.ts';

/** Puts what stands between an opening HTML tag and its closing one into an element. */
export function pairElements(content: readonly PhrasingContent[]): PhrasingContent[] {
  if (!content.some((node) => node.type === 'html')) return [...content];
  return elementsOf(nest(content.map((item): Part<PhrasingContent> => ({ item, ...roleOf(item) }))));
}

function roleOf(node: PhrasingContent): Omit<Part<PhrasingContent>, 'item'> {
  const tag = node.type === 'html' ? readTag(node.value) : undefined;
  if (tag?.kind === 'close') return { closes: tag.name };
  return tag?.kind === 'open' && !tag.isVoid ? { opens: tag.name } : {};
}

function elementsOf(nested: readonly Nested<PhrasingContent>[]): PhrasingContent[] {
  return nested.map((part): PhrasingContent => {
    if ('item' in part) return part.item;
    const [open, close] = [part.open, part.close].map((node) => (node.type === 'html' ? node.value : '')) as [
      string,
      string,
    ];
    const tag = readTag(open) as HtmlToken & { kind: 'open' };
    return {
      type: 'element',
      name: tag.name,
      attributes: tag.attributes,
      open,
      close,
      children: elementsOf(part.inner),
    };
  });
}

/** HTML tokens as inline content, with formulas between `$$`. */
export function phrasingOf(tokens: readonly HtmlToken[]): PhrasingContent[] {
  return tokens.flatMap((token): PhrasingContent[] => {
    if (token.kind !== 'text') return [{ type: 'html', value: token.raw }];
    return token.raw.split(/(\$\$[^$]+(?:\$[^$]+)*\$\$)/).flatMap((text, index): PhrasingContent[] => {
      if (index % 2 === 1 && text.slice(2, -2).trim() !== '')
        return [{ type: 'mathText', value: decodeHtml(text.slice(2, -2)).replace(/\s+/g, ' ').trim() }];
      return text === '' ? [] : [{ type: 'text', value: decodeHtml(text.replace(/[ \t\r\n\f]+/g, ' ')) }];
    });
  });
}

/** A line of HTML as inline content, without the blanks around it. */
export function phrasingOfHtml(html: string): PhrasingContent[] {
  return phrasingOf(tokenizeHtml(html.replace(/^[ \t\r\n\f]+|(?<![ \t\r\n\f])[ \t\r\n\f]+$/g, '')));
}
