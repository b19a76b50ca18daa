import { joinOr } from '../contract/values.ts';
import { hintStyles } from '../richtext/dialects.ts';
import { LineScanner } from '../richtext/line-scanner.ts';
import { attributesOf, isClosable, splitTagLine } from '../richtext/tags.ts';

/** A tag that is shown as text or has another effect than intended, with the reason. */
interface StrayTag {
  readonly line: number;
  readonly message: string;
}

/** A tag whose end was not found yet, with the number of lines directly inside it. */
interface OpenTag {
  readonly name: string;
  readonly line: number;
  readonly isIndented: boolean;
  fences: number;
  indented: number;
  others: number;
}

/** Tags that may contain only one other tag. */
const parts: Readonly<Record<string, string>> = {
  tabs: 'tab',
  stepper: 'step',
  columns: 'column',
  updates: 'update',
};
const maxMessages = 20;

/**
 * Finds tags without an end, ends without a start, tags with unsupported content or attributes, and hints with an unknown style.
 * It reads each line once and skips code and comments.
 */
export function findStrayTags(text: string): StrayTag[] {
  if (!text.includes('{%')) return [];
  const found: StrayTag[] = [];
  const open: OpenTag[] = [];
  /** The number of open tags by name, to avoid a quadratic search. */
  const counts = new Map<string, number>();
  const count = (name: string, change: number) => counts.set(name, (counts.get(name) ?? 0) + change);
  const report = (line: number, problem: string) =>
    found.push({ line, message: `has ${problem}, which is kept as text` });
  const checkHint = (argument: string, line: number): void => {
    const [, style = 'info'] = /\bstyle="([^"]*)"/.exec(argument) ?? [];
    if (hintStyles.includes(style)) return;
    const message = `has a hint with the unknown style ${JSON.stringify(style.slice(0, 80))}, which is shown as info`;
    found.push({ line, message: `${message}; use ${joinOr(hintStyles)}` });
  };
  const reportUnclosed = ({ name, line, isIndented }: OpenTag) => {
    if (!isIndented && !needsNoEnd(name)) report(line, `{% ${name} %} without {% end${name} %}`);
  };
  const close = (name: string, line: number, isIndented: boolean) => {
    if ((counts.get(name) ?? 0) === 0) {
      if (!isIndented) report(line, `{% end${name} %} without {% ${name} %}`);
      return;
    }
    for (let last = open.pop(); last !== undefined; last = open.pop()) {
      count(last.name, -1);
      if (last.name === name) {
        const wrong = contentProblem(last);
        if (wrong !== undefined) report(last.line, `{% ${name} %} ${wrong}`);
        return;
      }
      reportUnclosed(last);
    }
  };
  for (const lines = new LineScanner(text); lines.next();) {
    const { kind, number: line } = lines;
    const inner = open.at(-1);
    if (kind === 'fence' && inner !== undefined) inner.fences++;
    if (lines.isFenced || kind === 'comment') continue;
    const content = text.slice(lines.content, lines.end).trimEnd();
    const isIndented = lines.indent > 3;
    if (content.startsWith('{%') && content.endsWith('%}')) {
      for (const part of splitTagLine(content)) {
        const around = open.at(-1);
        const name = typeof part === 'string' || !isClosable(part.name) ? '' : part.name;
        if (typeof part !== 'string' && part.isClosing) close(name, line, isIndented);
        else if (around !== undefined && parts[around.name] !== name) around.others++;
        if (name === '' || typeof part === 'string' || part.isClosing) continue;
        if (name !== 'if' && Object.hasOwn(attributesOf(part.argument) ?? { '': '' }, ''))
          report(line, `{% ${name} %} with attributes that docsctl cannot read`);
        else if (name === 'hint') checkHint(part.argument, line);
        open.push({ name, line, isIndented, fences: 0, indented: 0, others: 0 });
        count(name, 1);
      }
    } else if (content !== '' && inner !== undefined) inner[isIndented ? 'indented' : 'others']++;
  }
  for (const each of open) reportUnclosed(each);
  return found.sort((one, other) => one.line - other.line).slice(0, maxMessages);
}

/** Returns why a tag cannot contain its content. Indented lines are ignored: they can be code or part of a list. */
function contentProblem({ name, fences, indented, others }: OpenTag): string | undefined {
  if (name === 'code')
    return (fences === 1 && others === 0) || (fences === 0 && others === 0 && indented > 0)
      ? undefined
      : 'that contains more than one block of code';
  const part = parts[name];
  return part !== undefined && (fences > 0 || others > 0)
    ? `that contains something outside {% ${part} %}`
    : undefined;
}

function needsNoEnd(name: string): boolean {
  return /^(?:embed|file|swagger|openapi)/.test(name);
}
