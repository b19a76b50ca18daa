import { commonPhrases } from './common-phrases.ts';
import { beforeCutClause, isComplaint, type PhraseKind } from './english-phrases.ts';
import { createGeneralizer, type Generalized } from './generalize.ts';
import { rephrase } from './rephrase.ts';
import { isRequestStem, stemsOf } from './words.ts';

export interface LabelCandidate {
  readonly text: string;
  /** `common` is a sequence of words that several texts share. */
  readonly kind: PhraseKind | 'common';
  readonly isEnglish: boolean;
  /** `specific` if there is a candidate without its rare words; `general` if no text has these words. */
  readonly detail?: 'specific' | 'general';
}

const nothing: Generalized = { general: [], withVerb: [] };
const maxCommon = 8;
/** Maximum number of details that are removed from a phrase, one after the other. */
const maxCuts = 2;
/** Maximum number of words of a detail that is removed from a question. */
const maxQuestionCut = 3;

const explanation =
  /\s(?:because|since|so that|so i|and (?:i|what|how|why|now)|when i|when|while|as i|then)\s/i;
const prepositions =
  'about|after|at|before|between|by|called|during|for|from|in|into|named|near|on|over|that|through|to|towards?|under|until|using|via|which|with|within|without';
const lastDetail = new RegExp(String.raw`\s(?:${prepositions})\s(?!.*\s(?:${prepositions})\s)`, 'i');
const clauseStart =
  /(?<=[?!;])\s+|[,;:]\s+|\s[-–—]+\s|(?<=[a-z])\.\s+|[，；]|\s(?:but|and|so|or)\s(?=(?:my|the|it|i|he|she|they|we|there|how|what|why|when|is|are|am|do|does|did|can)\s)/iu;
const courtesyEnd =
  /[\s,.;:!…-]*(?:\b(?:please|pls|plz|thanks|thank you|asap|right now|right away|now|today|immediately|as well|too|for me|anymore|yet|already|at all|or not|do you know|can you help|help)\b[\s,.;:!?…-]*)+$/iu;
const numberEnd = /(?:\s(?:at|of|for|is|no|number|on|to|#))?\s#?[\d.,]+$/u;

/** Returns each text as a phrase, complete and in parts, and then the phrases that several texts share. */
export function labelCandidates(
  texts: readonly string[],
  rarity: (stem: string) => number,
): LabelCandidate[] {
  const generalize = createGeneralizer(texts);
  const rephrased = texts.flatMap(clausesOf).flatMap((clause) => {
    const phrase = rephrase(clause);
    const text = tidy(phrase.text);
    return [text, ...withoutDetails(text)].flatMap((each) => {
      const isLost = phrase.kind === 'problem' && phrase.isEnglish && !isComplaint(each);
      const kind = isLost ? ('topic' as const) : phrase.kind;
      const { general, withVerb } = phrase.isEnglish ? generalize(each) : nothing;
      return [
        { ...phrase, text: each, kind, ...(general.length > 0 && { detail: 'specific' as const }) },
        ...[...general, ...withVerb].map((other) => ({
          ...phrase,
          text: other,
          kind,
          detail: 'general' as const,
        })),
      ];
    });
  });
  const common = commonPhrases(texts, rarity).slice(0, maxCommon);
  return [
    ...rephrased.filter(({ text }) => text !== ''),
    ...common.map(({ words }) => ({ text: words, kind: 'common' as const, isEnglish: false })),
  ];
}

/** Returns the text and its clauses that are meaningful by themselves. */
function clausesOf(text: string): string[] {
  const clauses = text.split(clauseStart).map((clause) => clause.trim());
  return [...new Set([text, ...clauses])].filter((clause) => stemsOf(clause).length > 0);
}

/**
 * Returns the text without an explanation, and without the last details of place or purpose, if at least two meaningful words
 * remain.
 */
function withoutDetails(text: string): string[] {
  const shorter: string[] = [];
  const explained = text.search(explanation);
  let head = explained > 0 ? text.slice(0, explained) : text;
  if (head !== text) shorter.push(head);
  for (let cuts = 0; cuts < maxCuts; cuts++) {
    const at = head.search(lastDetail);
    // A question without a long ending would not be a sentence.
    if (at <= 0 || (text.endsWith('?') && head.slice(at).trim().split(' ').length > maxQuestionCut)) break;
    head = head.slice(0, at);
    // "But I live in Norway" has no meaning without its end.
    head = beforeCutClause(head) ?? head;
    shorter.push(head);
  }
  const end = text.endsWith('?') ? '?' : '';
  return shorter
    .map((each) => tidy(`${each}${end}`))
    .filter((each) => stemsOf(each).filter((stem) => !isRequestStem(stem)).length >= 2);
}

/** Removes courtesies and numbers at the end, punctuation, and quotes at the start. A question mark is kept. */
function tidy(text: string): string {
  const bare = text
    .replace(/\s*[?？]$/u, '')
    .replace(courtesyEnd, '')
    .replace(numberEnd, '')
    .replace(/[\s,.;:!…#-]+$/u, '')
    .replace(/^["'“‘(¿¡]+(?=\S)/u, '')
    .trim();
  return bare !== '' && /[?？]$/u.test(text) ? `${bare}${text.at(-1)}` : bare;
}
