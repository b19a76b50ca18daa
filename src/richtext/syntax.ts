import type { CompileContext, Extension as FromMarkdown, Token } from 'mdast-util-from-markdown';
import { attention } from 'micromark-core-commonmark';
import { gfm } from 'micromark-extension-gfm';
import { factorySpace } from 'micromark-factory-space';
import { markdownLineEnding, markdownSpace } from 'micromark-util-character';
import type { Construct, ConstructRecord, Extension, State, TokenizeContext } from 'micromark-util-types';
import { defined } from '../contract/values.ts';
import { bareUrl, hasShorterUrls } from './bare-urls.ts';
import { eastAsianAttention, isEastAsian } from './east-asian-attention.ts';
import { hasSpacedBold, spacedBoldInside, withSpacedBold } from './spaced-bold.ts';
import { isTagName } from './tags.ts';
import type { MathBlock, MathText } from './tree.ts';

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    tagLine: 'tagLine';
    mathBlock: 'mathBlock';
    mathBlockFence: 'mathBlockFence';
    mathBlockLine: 'mathBlockLine';
    mathText: 'mathText';
    expressionText: 'expressionText';
    spanLine: 'spanLine';
  }
}

const [braceCode, dollarCode, lessCode, starCode, underscoreCode] = [123, 36, 60, 42, 95] as const;

/**
 * Returns GitHub's extensions of Markdown. Constructs that check every word or line are left out if they cannot occur in the
 * text.
 */
export function gfmSyntax(text: string): Extension {
  const idle = new Set<string | undefined>();
  if (!text.includes('@')) idle.add('emailAutolink');
  if (!/www\./i.test(text)) idle.add('wwwAutolink');
  if (!/https?:\/\//i.test(text)) idle.add('protocolAutolink');
  // A piece of HTML that is parsed separately ends at the next tag.
  if (!text.split(/[\r\n<]/).some(isDelimiterRow)) idle.add('table');
  const { text: inText = {}, flow = {}, ...more } = gfm();
  const change = hasShorterUrls(text) ? shortenUrl : undefined;
  const inlines = select(inText, idle, change);
  const stars = isEastAsian(text) ? eastAsianAttention : undefined;
  // One resolver must handle both signs, because the first resolver leaves no marks for a second.
  const emphasis = hasSpacedBold(text)
    ? { [starCode]: withSpacedBold(stars ?? attention), [underscoreCode]: withSpacedBold(attention) }
    : defined({ [starCode]: stars });
  const spans = hasSpacedBold(text) ? [spacedBoldInside] : [];
  const insideSpan = { null: [spans, more.insideSpan?.null ?? []].flat() };
  return { ...more, text: { ...inlines, ...emphasis }, flow: select(flow, idle), insideSpan };
}

const shortenUrl = (given: Construct) =>
  /^(?:www|protocol)Autolink$/.test(given.name ?? '') ? bareUrl(given) : given;

function select(
  constructs: ConstructRecord,
  idle: ReadonlySet<string | undefined>,
  change = (given: Construct) => given,
): ConstructRecord {
  const used = Object.entries(constructs).map(([code, given]): [string, Construct[]] => [
    code,
    [given ?? []]
      .flat()
      .filter(({ name }) => !idle.has(name))
      .map(change),
  ]);
  return Object.fromEntries(used.filter(([, list]) => list.length > 0));
}

/** Whether a line can be the delimiter row of a table. Anything may precede it, such as a quote mark. */
export function isDelimiterRow(line: string): boolean {
  let dashes = false;
  let dividers = false;
  for (let at = line.length - 1; at >= 0; at--) {
    const character = line[at];
    if (character === '-') dashes = true;
    else if (character === '|' || character === ':') dividers = true;
    else if (character !== ' ' && character !== '\t') break;
  }
  return dashes && dividers;
}

/** Returns GitBook's extensions of Markdown: lines of `{% … %}`, formulas between `$$`, and expressions. */
export function gitbookSyntax({ tags }: { tags: boolean }): Extension {
  return {
    flow: { ...(tags ? { [braceCode]: tagLine } : {}), [dollarCode]: mathBlock },
    text: { [dollarCode]: mathText, [lessCode]: expressionText },
  };
}

/** Converts the tokens of `gitbookSyntax` to nodes. */
export function gitbookFromMarkdown(): FromMarkdown {
  return {
    enter: {
      tagLine: enter('tagLine'),
      mathText: enter('mathText'),
      expressionText: enter('expressionText'),
      mathBlock(token) {
        this.enter({ type: 'mathBlock', value: '' }, token);
        this.buffer();
      },
    },
    exit: {
      tagLine: exit((text) => text.trim()),
      mathText: exit((text) => text.slice(2, -2).replace(/\s+/g, ' ').trim()),
      expressionText: exit((text) => text.slice(expressionStart.length, -expressionEnd.length)),
      mathBlockLine(token) {
        this.config.enter['data']?.call(this, token);
        this.config.exit['data']?.call(this, token);
      },
      mathBlock(token) {
        const value = this.resume();
        (this.stack.at(-1) as MathBlock).value = value.replace(/^(?:\r?\n|\r)|(?:\r?\n|\r)$/g, '');
        this.exit(token);
      },
    },
  };
}

function enter(type: 'tagLine' | 'mathText' | 'expressionText') {
  return function (this: CompileContext, token: Token) {
    this.enter({ type, value: '' }, token);
  };
}

function exit(read: (text: string) => string) {
  return function (this: CompileContext, token: Token) {
    const text = this.sliceSerialize(token);
    const isPipeEscaped = token.type !== 'tagLine' && this.data.inTable === true;
    (this.stack.at(-1) as MathText).value = read(isPipeEscaped ? text.replaceAll('\\|', '|') : text);
    this.exit(token);
  };
}

const tagPattern = /^\{%[ \t]*([\w@/.-]{0,65})[^]*%[ \t]*\}[ \t]*$/;

/** A line that starts with a known tag and ends with `%}`. */
const tagLine: Construct = {
  name: 'tagLine',
  tokenize(this: TokenizeContext, effects, ok, nok) {
    const start = this.now();
    const line: State = (code) => {
      if (code !== null && !markdownLineEnding(code)) {
        effects.consume(code);
        return line;
      }
      const [, name = ''] = tagPattern.exec(this.sliceSerialize({ start, end: this.now() })) ?? [];
      if (!isTagName(name)) return nok(code);
      effects.exit('tagLine');
      return ok(code);
    };
    return (code) => {
      effects.enter('tagLine');
      return line(code);
    };
  },
};

/** An inline formula. A single `$` in it is a normal character. */
const mathText = span('mathText', '$$', '$$');

const expressionStart = '<code class="expression">';
const expressionEnd = '</code>';
/** An expression ends at the next `<`, so that the search for its end is cheap. */
const expressionText = span('expressionText', expressionStart, expressionEnd);

/** Returns a construct for inline content between two marks. It may span several lines. */
function span(name: 'mathText' | 'expressionText', opening: string, closing: string): Construct {
  const isMath = name === 'mathText';
  const tokenize: Construct['tokenize'] = (effects, ok, nok) => {
    let isBlank = true;
    const literal = (text: string, next: State, mismatch: State) => {
      let at = 0;
      const step: State = (code) => {
        if (at === text.length) return next(code);
        if (code !== text.charCodeAt(at)) return mismatch(code);
        at++;
        effects.consume(code);
        return step;
      };
      return step;
    };
    const inside: State = (code) => {
      if (code === null) return nok(code);
      if (markdownLineEnding(code)) {
        effects.exit('spanLine');
        effects.enter('lineEnding');
        effects.consume(code);
        effects.exit('lineEnding');
        return nextLine;
      }
      if (code === closing.charCodeAt(0))
        return isMath && isBlank ? nok(code) : literal(closing, done, isMath ? inside : nok)(code);
      isBlank &&= markdownSpace(code);
      effects.consume(code);
      return inside;
    };
    // micromark cannot end on a line without a token.
    const nextLine: State = (code) => {
      effects.enter('spanLine');
      return inside(code);
    };
    const done: State = (code) => {
      effects.exit('spanLine');
      effects.exit(name);
      return ok(code);
    };
    return (code) => {
      effects.enter(name);
      effects.enter('spanLine');
      return literal(opening, inside, nok)(code);
    };
  };
  return { name, tokenize };
}

/** A block formula: lines between two lines with `$$`. Like fenced code, it ends at the latest with its container. */
const mathBlock: Construct = {
  name: 'mathBlock',
  concrete: true,
  tokenize(this: TokenizeContext, effects, ok, nok) {
    const after: State = (code) => {
      effects.exit('mathBlock');
      return ok(code);
    };
    const atLineEnd: State = (code) =>
      code === null ? after(code) : effects.attempt(lineEnd, beforeLine, after)(code);
    const beforeLine: State = (code) => effects.attempt(mathFence, after, line)(code);
    const line: State = (code) => {
      if (code === null || markdownLineEnding(code)) return atLineEnd(code);
      effects.enter('mathBlockLine');
      return inLine(code);
    };
    const inLine: State = (code) => {
      if (code === null || markdownLineEnding(code)) {
        effects.exit('mathBlockLine');
        return atLineEnd(code);
      }
      effects.consume(code);
      return inLine;
    };
    const opened: State = (code) => (this.interrupt === true ? ok(code) : atLineEnd(code));
    const open = effects.attempt(mathFence, opened, nok);
    return (code) => {
      if (code !== dollarCode) return nok(code);
      effects.enter('mathBlock');
      return open(code);
    };
  },
};

/** A line with only `$$`. */
const mathFence: Construct = {
  partial: true,
  tokenize(effects, ok, nok) {
    let count = 0;
    const dollar: State = (code) => {
      if (code !== dollarCode) return nok(code);
      effects.consume(code);
      return ++count === 2 ? factorySpace(effects, end, 'whitespace') : dollar;
    };
    const end: State = (code) => {
      if (code !== null && !markdownLineEnding(code)) return nok(code);
      effects.exit('mathBlockFence');
      return ok(code);
    };
    const start: State = (code) => {
      effects.enter('mathBlockFence');
      return dollar(code);
    };
    return factorySpace(effects, start, 'linePrefix');
  },
};

/** The end of a line, if the next line is in the same container. */
const lineEnd: Construct = {
  partial: true,
  tokenize(this: TokenizeContext, effects, ok, nok) {
    const next: State = (code) => (this.parser.lazy[this.now().line] === true ? nok(code) : ok(code));
    return (code) => {
      if (code === null) return nok(code);
      effects.enter('lineEnding');
      effects.consume(code);
      effects.exit('lineEnding');
      return next;
    };
  },
};
