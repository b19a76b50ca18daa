import { factorySpace } from 'micromark-factory-space';
import { markdownLineEnding } from 'micromark-util-character';
import type { Construct, Effects, State, TokenizeContext } from 'micromark-util-types';

const dollarCode = '$'.charCodeAt(0);

/** A formula: lines between two lines of `$$`; like a code fence, it ends with what it stands in at the latest. */
export const mathBlock: Construct = {
  name: 'mathBlock',
  concrete: true,
  tokenize(this: TokenizeContext, effects, ok, nok) {
    const closing: Construct = { partial: true, tokenize: tokenizeFence };
    const after: State = (code) => {
      effects.exit('mathBlock');
      return ok(code);
    };
    const atLineEnd: State = (code) => {
      if (code === null) return after(code);
      return effects.attempt(nextLine, beforeLine, after)(code);
    };
    const beforeLine: State = (code) => effects.attempt(closing, after, line)(code);
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
    const open = effects.attempt({ partial: true, tokenize: tokenizeFence }, opened, nok);
    return (code) => {
      if (code !== dollarCode) return nok(code);
      effects.enter('mathBlock');
      return open(code);
    };
  },
};

/** A line of `$$` and nothing else. */
function tokenizeFence(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
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
  return factorySpace(
    effects,
    (code) => {
      effects.enter('mathBlockFence');
      return dollar(code);
    },
    'linePrefix',
  );
}

/** The end of a line, when the next one is still in the same container. */
const nextLine: Construct = {
  partial: true,
  tokenize(this: TokenizeContext, effects, ok, nok) {
    const start: State = (code) => {
      if (code === null) return nok(code);
      effects.enter('lineEnding');
      effects.consume(code);
      effects.exit('lineEnding');
      return next;
    };
    const next: State = (code) => (this.parser.lazy[this.now().line] === true ? nok(code) : ok(code));
    return start;
  },
};
