import { attention } from 'micromark-core-commonmark';
import type { Construct, Resolver, Token } from 'micromark-util-types';

/** Whether a text may have bold text that ends with a space. */
export const hasSpacedBold = (text: string): boolean => text.includes(' **');

/** Text in front of a second `**word`, such as `**kwargs and **options`, that is more likely a list of arguments than bold. */
const argument = /^[a-z_]\w*(?:,|\s+\S)[^]*(?<=[\w,])\s+$/;

/**
 * Lets bold text end with a space: `**Note: **text`. The editor of GitBook writes it if the space is bold, and shows it as bold,
 * but standard Markdown shows the asterisks. Asterisks that standard Markdown reads as marks do not change.
 */
const resolveSpacedBold: Resolver = (events, context) => {
  const open: number[] = [];
  const marks: {
    readonly token: Token;
    readonly isSpaced: boolean;
    readonly after: string;
    isUsed: boolean;
  }[] = [];
  for (const [index, [kind, token]] of events.entries()) {
    if (kind !== 'enter' || token.type !== 'attentionSequence') continue;
    if (context.sliceSerialize(token) !== '**') continue;
    const [, before] = events[index - 1] ?? [];
    const isSpaced = before?.type === 'data' && context.sliceSerialize(before).endsWith(' ');
    const [, next] = events[index + 2] ?? [];
    const after = next?.type === 'data' ? context.sliceSerialize(next).slice(0, 1) : '';
    const opener = token._close === true ? marks[open.pop() ?? -1] : undefined;
    if (opener !== undefined) opener.isUsed = true;
    else if (token._open === true) open.push(marks.length);
    marks.push({ token, isSpaced, after, isUsed: opener !== undefined });
  }
  for (const [index, mark] of marks.entries()) {
    const opener = marks[index - 1];
    if (opener?.token._open !== true || opener.isUsed || mark.isUsed || !mark.isSpaced) continue;
    // It is unclear which of two open marks belongs to a third one.
    if (marks[index - 2]?.isUsed === false) continue;
    const inside = { start: opener.token.end, end: mark.token.start };
    if (/[a-z_]/.test(mark.after) && argument.test(context.sliceSerialize(inside))) continue;
    Object.assign(mark.token, { _open: false, _close: true });
    opener.isUsed = mark.isUsed = true;
  }
  return events;
};

/** Changes a construct of bold and italic text so that bold text may end with a space. */
export const withSpacedBold = (given: Construct): Construct => ({ ...given, resolveAll });

/** The resolver for text in links, whose marks are resolved before those around the link. */
export const spacedBoldInside = { resolveAll: resolveSpacedBold };

function resolveAll(...[events, context]: Parameters<Resolver>): ReturnType<Resolver> {
  const marked = resolveSpacedBold(events, context);
  return attention.resolveAll?.(marked, context) ?? marked;
}
