/** A column of a list: the path of its values, and its title in data formats. */
export interface Column {
  readonly title: string;
  readonly path: string;
}

type Field = readonly [title: string, value: unknown];

/** Fields that name their parent: `actor.label` is the actor. */
const namingFields = new Set(['displayName', 'title', 'name', 'label', 'enabled']);
const acronyms = new Set([
  'ai',
  'api',
  'html',
  'http',
  'id',
  'ids',
  'ip',
  'json',
  'pdf',
  'saml',
  'sso',
  'uri',
  'url',
  'urls',
]);

/**
 * Returns the headings of the columns of a list for a person: "name" for `user.displayName`, and "last seen" for `lastSeenAt`.
 */
export function headingsOf(columns: readonly Column[], fields: readonly string[] = []): string[] {
  const short = columns.map(({ path, title }) => shortHeading(title, title === path ? fields : []));
  return short.map((heading, index) =>
    isSole(short, heading) ? heading : describeField(columns[index]?.title ?? heading, fields, true),
  );
}

/** Replaces the paths of the fields of one object by headings for a person: `adaptiveContent.enabled` by "adaptive content". */
export function withHeadings(given: readonly Field[], fields: readonly string[] = []): Field[] {
  const paths = given.map(([path]) => path);
  const parents = paths.map(parentOf);
  const short = paths.map((path) => {
    const [last = '', parent] = lastOf(path);
    // If there are other fields beside a name, such as the name and value of a DNS record, it does not name its parent.
    const namesParent = namingFields.has(last) && (last !== 'name' || isSole(parents, parentOf(path)));
    return parent !== undefined && namesParent
      ? describeField(parentOf(path), fields)
      : describeField(path, fields);
  });
  return given.map(([path, value], index) => {
    const heading = short[index] ?? path;
    const isAmbiguous =
      !isSole(short, heading) &&
      paths.some((other) => other !== path && short[paths.indexOf(other)] === heading);
    return [isAmbiguous ? describeField(path, fields, true) : heading, value];
  });
}

/**
 * Returns the heading of a column in a list, whose rows all have the same kind: "issues" for `stats.issues`, "team" for
 * `team.title`.
 */
function shortHeading(path: string, fields: readonly string[]): string {
  const [last = path, parent] = lastOf(path);
  if (last === 'displayName' && (parent === undefined || parent === 'user')) return 'name';
  if (parent === undefined) return describeField(path, fields);
  if (last === 'markdown') return 'text';
  if (namingFields.has(last)) return describeField(parent, []);
  return describeField(path, fields) === path ? path : describeField(last, []);
}

/**
 * Returns the words of a path, or all of them: "merge rules type" for `mergeRules.type`. Keys that are data, such as those of
 * claims, are not changed.
 */
function describeField(path: string, fields: readonly string[], isWhole = false): string {
  const free = fields.find((field) => field.endsWith('*') && path.startsWith(field.slice(0, -1)));
  const named = free === undefined ? path : free.slice(0, -1);
  const words = named.split('.').flatMap((name) => wordsIn(name, isWhole));
  const described =
    words.length < 2 ? words : words.map((word) => (acronyms.has(word) ? acronymOf(word) : word));
  return [...described, ...(free === undefined ? [] : [path.slice(named.length)])].join(' ');
}

/**
 * Returns the words of a camel-case name, without words that only express the type (time, number, boolean), unless all are
 * requested.
 */
function wordsIn(name: string, isWhole: boolean): string[] {
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(name)) return name === '' ? [] : [name];
  const words = name
    .replaceAll('_', ' ')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(' ')
    .map((word) => (/^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase()));
  if (isWhole) return words;
  if (words.length > 1 && words.at(-1) === 'at') words.pop();
  if (words.at(-1) === 'count' && words.at(-2)?.endsWith('s') === true) words.pop();
  if (words.length > 1 && words[0] === 'is') words.shift();
  return words;
}

function acronymOf(word: string): string {
  return word.endsWith('s') ? `${word.slice(0, -1).toUpperCase()}s` : word.toUpperCase();
}

function lastOf(path: string): string[] {
  return path.split('.').reverse();
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('.')));
}

function isSole(texts: readonly string[], text: string): boolean {
  return texts.indexOf(text) === texts.lastIndexOf(text);
}
