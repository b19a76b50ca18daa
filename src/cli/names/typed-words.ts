import { Problem, withTexts } from '../../errors/problem.ts';
import { shellWord } from '../../contract/shell-word.ts';

/** Matches commands in a text: in backquotes, or on their own line. */
const commands = /`[^`]*`|^ *docsctl .*$/gm;
const ids = /(?<=^|[ =])[a-z]{2,6}_[0-9A-Z]{26}(?=$|[ `])/g;
const quotedIds = /"([a-z]{2,6}_[0-9A-Z]{26})"/g;

/** Replaces IDs in the commands of a text by the names that the user typed for them. */
export function withTypedWords(text: string, words: ReadonlyMap<string, string>): string {
  if (words.size === 0) return text;
  return text.replace(commands, (command) =>
    command.replace(ids, (id) => {
      const word = words.get(id);
      return word === undefined || word.startsWith('-') || word.includes('`') ? id : shellWord(word);
    }),
  );
}

/** Also replaces IDs in quotes outside of commands: `There is no member "ben@example.com"`. */
export function withTypedNames(text: string, words: ReadonlyMap<string, string>): string {
  return withTypedWords(text, words).replace(quotedIds, (quoted, id: string) => {
    const word = words.get(id);
    return word === undefined || word.startsWith('-') ? quoted : JSON.stringify(word);
  });
}

/** Replaces IDs by typed names in the texts of a problem. Anything else is returned unchanged. */
export function withTypedWordsInProblem(error: unknown, words: ReadonlyMap<string, string>): unknown {
  if (!(error instanceof Problem) || words.size === 0) return error;
  const { message, hint = '', violations } = error;
  const put = (text: string) => withTypedNames(text, words);
  const texts = [message, hint, ...violations.map((violation) => violation.message)];
  return texts.every((text) => put(text) === text) ? error : withTexts(error, put);
}
