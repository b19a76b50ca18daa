import { isContentWord } from './common-phrases.ts';
import { beforeCutClause, isComplaint, isEnglish } from './english-phrases.ts';
import type { LabelCandidate } from './label-candidates.ts';
import { stemsOf } from './words.ts';

/** Number of words above which a label loses weight. */
const freeWords = { question: 9, phrase: 6 };

const vagueVerb = /^(?:do|did|make|made|have|had|didn't (?:do|make)|took|went)\b(?!.*(?:n't|\bnot\b|\?$))/i;
const openVerb = /^(?:get|use|receive|have|need|see|send|find)\b/i;
const looseStart =
  /^(?:about|although|and|as|at|because|by|even|for|from|in|me|not only|of|on|only|or|over|than|to|while|with)\b/i;
const looseEnd =
  /(?:…|\b(?:a|able|about|an|and|are|at|because|been|by|can|did|do|does|for|from|get|got|had|goes|has|have|how|keeps|makes|i|if|in|into|is|it|like|my|need|needs|not|of|on|or|our|still|take|that|the|then|there|this|to|trying|used|using|want|was|what|when|where|who|with|your))$/i;
const phrasalEnd =
  /\b(?:check|checked|fill|log|logged|logging|opt|plug|sign|signed|signing|turn|turned|type)\s(?:in|on)$/i;
const pointer = /\b(?:anything|her|him|it|someone|something|that one|them|these|this|those)\b/i;
const pointerStart =
  /^(?:get )?(?:anything|he|it|she|someone|something|that|these|they|this|those|what|you)\b(?!.*\?$)/i;

const auxiliary =
  "(?:am|are|can|could|did|do|does|had|has|have|is|may|might|must|shall|should|was|were|will|would|(?:are|ca|could|did|do|does|had|has|have|is|was|were|wo|would)n't)";
const question = /^(?:how|what|when|where|which|who|whom|whose|why)\b/i;
/** "What fuel my car uses": the words of a question in the order of a statement. */
const statementOrder = new RegExp(
  String.raw`^(?:how|what|when|where|which|why)\b(?:(?!\b${auxiliary}\b)[^'’])*? (?:i|my|our|the|they|this|we|you|your)\b`,
  'i',
);
/** "How many pints are?", "What is 12 times?" */
const stump = new RegExp(String.raw`\b(?:${auxiliary}|minus|per|plus|times)\?$`, 'i');
const numberInQuestion = /\d.*\?$/;
/** "I use Word I need updates": a second clause that no word joins to the first. */
const secondClause = new RegExp(
  String.raw`(?<!\b(?:after|although|and|as|because|before|but|how|if|or|since|so|than|that|unless|until|what|when|where|whether|which|while|who|why|${auxiliary})) (?:i|we) (?:am not|can't|cannot|have to|must|need|wanna|want|wish|would like)\b`,
  'i',
);
const determiner = '(?:a|an|her|his|my|our|the|their|your)';
/**
 * "Insurance my car": a noun after which a determiner begins another. Verbs, prepositions and the like may come before
 * a determiner.
 */
const lostPreposition = new RegExp(
  String.raw`\b${determiner} (?:[\p{L}'’-]+ ){0,2}?[\p{L}'’-]{3,}(?<!\b(?:about|above|across|after|against|all|along|and|another|around|because|before|behind|below|between|both|but|during|for|from|get|half|has|have|how|inside|into|like|near|not|nor|off|onto|out|outside|over|per|since|than|that|through|towards?|under|until|upon|via|was|were|what|when|where|which|while|whose|why|with|within|without|\p{L}+(?:ed|ing|s)|${auxiliary})) ${determiner} `,
  'iu',
);
/** "Confirm that I have a card": a sentence within the phrase. */
const statement = /^(?:ask|check|confirm|know|say|see|tell|verify) (?:if|that|whether) (?:i|my|we) /i;
/** "Buy new phone": an article is missing. */
const bareNew = /^\p{L}+ (?:different|new|second|single) (?:\p{L}+ )*\p{L}*(?:[^s]|ss)$/iu;
/** "Order but are you delivering": a question that follows another clause. */
const secondQuestion = /\p{L} (?:and|but|or) (?:am|are|can|did|do|does|how|is|what|when|why|will) /iu;
/** "Not join contest": without the verb that "not" belongs to. */
const bareNot = /^not (?!able\b|\p{L}+(?:ed|en|ing)\b|been\b|enough\b)/iu;
/** "Get home gym": an article is missing, unless the thing cannot be counted. */
const bareGet = /^get (?!(?:an?|another|any|my|our|some|the)\b)(?:\p{L}+ )*\p{L}*[^\Ws]$/iu;
/** "Do you deliver to?": a question that is cut off. */
const cutQuestion =
  /^(?!(?:how|what|where|which|who|whom|whose|why)\b).* (?:a|an|and|at|for|from|in|my|of|on|or|the|to|with|your)\?$|^which \p{L}+s (?:an?|my|the) /iu;
/** "Abort when running": without the thing that is run. */
const cutTime = / (?:after|before|when|while) \p{L}+ing$/iu;
/** "The time is what" */
const invertedQuestion = / (?:is|are|was) (?:what|when|where|who)$/i;
/** "Does transfers take" */
const disagreement = /\bdoes (?:my |our |the )?\p{L}+[^\Wisu]s \p{L}/iu;
/** "Cancel it, then call me": more than one clause or thing. */
const joined = /\p{L}[,;:] |\s[-–—]+\s/u;

/**
 * Returns the weight of a label by its form. Short phrases of whole words are best. A number, or a word that refers to something
 * else, belongs to a single case.
 */
export function formWeight(candidate: LabelCandidate, isName: boolean): number {
  const { text, kind } = candidate;
  const inEnglish = candidate.isEnglish || isEnglish(text);
  const words = text.split(/\s+/);
  const content = words.filter(isContent).length;
  const free = kind === 'question' ? freeWords.question : freeWords.phrase;
  let weight = Math.max(0.1, 1 - Math.max(0, words.length - free) / 20);
  // In Chinese and Japanese one run of characters is a sentence.
  const isVague = !isName || isComplaint(text);
  if (words.length === 1 && isVague && /^\p{ASCII}+$/u.test(text)) weight *= 0.6;
  else if (content < (kind === 'wish' ? 1 : 2)) weight *= 0.85;
  if (kind === 'wish' && words.length > 2 && inEnglish && !words.slice(1).some(isContent)) weight *= 0.85;
  if (content < 2 && openVerb.test(text)) weight *= 0.92;
  if (kind === 'wish' && /^\p{L}+ing\b/u.test(text)) weight *= 0.8;
  if (vagueVerb.test(text)) weight *= 0.85;
  if (kind !== 'question' && looseStart.test(text)) weight *= 0.7;
  if (looseEnd.test(text) && !phrasalEnd.test(text)) weight *= 0.5;
  if (/[\d$£€_<>[\]]|\b(?:hundred|thousand|million)\b/i.test(text)) weight *= 0.75;
  if (inEnglish) weight *= grammarWeight(text);
  if (hasRepeatedWord(text)) weight *= 0.8;
  if (pointerStart.test(text)) weight *= 0.6;
  if (pointer.test(text)) weight *= 0.85;
  return weight;
}

/** Returns a lower weight for a label that is not exactly one English clause or phrase. */
function grammarWeight(text: string): number {
  let weight = 1;
  if (stump.test(text)) weight *= 0.4;
  if (numberInQuestion.test(text)) weight *= 0.6;
  if (question.test(text) && statementOrder.test(text)) weight *= 0.75;
  if (!text.endsWith('?') && secondClause.test(text)) weight *= 0.7;
  if (lostPreposition.test(text)) weight *= 0.7;
  if (statement.test(text)) weight *= 0.8;
  if (bareNew.test(text)) weight *= 0.92;
  if (invertedQuestion.test(text)) weight *= 0.6;
  if (beforeCutClause(text) !== undefined) weight *= 0.5;
  if (disagreement.test(text)) weight *= 0.9;
  if (joined.test(text)) weight *= 0.8;
  if (secondQuestion.test(text)) weight *= 0.6;
  if (bareNot.test(text)) weight *= 0.8;
  if (bareGet.test(text)) weight *= 0.95;
  if (cutQuestion.test(text)) weight *= 0.5;
  if (cutTime.test(text)) weight *= 0.7;
  return weight;
}

function isContent(word: string): boolean {
  return isContentWord(word.toLowerCase().replace(/[^\p{L}\p{N}\p{M}'’-]/gu, ''));
}

function hasRepeatedWord(text: string): boolean {
  const stems = stemsOf(text);
  return new Set(stems).size < stems.length;
}
