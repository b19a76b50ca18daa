import { nameToEmoji } from 'gemoji';

/** Names between colons, such as `:rocket:` or `:tada::tada:`, that are not part of a word, a time or a path. */
const names = /(?<![\w:/])(?::[a-z0-9_+-]+:)+(?![\w:])/g;

/** Replaces the names of emojis in a text by the emojis, like GitBook and GitHub. Unknown names are kept. */
export function showEmojis(text: string): string {
  if (!text.includes(':')) return text;
  return text.replace(names, (run) =>
    run.replace(/:([^:]+):/g, (whole, name: string) =>
      Object.hasOwn(nameToEmoji, name) ? String(nameToEmoji[name]) : whole,
    ),
  );
}
