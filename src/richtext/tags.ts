/** The attributes of a tag or an HTML element, in order. */
export type Attributes = Readonly<Record<string, string>>;

/** One `{% … %}`. */
export interface Tag {
  readonly name: string;
  readonly isClosing: boolean;
  /** The text after the name. */
  readonly argument: string;
  readonly raw: string;
}

/** The tags of blocks that contain blocks: the type of the block, and the only type of block that it may contain. */
export const containerTags: Readonly<Record<string, { readonly type: string; readonly holds?: string }>> = {
  hint: { type: 'hint' },
  tabs: { type: 'tabs', holds: 'tabs-item' },
  tab: { type: 'tabs-item' },
  stepper: { type: 'stepper', holds: 'stepper-step' },
  step: { type: 'stepper-step' },
  columns: { type: 'columns', holds: 'column' },
  column: { type: 'column' },
  updates: { type: 'updates', holds: 'update' },
  update: { type: 'update' },
  prompt: { type: 'prompt' },
};
/** Other tags that must or may have a closing tag. */
const otherTags =
  'code content-ref if embed file openapi openapi-operation openapi-schemas openapi-webhook swagger';
const closableTags = new Set([...Object.keys(containerTags), ...otherTags.split(' ')]);
const voidTags = ['include', 'page-ref'];

/** The pattern of a tag that must be escaped in text. */
export const tagStart = `%[ \\t]*(?:(?:end)?(?:${[...closableTags, ...voidTags].join('|')})|@)`;

/** Whether this is the name of an opening or closing tag of a block. */
export function isTagName(name: string): boolean {
  return isClosable(name.replace(/^end/, '')) || voidTags.includes(name) || isIntegration(name);
}

/** Whether the tag is a block of an integration, such as `@mermaid/diagram`. */
export function isIntegration(name: string): boolean {
  return /^@[\w.-]+\/[\w.-]+$/.test(name);
}

/** Whether a tag of this name may have a closing tag. */
export function isClosable(name: string): boolean {
  return closableTags.has(name);
}

/** Splits a line of tags into the tags and the texts between them. */
export function splitTagLine(line: string): (Tag | string)[] {
  const parts: (Tag | string)[] = [];
  let from = 0;
  for (let at = line.indexOf('{%'); at !== -1; at = line.indexOf('{%', from)) {
    const end = endOfTag(line, at + 2);
    if (end === -1) break;
    if (line.slice(from, at).trim() !== '') parts.push(line.slice(from, at));
    parts.push(tagOf(line.slice(at, end)));
    from = end;
  }
  if (line.slice(from).trim() !== '') parts.push(line.slice(from));
  return parts;
}

function tagOf(raw: string): Tag {
  const inner = raw.slice(2, -2).trim();
  const end = inner.search(/\s|$/);
  const word = inner.slice(0, end);
  const isClosing = word.startsWith('end') && isClosable(word.slice(3));
  return { name: isClosing ? word.slice(3) : word, isClosing, argument: inner.slice(end).trim(), raw };
}

/**
 * Returns the position after the `%}` that ends a tag: the first one outside of double quotes, else the first one; -1 if there is
 * none.
 */
function endOfTag(line: string, from: number): number {
  let isQuoted = false;
  for (let at = from; at < line.length; at++) {
    if (line[at] === '\\' && isQuoted) at++;
    else if (line[at] === '"') isQuoted = !isQuoted;
    else if (!isQuoted && line[at] === '%' && line[at + 1] === '}') return at + 2;
    else if (!isQuoted && line[at] === '{' && line[at + 1] === '%') break;
  }
  const end = line.indexOf('%}', from);
  return end === -1 ? -1 : end + 2;
}

/** Maximum length of a list of attributes, in characters. */
const maxArgument = 20_000;

/** Parses the attributes of a tag. A value without a name has the name ''. Undefined if the text is not a list of attributes. */
export function attributesOf(argument: string): Attributes | undefined {
  if (argument.length > maxArgument) return undefined;
  const attribute = /\s*(?:([\w:.@-]+)\s*=\s*)?(?:"([^"\\]*(?:\\[^][^"\\]*)*)"|([^\s"=]+))/y;
  const found = new Map<string, string>();
  for (let at = 0; at < argument.length; at = attribute.lastIndex) {
    const [whole, name = '', quoted, bare = ''] = attribute.exec(argument) ?? [];
    if (whole === undefined || found.has(name)) return undefined;
    // GitBook once wrote escapes of Markdown, such as `title="Objective\_C \(old\)"`.
    found.set(name, quoted === undefined ? bare : quoted.replace(/\\(["\\()[\]_*<>&#~])/g, '$1'));
  }
  return Object.fromEntries(found);
}

/** Writes a tag with its attributes on one line. Values other than strings, numbers and booleans are left out. */
export function writeTag(name: string, attributes: Readonly<Record<string, unknown>> = {}): string {
  const written = Object.entries(attributes).flatMap(([key, value]) => {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return [];
    const quoted = `"${String(value)
      .replace(/(?<!\s)\s*\n\s*/g, ' ')
      .replace(/\\(?=["\\()[\]_*<>&#~]|$)/g, '\\\\')
      .replaceAll('"', '\\"')}"`;
    return [key === '' ? quoted : `${key}=${quoted}`];
  });
  return ['{%', name, ...written, '%}'].join(' ');
}
