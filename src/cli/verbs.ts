/**
 * Alternative words for verbs, by the verb of docsctl. An alias is accepted if a noun has the verb and no command with the name
 * of the alias. Help shows only the verb.
 */
const aliases: Readonly<Record<string, readonly string[]>> = {
  list: ['ls'],
  orgs: ['list', 'ls'],
  get: ['show', 'view', 'describe'],
  show: ['get', 'view', 'describe'],
  create: ['add', 'new'],
  add: ['create', 'new'],
  update: ['edit', 'set'],
  delete: ['rm', 'remove'],
  remove: ['rm', 'delete'],
  move: ['mv'],
  rename: ['mv'],
  invite: ['add', 'create'],
  request: ['add', 'create'],
  submit: ['add', 'create'],
  install: ['add', 'create'],
  ingest: ['import', 'create', 'add'],
  publish: ['create', 'add', 'new'],
  unpublish: ['delete', 'rm', 'remove'],
};

/** Returns the verb among `verbs` for an alias; undefined if the word is a verb itself or unknown. */
export function verbFor(word: string, verbs: readonly string[]): string | undefined {
  if (verbs.includes(word)) return undefined;
  // The order of the aliases decides: `rm` means "delete" if a noun has both "delete" and "unpublish".
  return Object.keys(aliases).find((verb) => verbs.includes(verb) && aliases[verb]?.includes(word));
}

const nounAliases: Readonly<Record<string, string>> = {
  cr: 'change-requests',
  organization: 'orgs',
  organizations: 'orgs',
  group: 'section-groups',
  groups: 'section-groups',
  lock: 'state',
  spec: 'openapi',
  specs: 'openapi',
  specification: 'openapi',
  specifications: 'openapi',
  space: 'site-spaces',
  spaces: 'site-spaces',
};

/**
 * Whether a noun and verb are about several users, which are the members: `users list`. For a single user, there is only the
 * profile.
 */
export function meansMembers(noun: string, verb: string): boolean {
  return /^users?$/.test(noun) && /^(?:list|ls|add|create|new|invite|delete|rm|remove)$/.test(verb);
}

/** Returns the words that stand for a verb, or for a noun: `spaces` and `space`. Short synonyms are similar to too many words. */
export function wordsFor(command: string, isVerb: boolean): string[] {
  const synonyms = Object.keys(nounAliases).filter(
    (word) => nounAliases[word] === command && word.length > 5,
  );
  return [command, command.replace(/s$/, ''), ...synonyms, ...(isVerb ? (aliases[command] ?? []) : [])];
}

/** Returns the noun among `nouns` for a word: an alias, or the singular (`space` for `spaces`). */
export function nounFor(word: string, nouns: readonly string[]): string | undefined {
  if (nouns.includes(word)) return undefined;
  return [nounAliases[word], `${word}s`].find((noun) => noun !== undefined && nouns.includes(noun));
}
