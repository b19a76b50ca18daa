import type { RichDocumentValue } from '../contract/shapes.ts';
import { type ImpactRating, rateImpact } from './impact.ts';
import { plainTextDocument } from './plain-text-document.ts';
import { sentenceTitle } from './title.ts';
import { type Message, type Sentence, userSentences } from './user-sentences.ts';
import { isRequestStem, stemsOf } from './words.ts';

/** Maximum number of issues in a conversation. The last one contains the rest of the conversation. */
export const maxIssues = 5;
const maxParagraphs = 40;

const request =
  /\?|\b(?:how|why|what|when|where|which|who)\b|\b(?:can|could|would|will) (?:you|i|we)\b|\b(?:i|we)(?:'d| would| wanna)? ?(?:need|want|wants|like to|wish|have to|am trying|'m trying|am looking|'m looking)\b|\b(?:is|are|does|do) (?:it|there|my|the|your|this|you)\b|\b(?:help|please|need|want|would like|looking for|trying to|unable|possible)\b/i;
const complaint =
  /\b(?:not|never|n't|cannot|cant|wont|doesnt|isnt|no longer|problem|issues?|errors?|fail\w*|wrong|broken|broke|crash\w*|missing|lost|stolen|stuck|declined|rejected|denied|charged|refund\w*|cancel\w*|slow|bug|delay\w*|late|pending|invalid|expired|disappeared|crack\w*)\b|n't\b/i;
/** Matches a sentence that announces another topic. */
const topicStart =
  /^(?:(?:and|ok|okay|so|oh|but),? )?(?:also\b|another (?:thing|question|issue|problem|request)|one more|(?:second|third|fourth|last)(?:ly)?\b(?! (?:time|day|week|month|year|try|attempt))|additionally|besides|by the way|btw|separately|on (?:a|another) (?:different|other|separate) (?:note|topic)|unrelated|moreover|furthermore|apart from that|(?:2|3|4|5)[.)]\s)/i;
const directRequest =
  /\b(?:i|we)(?:'d| would)? ?(?:also |now |still )?(?:need|want|like to)\b|\b(?:can|could) (?:you|i)\b|\bhow (?:do|can|to)\b|\bwhy\b/i;

export interface ConversationText {
  readonly subject?: string;
  readonly parts: readonly Message[];
}

export interface FoundIssue extends ImpactRating {
  readonly title: string;
  /** What the user says about the topic, with one paragraph for each message. */
  readonly details: RichDocumentValue;
  readonly text: string;
}

/** Prefixes of subjects from mail programs and trackers. */
const subjectPrefix =
  /^\s*(?:(?:(?:re|fwd?|aw|wg|sv|tr|bug(?: report)?|feature(?: request)?|question|issue|ticket)\s?:|\[[^[\]]{1,40}\]:?)\s*)+(?=\S)/i;

interface Topic {
  readonly sentences: Sentence[];
  readonly stems: Set<string>;
  /** Whether the topic contains a request or complaint. */
  hasRequest: boolean;
  lastMessage: number;
}

/** Returns the topics of a conversation in order: none if the user says nothing, usually one, more if the user starts another. */
export function splitConversation({ subject = '', parts }: ConversationText): FoundIssue[] {
  const sentences = userSentences(parts);
  const withoutPrefix = subject.replace(subjectPrefix, '');
  const subjectSentences = userSentences([{ role: 'user', body: withoutPrefix }]);
  const subjectTitle = subjectSentences[0]?.text;
  if (sentences.length === 0)
    return subjectTitle === undefined ? [] : [createIssue(subjectSentences, subjectTitle)];
  const topics: Topic[] = [];
  for (const sentence of sentences) {
    const stems = topicStems(sentence.text);
    let current = topics.at(-1);
    if (current === undefined || (topics.length < maxIssues && startsNewTopic(sentence, stems, current))) {
      current = { sentences: [], stems: new Set(), hasRequest: false, lastMessage: 0 };
      topics.push(current);
    }
    current.sentences.push(sentence);
    for (const stem of stems) current.stems.add(stem);
    current.hasRequest ||= requestScore(sentence.text) > 0;
    current.lastMessage = sentence.message;
  }
  return topics.map((topic, index) => {
    const isNamed = index === 0 && subjectTitle !== undefined && isOwnTitle(subjectTitle, topic.sentences);
    return createIssue(topic.sentences, isNamed ? subjectTitle : mostTellingSentence(topic.sentences));
  });
}

/**
 * Whether a sentence starts a new topic: it announces one, or it is a direct request in a later message that shares no word with
 * the current topic.
 */
function startsNewTopic(sentence: Sentence, stems: readonly string[], current: Topic): boolean {
  if (requestScore(sentence.text) === 0) return false;
  const newStems = stems.filter((stem) => !current.stems.has(stem)).length;
  if (topicStart.test(sentence.text)) return current.stems.size > 0 && newStems >= 2;
  if (!current.hasRequest || sentence.message <= current.lastMessage) return false;
  return directRequest.test(sentence.text) && stems.length >= 3 && newStems === stems.length;
}

/** Returns how much a sentence says about the need of the user: 0 for nothing, 1 for a request or a complaint, 2 for both. */
function requestScore(sentence: string): number {
  return Number(request.test(sentence)) + Number(complaint.test(sentence));
}

function topicStems(text: string): string[] {
  return stemsOf(text).filter((stem) => !isRequestStem(stem));
}

/** Whether a person wrote the subject. A subject that is the beginning of the first message says less than the message. */
function isOwnTitle(subject: string, sentences: readonly Sentence[]): boolean {
  const start = subject
    .replace(/(?:…|\.\.\.)$/, '')
    .trim()
    .toLowerCase();
  const isCopied = sentences.some(({ text }) => text.toLowerCase().startsWith(start));
  return !isCopied && topicStems(subject).length >= 2 && !/(?:…|\.\.\.)$/.test(subject);
}

/**
 * Returns the sentence that says most about the need of the user. Early sentences have a higher weight, and sentences with long
 * numbers a lower one.
 */
function mostTellingSentence(sentences: readonly Sentence[]): string {
  const scored = sentences.map(({ text }, index) => ({
    text,
    score:
      requestScore(text) +
      Math.min(3, topicStems(text).length) / 2 -
      Math.min(index, 8) / 5 -
      (/\d{5}/.test(text) ? 1 : 0),
  }));
  return scored.reduce((best, next) => (next.score > best.score ? next : best)).text;
}

function createIssue(sentences: readonly Sentence[], title: string): FoundIssue {
  const lines = sentences.map(({ text }) => text);
  const text = (lines.includes(title) ? lines : [title, ...lines]).join('\n');
  const paragraphs = new Map<number, string>();
  for (const { message, text: line } of sentences) {
    const paragraph = paragraphs.get(message);
    paragraphs.set(message, paragraph === undefined ? line : `${paragraph} ${line}`);
  }
  return {
    title: sentenceTitle(title),
    details: plainTextDocument([...paragraphs.values()].slice(0, maxParagraphs)),
    ...rateImpact(text),
    text,
  };
}
