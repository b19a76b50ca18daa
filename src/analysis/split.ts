import type { RichDocumentValue } from '../contract/shapes.ts';
import { documentOf } from './document.ts';
import { type Impact, judge } from './impact.ts';
import { asksOutright, beginsAnother, needOf } from './phrases.ts';
import { type Message, type Sentence, sentencesOf } from './spoken.ts';
import { titleOf } from './title.ts';
import { isAsking, stemsOf } from './words.ts';

/** Issues of one conversation at most: what comes then belongs to the last. */
export const mostIssues = 5;
const mostParagraphs = 40;

export interface SpokenConversation {
  readonly subject?: string;
  readonly parts: readonly Message[];
}

/** One matter that a conversation is about. */
export interface FoundIssue {
  /** A sentence of the user's. */
  readonly title: string;
  /** What the user says of it, a paragraph a message. */
  readonly details: RichDocumentValue;
  readonly impact: Impact;
  /** The rules that gave the impact, in words. */
  readonly because: readonly string[];
  /** What is placed among the clusters. */
  readonly text: string;
}

/** The matters of a conversation, in order: none where the user says nothing, mostly one, and more where they begin another one. */
export function split({ subject, parts }: SpokenConversation): FoundIssue[] {
  const sentences = sentencesOf(parts);
  const named =
    subject === undefined
      ? []
      : sentencesOf([{ role: 'user', body: subject.replace(/^(?:(?:re|fwd?|aw|wg)\s?:\s*)+/i, '') }]);
  if (sentences.length === 0) return named.length === 0 ? [] : [issueOf(named, named[0]!.text)];
  const matters: Matter[] = [];
  for (const sentence of sentences) {
    const stems = topical(sentence.text);
    let current = matters.at(-1);
    if (current === undefined || (matters.length < mostIssues && isAnother(sentence, stems, current))) {
      current = { sentences: [], stems: new Set(), needed: false };
      matters.push(current);
    }
    current.sentences.push(sentence);
    for (const stem of stems) current.stems.add(stem);
    current.needed ||= needOf(sentence.text) > 0;
  }
  return matters.map((matter, index) =>
    issueOf(matter.sentences, index === 0 ? headline(matter.sentences, named) : leading(matter.sentences)),
  );
}

interface Matter {
  readonly sentences: Sentence[];
  /** What it is about so far. */
  readonly stems: Set<string>;
  /** Something was asked or complained about. */
  needed: boolean;
}

/** Another matter is begun in so many words, or asked for outright in a later message with none of the words so far. */
function isAnother(sentence: Sentence, stems: readonly string[], current: Matter): boolean {
  if (needOf(sentence.text) === 0) return false;
  const strange = stems.filter((stem) => !current.stems.has(stem)).length;
  if (beginsAnother(sentence.text)) return current.stems.size > 0 && strange >= 2;
  if (!current.needed || sentence.message <= current.sentences.at(-1)!.message) return false;
  return asksOutright(sentence.text) && stems.length >= 3 && strange === stems.length;
}

function topical(text: string): string[] {
  return stemsOf(text).filter((stem) => !isAsking(stem));
}

/** A subject that a person wrote names the matter; one cut from the first message says less than the message. */
function headline(matter: readonly Sentence[], named: readonly Sentence[]): string {
  const subject = named[0]?.text ?? '';
  const copied = matter.some(({ text }) =>
    text.toLowerCase().startsWith(
      subject
        .replace(/(?:…|\.\.\.)$/, '')
        .trim()
        .toLowerCase(),
    ),
  );
  return subject !== '' && !copied && topical(subject).length >= 2 && !/(?:…|\.\.\.)$/.test(subject)
    ? subject
    : leading(matter);
}

/** The sentence that tells the most of what is needed; people say it early, and without numbers of telephones. */
function leading(matter: readonly Sentence[]): string {
  const scored = matter.map(({ text }, index) => ({
    text,
    score:
      needOf(text) +
      Math.min(3, topical(text).length) / 2 -
      Math.min(index, 8) / 5 -
      (/\d{5}/.test(text) ? 1 : 0),
  }));
  return scored.reduce((best, next) => (next.score > best.score ? next : best)).text;
}

function issueOf(matter: readonly Sentence[], title: string): FoundIssue {
  const text = matter.map((sentence) => sentence.text).join('\n');
  const told = matter.some((sentence) => sentence.text === title) ? text : `${title}\n${text}`;
  const paragraphs = new Map<number, string[]>();
  for (const sentence of matter)
    paragraphs.set(sentence.message, [...(paragraphs.get(sentence.message) ?? []), sentence.text]);
  return {
    title: titleOf(title),
    details: documentOf([...paragraphs.values()].slice(0, mostParagraphs).map((each) => each.join(' '))),
    ...judge(told),
    text: told,
  };
}
