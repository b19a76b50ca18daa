const template = new RegExp(
  [
    // Jekyll: the address of the site, an address of the site, a link to a file, and text without templates.
    String.raw`\{\{-?\s*site\.(?:url|baseurl)\s*-?\}\}`,
    String.raw`\{\{-?\s*["'](?<address>[^"'{}\n]{0,1024})["']\s*\|\s*(?:relative|absolute)_url\s*-?\}\}`,
    String.raw`\{%-?\s*link\s+(?<file>[^\s%{}]{1,1024})\s*-?%\}`,
    String.raw`\{%-?\s*(?:end)?raw\s*-?%\}`,
    // Hugo: links to pages, and images.
    String.raw`\{\{[<%]\s*(?:rel)?ref\s+["']?(?<page>[^\s"'{}]{1,1024})["']?\s*[>%]\}\}`,
    String.raw`\{\{[<%]\s*(?:figure|image|img)\s(?<image>[^{}\n]{1,2000})[>%]\}\}`,
    String.raw`\{\{[<%]\s*youtube\s+(?:id=)?["']?(?<video>[\w-]{1,64})["']?[^{}\n]{0,200}[>%]\}\}`,
    // Obsidian: links to notes, and embedded files.
    String.raw`(?<![\w\])<\\])(?<embed>!?)\[\[(?![\s.:^]|\d+\]|_?toc_?\])(?<note>[^[\]|<>\\]{1,512})(?:\\?\|(?<alias>[^[\]\n]{0,512}))?\]\](?![[(])`,
  ].join('|'),
  'gi',
);
const shortcode =
  /^([ \t]*)\{\{[<%]\s*(?:(\/)\s*)?(?:[\w-]{1,64}\/){0,4}([a-z][\w-]{0,64})([^{}]*)[%>]\}\}[ \t]*$/i;
const kinds = [
  ['Admonition', /^(?:admonition|alert|callout|hint|notice)$/],
  ['Details', /^(?:accordion|collapse|details|expand)$/],
  ['Tabs', /^(?:tabs|tabpane|tabgroup)$/],
  ['Tab', /^(?:tab|tab-content|tabitem)$/],
] as const;

/** Whether a text may contain what `convertTemplates` converts. */
export function mayHaveTemplates(text: string): boolean {
  // Most texts have none of these marks, and searching for a mark is much faster than for an expression.
  if (text.includes('{{') || text.includes('[[')) return true;
  return text.includes('{%') && /\{%-?\s*(?:link|raw|endraw)\s/i.test(text);
}

/**
 * Converts templates of Jekyll and Hugo that stand for an address or an image, and links of Obsidian, in a text without code. The
 * target of `[[Note#Heading|text]]` is `[[Note#Heading]]`. HTML is text without Markdown, so only addresses are converted in it.
 */
export function convertTemplates(text: string, isHtml = false): string {
  if (!mayHaveTemplates(text)) return text;
  return text.replace(template, (...given) => {
    const groups = given.at(-1) as Record<string, string | undefined>;
    const { address, file, page, image, video, embed, note, alias = '' } = groups;
    if (isHtml && (video ?? image ?? note) !== undefined) return given[0];
    if (video !== undefined) return `<https://www.youtube.com/watch?v=${video}>`;
    if (image !== undefined) return `![${valueOf(image, 'alt|caption|title')}](<${valueOf(image, 'src')}>)`;
    if (note === undefined) return address ?? page ?? (file === undefined ? '' : `/${file}`);
    const isSize = /^\d+(?:x\d+)?$/.test(alias);
    const isImage = embed === '!' && /\.(?:png|jpe?g|gif|svg|webp|avif|bmp)$/i.test(note);
    const shown = alias === '' || isSize ? note.replace(/^#/, '').replaceAll('#', ' > ') : alias;
    return isImage ? `![${isSize ? '' : alias}](<[[${note}]]>)` : `[${shown}](<[[${note}]]>)`;
  });
}

const highlight =
  /^([ \t]*)(?:\{\{[<%]\s*(\/?)\s*highlight\b([^{}]*)[>%]\}\}|\{%-?\s*(end)?highlight\b([^{}]*)%\})[ \t]*\r?$/;

/** Converts code between `highlight` tags of Hugo or Jekyll to fences. The number of lines does not change. */
export function convertHighlights(text: string): string {
  if (!text.includes('highlight')) return text;
  const lines = text.split('\n');
  let open: { readonly at: number; readonly fence: string; readonly language: string } | undefined;
  /** The marks that opened the fence around a line. */
  let fence: string | undefined;
  for (const [at, line] of lines.entries()) {
    const [, marks] = (open === undefined && /^[ \t]*(`{3,}(?!.*`)|~{3,})/.exec(line)) || [];
    if (marks !== undefined && fence === undefined) fence = marks;
    else if (marks?.startsWith(fence ?? '') && line.trim() === marks) fence = undefined;
    const [found, indent = '', slash, hugo = '', end, jekyll = ''] = highlight.exec(line) ?? [];
    if (found === undefined || fence !== undefined) continue;
    const [language = ''] = /[\w+#.-]+/.exec(hugo + jekyll) ?? [];
    if (!(slash || end)) open = { at, fence: `${indent}~~~~`, language };
    else if (open !== undefined) {
      lines[open.at] = open.fence + open.language;
      lines[at] = open.fence;
      open = undefined;
    }
  }
  return lines.join('\n');
}

/**
 * Returns the tag of MDX that stands for a line with only a shortcode of Hugo, such as `{{< alert color="warning" >}}`; undefined
 * for other lines, and for shortcodes that contain code.
 */
export function shortcodeTag(line: string): string | undefined {
  const [, indent = '', slash = '', given = '', attributes = ''] = shortcode.exec(line) ?? [];
  const name = given.toLowerCase();
  if (
    name === '' ||
    attributes.trimEnd().endsWith('/') ||
    /code|diagram|highlight|katex|math|mermaid/.test(name)
  )
    return undefined;
  const tag =
    kinds.find(([, names]) => names.test(name))?.[0] ?? name.charAt(0).toUpperCase() + name.slice(1);
  if (slash !== '') return `${indent}</${tag}>`;
  const [, quoted = '', bare = ''] = /^\s*(?:"([^"]*)"|([\w-]+)(?=\s|$))/.exec(attributes) ?? [];
  const title = valueOf(attributes, 'title|header|name|summary') || quoted;
  const type = valueOf(attributes, 'type|color|level') || bare;
  return `${indent}<${tag} title="${title.replaceAll('"', "'")}" type="${type}">`;
}

function valueOf(attributes: string, names: string): string {
  const value = new RegExp(String.raw`(?<![\w-])(?:${names})=(?:"([^"]*)"|'([^']*)'|([\w./-]+))`).exec(
    attributes,
  );
  return value?.slice(1).join('') ?? '';
}
