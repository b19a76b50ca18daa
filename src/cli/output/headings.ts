/** A column of a list: the path of its values, and its title in data formats. */
export interface Column {
  readonly title: string;
  readonly path: string;
}

type Field = readonly [title: string, value: unknown];

/** Names of fields that say by which name their parent is known: `actor.label` is the actor. */
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

/** Headings of the columns of a list for a person: `user.displayName` is "name", and `lastSeenAt` is "last seen". */
export function headingsOf(columns: readonly Column[], fields: readonly string[] = []): string[] {
  const short = columns.map(({ path, title }) => shortHeading(title, title === path ? fields : []));
  return short.map((heading, index) =>
    isSole(short, heading) ? heading : describeField(columns[index]?.title ?? heading, fields, true),
  );
}

/** Puts headings for a person in the place of the paths of one object: `adaptiveContent.enabled` is "adaptive content". */
export function withHeadings(given: readonly Field[], fields: readonly string[] = []): Field[] {
  const paths = given.map(([path]) => path);
  const parents = paths.map(parentOf);
  const short = paths.map((path) => {
    const [last = '', parent] = lastOf(path);
    // A name beside other fields, such as the name and value of a DNS record, is not what the parent is known by.
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

/** The word for a column in a list, whose rows are all of one kind: `stats.issues` is "issues", and `team.title` "team". */
function shortHeading(path: string, fields: readonly string[]): string {
  const [last = path, parent] = lastOf(path);
  if (last === 'displayName' && (parent === undefined || parent === 'user')) return 'name';
  if (parent === undefined) return describeField(path, fields);
  if (last === 'markdown') return 'text';
  if (namingFields.has(last)) return describeField(parent, []);
  return describeField(path, fields) === path ? path : describeField(last, []);
}

/** The words of a path, or all of them: `mergeRules.type` is "merge rules type". Keys that are data, such as those of claims, stay as they are. */
function describeField(path: string, fields: readonly string[], isWhole = false): string {
  const free = fields.find((field) => field.endsWith('*') && path.startsWith(field.slice(0, -1)));
  const named = free === undefined ? path : free.slice(0, -1);
  const words = named.split('.').flatMap((name) => wordsIn(name, isWhole));
  const described =
    words.length < 2 ? words : words.map((word) => (acronyms.has(word) ? acronymOf(word) : word));
  return [...described, ...(free === undefined ? [] : [path.slice(named.length)])].join(' ');
}

/** The words of a name in camel case, without those that only say that it is a time, a number or a boolean, unless all are wanted. */
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
