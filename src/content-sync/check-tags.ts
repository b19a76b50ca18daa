import { canHold, splitTagLine } from '../richtext/tags.ts';

/** A tag that stays text, and why. */
interface Stray {
  readonly line: number;
  readonly message: string;
}

/** A tag that waits for its end, and what was seen directly inside of it. */
interface Open {
  readonly name: string;
  readonly line: number;
  readonly isIndented: boolean;
  fences: number;
  indented: number;
  others: number;
}

/** Tags that hold nothing but these. */
const parts: Readonly<Record<string, string>> = {
  tabs: 'tab',
  stepper: 'step',
  columns: 'column',
  updates: 'update',
};
/** What may stand in front of a tag on its line: quotes, lists, blanks. */
const prefix = /^(?:[ \t]{0,200}(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]))*[ \t]*/;
/** The most that is said of one file. */
const most = 20;

/** Finds tags without an end, ends without a beginning, and tags that hold what they cannot. Looks at each line once; leaves code and comments out. */
export function strayTags(text: string): Stray[] {
  if (!text.includes('{%')) return [];
  const found: Stray[] = [];
  const open: Open[] = [];
  /** How many of each name wait; looking through all that wait would cost a quadratic search. */
  const waiting = new Map<string, number>();
  let fence = '';
  let isComment = false;
  const unclosed = ({ name, line, isIndented }: Open) => {
    if (!isIndented && !mayStandAlone(name))
      found.push({ line, message: `has {% ${name} %} without {% end${name} %}, which stays text` });
  };
  const close = (name: string, line: number, isIndented: boolean) => {
    if ((waiting.get(name) ?? 0) === 0) {
      if (!isIndented)
        found.push({ line, message: `has {% end${name} %} without {% ${name} %}, which stays text` });
      return;
    }
    for (let last = open.pop()!; ; last = open.pop()!) {
      waiting.set(last.name, waiting.get(last.name)! - 1);
      if (last.name === name) {
        const wrong = wrongInside(last);
        if (wrong !== undefined)
          found.push({ line: last.line, message: `has {% ${name} %} ${wrong}, which stays text` });
        return;
      }
      unclosed(last);
    }
  };
  for (const [index, raw] of text.split('\n').entries()) {
    const before = prefix.exec(raw)![0];
    const content = raw.slice(before.length).trimEnd();
    const isIndented = /^(?: {4}|\t)/.test(raw);
    const inner = open.at(-1);
    if (fence !== '') {
      if (content.startsWith(fence) && /^(`+|~+)$/.test(content)) fence = '';
    } else if (isComment) isComment = !content.includes('-->');
    else if (/^(?:`{3,}[^`]*|~{3,}.*)$/.test(content)) {
      fence = /^(`+|~+)/.exec(content)![0];
      if (inner !== undefined) inner.fences++;
    } else if (content.startsWith('<!--')) isComment = !content.includes('-->');
    else if (content.startsWith('{%') && content.endsWith('%}')) {
      for (const part of splitTagLine(content)) {
        const around = open.at(-1);
        const name = typeof part === 'string' || !canHold(part.name) ? '' : part.name;
        if (typeof part !== 'string' && part.isClosing) close(name, index + 1, isIndented);
        else if (around !== undefined && parts[around.name] !== name) around.others++;
        if (name === '' || typeof part === 'string' || part.isClosing) continue;
        open.push({ name, line: index + 1, isIndented, fences: 0, indented: 0, others: 0 });
        waiting.set(name, (waiting.get(name) ?? 0) + 1);
      }
    } else if (content !== '' && inner !== undefined) inner[isIndented ? 'indented' : 'others']++;
  }
  for (const each of open) unclosed(each);
  return found.sort((one, other) => one.line - other.line).slice(0, most);
}

/** Why a tag that was closed cannot hold what it holds; lines of code and of lists look alike, so those that are indented count for nothing. */
function wrongInside({ name, fences, indented, others }: Open): string | undefined {
  if (name === 'code')
    return (fences === 1 && others === 0) || (fences === 0 && others === 0 && indented > 0)
      ? undefined
      : 'that holds something else than one block of code';
  const part = parts[name];
  return part !== undefined && (fences > 0 || others > 0)
    ? `that holds something beside {% ${part} %}`
    : undefined;
}

/** Whether the tag needs no end. */
function mayStandAlone(name: string): boolean {
  return /^(?:embed|file|swagger|openapi)/.test(name);
}
