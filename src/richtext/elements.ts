import { writeTag } from './tags.ts';
import { shortcodeTag } from './templates.ts';

/** Limits of the search for the end of a tag, and of open elements. */
const [maxTagLines, maxLine, maxOpen] = [30, 2000, 100];
/** The names of the elements that become blocks, beside those of hints. */
export const blockElement =
  /^(?:Tabs?|TabItem|Accordion|Expandable|Details|Aside|Callout|Admonition|Steps?|\w+(?:Field|Group))$/;
const fenceStart = /^[ \t]*(?:(?:[-*+]|\d+[.)])[ \t]+)*(`{3,}|~{3,})/;
const rawStart = /^[ \t]*<(pre|script|style)\b/i;
const tagStart = /^([ \t]*)<(\/?)([A-Z][\w.]*)(?=[\s>]|$)/;
/** An element whose content is on the line of its tags. */
const oneLine = /^([ \t]*<([A-Z][\w.]*)(?:\s[^<>]*)?>)((?:(?!<\/\2>).)+)<\/\2>[ \t]*$/;

interface Element {
  readonly name: string;
  /** The index of its opening tag in the output. */
  readonly place: number;
  readonly attributes: string;
  readonly column: number;
  /** By how many columns its content is indented; undefined before the first line of its content. */
  shift: number | undefined;
  /** The indexes of the tags of the steps inside. */
  readonly steps: (readonly [place: number, last: number])[];
  /** Whether it has other content than steps. */
  isMixed: boolean;
}

/**
 * Converts elements of MDX that begin a line to blocks between slashes: `<Note>`, `<Tab title="A">` and `<Accordion title="A">`.
 * `<Steps>` becomes a stepper if it contains only steps. Of other elements, only the title and the content remain. The content
 * loses its indentation, which has no meaning in MDX. Shortcodes of Hugo are converted like elements. Elements that are not closed
 * do not change. `kindOf` returns the kind of hint for a name in lower case.
 */
export function convertElements(text: string, kindOf: (name: string) => string | undefined): string {
  // Most texts have neither mark, and searching for a mark is much faster than for an expression.
  if (!(text.includes('</') || text.includes('{{'))) return text;
  if (!/^[ \t]*(?:<(?:\/(?:[A-Z]|aside>)|[A-Z].*<\/)|\{\{[<%]\s*\/)/m.test(text)) return text;
  const given = text.split(/\r?\n/);
  const lines = given.map((line) =>
    line.includes('{{')
      ? (shortcodeTag(line) ?? line)
      : // Notion exports callouts with this tag.
        line.replace(/^([ \t]*<\/?)aside(?=>[ \t]*$)/, '$1Aside'),
  );
  const out: string[] = [];
  const open: Element[] = [];
  const lastEnds = new Map(lines.map((line, at) => [/^[ \t]*<\/([A-Z][\w.]*)>/.exec(line)?.[1], at]));
  let shifted = 0;
  /** What ends a fence or raw HTML. */
  let end: RegExp | undefined;
  for (let at = 0; at < lines.length; at++) {
    let line = (end === undefined ? lines : given)[at] ?? '';
    const column = line.search(/\S/);
    const inner = open.at(-1);
    const [, , slash, name = ''] = (end === undefined && tagStart.exec(line)) || [];
    if (inner?.shift === undefined && inner !== undefined && column !== -1 && slash !== '/') {
      inner.shift = Math.max(column - inner.column, 0);
      shifted += inner.shift;
    }
    const strip = (full: string) => full.slice(Math.min(shifted, Math.max(full.search(/\S|$/), 0)));
    if (end !== undefined) {
      if (end.test(line)) end = undefined;
      out.push(strip(line));
      continue;
    }
    const single = slash === '' && (open.length > 0 || column <= 3) ? linesOf(line, kindOf) : undefined;
    if (single !== undefined) {
      if (inner !== undefined) inner.isMixed = true;
      const indent = ' '.repeat(Math.max(strip(line).search(/\S/), 0));
      out.push(...single.map((each) => `\n${indent}${each}\n`));
      continue;
    }
    const isClosed = open.length < maxOpen && (lastEnds.get(name) ?? -1) > at;
    const tagEnd = slash === '/' || (slash === '' && isClosed) ? endOfTag(lines, at) : -1;
    if (inner !== undefined && (tagEnd === -1 ? column !== -1 : slash === '' && name !== 'Step'))
      inner.isMixed = true;
    if (tagEnd === -1 || (open.length === 0 && column > 3)) {
      line = given[at] ?? '';
      const [, fence] = fenceStart.exec(line) ?? [];
      const [, raw] = rawStart.exec(line) ?? [];
      if (fence !== undefined)
        end = new RegExp(`^[ \\t]{0,${line.indexOf(fence) + 3}}${fence}${fence.charAt(0)}*[ \\t]*$`);
      else if (raw !== undefined && !line.includes(`</${raw}`)) end = new RegExp(`</${raw}`, 'i');
      out.push(strip(line));
      continue;
    }
    line = lines.slice(at, tagEnd + 1).join(' ');
    const written = given.slice(at, tagEnd + 1).join(' ');
    at = tagEnd;
    if (slash === '') {
      open.push({
        name,
        place: out.length,
        attributes: line,
        column,
        shift: undefined,
        steps: [],
        isMixed: false,
      });
      out.push(strip(written));
      continue;
    }
    const index = open.findLastIndex((element) => element.name === name);
    const element = open[index];
    for (const { shift = 0 } of open.splice(index === -1 ? open.length : index)) shifted -= shift;
    const indent = ' '.repeat(Math.max(strip(line).search(/\S/), 0));
    if (element === undefined) out.push(strip(written));
    else {
      const [opening, closing] = blockOf(element, kindOf);
      out[element.place] = `\n${indent}${opening}\n`;
      out.push(`\n${indent}${closing}\n`);
      if (name === 'Step') open.at(-1)?.steps.push([element.place, out.length - 1]);
      if (name !== 'Steps' || element.isMixed) continue;
      for (const [place, last] of element.steps) {
        out[place] = `\n${indent}${writeTag('step')}\n${out[place]}`;
        out[last] += `\n${indent}${writeTag('endstep')}\n`;
      }
      if (element.steps.length === 0) continue;
      out[element.place] = `\n${indent}${writeTag('stepper')}\n`;
      out.push(`\n${indent}${writeTag('endstepper')}\n`);
    }
  }
  return out.join('\n');
}

/** Returns the lines of an element whose content is on the line of its tags; undefined for others, and if it has no title. */
function linesOf(line: string, kindOf: (name: string) => string | undefined): readonly string[] | undefined {
  const [, attributes, name = '', content = ''] = (line.length <= maxLine && oneLine.exec(line)) || [];
  const [opening, closing] = attributes === undefined ? ['', ''] : blockOf({ name, attributes }, kindOf);
  return opening === '' ? undefined : [opening, content.trim(), closing];
}

/** Returns the line on which a tag ends; -1 if more follows it, or if it is closed at once. */
function endOfTag(lines: readonly string[], start: number): number {
  for (let at = start; at < lines.length && at - start < maxTagLines; at++) {
    const line = (lines[at] ?? '').trimEnd();
    if (line === '' || line.length > maxLine || /\/>$|<.*>.*</.test(line)) return -1;
    if (/(?<!=)>$/.test(line)) return at;
  }
  return -1;
}

function blockOf(
  { name, attributes }: Pick<Element, 'name' | 'attributes'>,
  kindOf: (name: string) => string | undefined,
): readonly [opening: string, closing: string] {
  const value = (names: string) =>
    new RegExp(String.raw`\s(?:${names})=\{?(?:"([^"]*)"|'([^']*)')`).exec(attributes)?.slice(1).join('');
  const title = value('title|label|caption') ?? '';
  const field = name.endsWith('Field') ? value('name|path|query|body|header') : undefined;
  if (field !== undefined) {
    const type = value('type');
    return [`**\`${field}\`**${type === undefined ? '' : ` \`${type}\``}`, ''];
  }
  if (name === 'CodeGroup') return ['::: code-group', ':::'];
  // Without this line, the tabs would continue the tabs of the element before.
  if (name === 'Tabs') return ['<!-- -->', '<!-- -->'];
  const kind = /^Tab(?:Item)?$/.test(name)
    ? 'tab'
    : /^(?:Accordion|Expandable|Details)$/.test(name)
      ? 'details'
      : kindOf(/^(?:Aside|Callout|Admonition)$/.test(name) ? (value('type') ?? 'note') : name.toLowerCase());
  if (kind !== undefined) return [`/// ${kind} | ${title || (kind === 'tab' ? value('value') : '')}`, '///'];
  const href = value('href');
  return [title === '' ? '' : href === undefined ? `**${title}**` : `[**${title}**](${href})`, ''];
}
