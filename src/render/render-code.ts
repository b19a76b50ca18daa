import type { RichNode } from '../contract/shapes.ts';
import { plainTextOf, textOfValue } from '../richtext/nodes.ts';
import { classes, empty, markup, join, Markup } from './markup.ts';
import type { Renderer } from './render-context.ts';

/** Longer code is not highlighted, because that would block other requests and slow down the page. */
const maxColored = 20_000;
/** Maximum number of highlighted characters of code on one page. */
const maxColoredOfPage = 200_000;

/** Number of lines that expandable code shows at first. `site.css` contains the same number. */
const maxCollapsed = 10;

/** Limits how much code of one page is highlighted. Other code is shown without colors. */
export function limitColors(highlight: Renderer['highlight']): Renderer['highlight'] {
  let left = maxColoredOfPage;
  return (code, language) => {
    if (code.length > left) return undefined;
    left -= code.length;
    return highlight(code, language);
  };
}

/** Renders a block of code with its title, line numbers and highlighting. */
export function renderCode(node: RichNode, renderer: Renderer): Markup {
  const { title, overflow, lineNumbers, syntax, expandable } = node.data ?? {};
  const language = textOfValue(syntax).toLowerCase();
  const code = (node.nodes ?? []).map(plainTextOf).join('\n');
  const colored = code.length > maxColored ? undefined : renderer.highlight(code, language);
  const lines = colored === undefined ? undefined : new Markup(colored);
  const content = lineNumbers === true ? numberLines(lines ?? join([code])) : (lines ?? code);
  const caption = textOfValue(title);
  const count = code.split('\n').length;
  const isCut = expandable === true && count > maxCollapsed;
  const more = isCut
    ? markup`<label class="code-more"><input type="checkbox" class="visually-hidden">${renderer.words.showLines.replace('{count}', String(count))}</label>`
    : empty;
  return markup`<figure${classes('code', overflow === 'wrap' && 'code-wrap', lineNumbers === true && 'code-numbered', isCut && 'code-expandable')}>${
    caption === '' ? empty : markup`<figcaption>${caption}</figcaption>`
  }<pre tabindex="0"><code${classes(language !== '' && `language-${language}`)}>${content}</code></pre>${more}</figure>`;
}

/** Renders a prompt for copying: its code, with its description as the title. */
export function renderPrompt({ data = {}, nodes }: RichNode, renderer: Renderer): Markup {
  const { description, defaultExpanded } = data;
  const more = { title: description, overflow: 'wrap', expandable: defaultExpanded !== 'full' };
  return renderer.blocks(
    nodes?.map((node) => (node.type === 'code' ? { ...node, data: { ...node.data, ...more } } : node)),
  );
}

/** Renders only code, such as an example response. */
export function renderPlainCode(code: string, language: string, renderer: Renderer): Markup {
  const colored = code.length > maxColored ? undefined : renderer.highlight(code, language);
  return markup`<figure class="code"><pre tabindex="0"><code>${colored === undefined ? code : new Markup(colored)}</code></pre></figure>`;
}

/** Wraps each line in an element. Spans across lines are closed and reopened at line ends. */
function numberLines({ text }: Markup): Markup {
  const open: string[] = [];
  const lines = text.split('\n').map((line) => {
    const before = open.join('');
    for (const [tag] of line.matchAll(/<\/?span[^>]*>/g)) {
      if (tag.startsWith('</')) open.pop();
      else open.push(tag);
    }
    return `<span class="line">${before}${line}\n${'</span>'.repeat(open.length)}</span>`;
  });
  return new Markup(lines.join(''));
}

/** Renders a formula on its own line. A formula that cannot be parsed is shown as source. */
export function renderMathBlock(node: RichNode, renderer: Renderer): Markup {
  const tex = textOfValue(node.data?.['formula']);
  const formula = renderer.formula(tex, true);
  return formula === undefined
    ? markup`<pre class="math" tabindex="0"><code>${tex}</code></pre>`
    : markup`<div class="math" tabindex="0">${formula}</div>`;
}
