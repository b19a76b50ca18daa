/**
 * Other words that people type for a verb, by the verb that commands have. An alias is accepted where a noun has the verb
 * and no command of the alias's own name; help shows the verb only.
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

/** The verb among `verbs` that a word stands for, or undefined if the word is a verb itself or stands for none. */
export function verbFor(word: string, verbs: readonly string[]): string | undefined {
  if (verbs.includes(word)) return undefined;
  // In the order of the aliases: `rm` is "delete" where a noun has that and "unpublish".
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

/** Whether a noun and verb are about users in the plural, who are members: `users list`. A user has only a profile. */
export function meansMembers(noun: string, verb: string): boolean {
  return /^users?$/.test(noun) && /^(?:list|ls|add|create|new|invite|delete|rm|remove)$/.test(verb);
}

/** The noun among `nouns` that a word stands for: an alias, or its singular (`space` for `spaces`). */
export function nounFor(word: string, nouns: readonly string[]): string | undefined {
  if (nouns.includes(word)) return undefined;
  return [nounAliases[word], `${word}s`].find((noun) => noun !== undefined && nouns.includes(noun));
}
