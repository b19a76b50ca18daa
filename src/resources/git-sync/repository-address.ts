import { decodePercent } from '../../contract/values.ts';
import { invalid, Problem } from '../../errors/problem.ts';
import { parseUrl } from '../../contract/parse-url.ts';

/** An address of a repository, with the user name and password separated from it. */
interface RepositoryAddress {
  readonly url: string;
  /** `USER:PASSWORD`; undefined if the address has none. */
  readonly credentials: string | undefined;
}

/** Separates the credentials from an https address. Returns other addresses unchanged. @throws Problem(invalid-input) */
export function splitCredentials(text: string): RepositoryAddress {
  if (/[\p{Cc}\s]/u.test(text) || text.startsWith('-'))
    throw invalid('/body/url', 'The address of the repository is not valid.', 'Use https://HOST/PATH.');
  const [, scheme] = /^([a-z][a-z0-9+.-]*)(?::\/\/|::)/i.exec(text) ?? [];
  if (scheme !== undefined && !/^(?:https|ssh|file):\/\//i.test(text))
    throw invalid(
      '/body/url',
      `The address of a repository cannot begin with ${scheme.slice(0, 20)}:.`,
      'Use an address such as https://git.example.com/acme/docs.git.',
    );
  if (scheme?.toLowerCase() !== 'https') return { url: text, credentials: undefined };
  const url = parseUrl(text);
  if (url === undefined)
    throw invalid('/body/url', 'The address of the repository is not a URL.', 'Use https://HOST/PATH.');
  // Some people put a token there. Unlike a password, it would be stored and shown with the address.
  if (url.search !== '')
    throw invalid(
      '/body/url',
      'The address of a repository cannot have a query.',
      'Remove what begins with "?". If it is a token, use it as the password of the address.',
    );
  const { username, password } = url;
  const credentials = username === '' && password === '' ? undefined : decode(`${username}:${password}`);
  url.username = '';
  url.password = '';
  url.hash = '';
  return { url: url.href, credentials };
}

function decode(credentials: string): string {
  const decoded = decodePercent(credentials);
  if (decoded === undefined)
    throw invalid(
      '/body/url',
      'The user name or password in the address of the repository is not percent-encoded UTF-8.',
      'Write a percent sign as %25.',
    );
  return decoded;
}

/**
 * Checks that callers of a server use only https. Paths and ssh would use the files and keys of the server. The files of a local
 * folder are checked when they are read.
 *
 * @throws Problem(forbidden)
 */
export function checkScheme(url: string): void {
  if (!/^(https|file):\/\//i.test(url)) throw schemeProblem();
}

/** Returns the error for an address that a server does not synchronize with. */
export function schemeProblem(): Problem {
  return new Problem('forbidden', 'A server synchronizes only with repositories at https addresses.', {
    hint: 'Use an address such as https://git.example.com/acme/docs.git.',
  });
}

/** Returns the full name of a branch. @throws Problem(invalid-input) for a name that git does not allow */
export function branchRef(given: string): string {
  const name = given.replace(/^refs\/heads\//, '');
  const isName =
    name !== '' &&
    !/^[-+/.]|[\p{Cc}\s:~^?*[\\]|\.\.|@\{|\/\/|\/\.|[/.]$|\.lock(\/|$)/u.test(name) &&
    name !== '@' &&
    !name.startsWith('refs/');
  if (isName) return `refs/heads/${name}`;
  throw invalid(
    '/body/ref',
    `"${given.slice(0, 100)}" is not the name of a branch.`,
    'Use a name such as main or refs/heads/main.',
  );
}

/** Returns a folder of a repository without "." and without a slash at its start and end. @throws Problem(invalid-input) */
export function projectDirectory(given: string | undefined): string {
  const parts = (given ?? '').split('/').filter((part) => part !== '' && part !== '.');
  if (!parts.some((part) => part === '..' || /^\.git$/i.test(part) || /[\p{Cc}\\]/u.test(part)))
    return parts.join('/');
  throw invalid(
    '/body/repoProjectDirectory',
    `"${(given ?? '').slice(0, 100)}" is not a folder of the repository.`,
    'Use a path such as docs/guide.',
  );
}

/** Returns the last two parts of the path of an address, such as acme/docs. */
export function repositoryName(url: string): string {
  const path = url
    .replace(/[?#].*/s, '')
    .replace(/^[a-z]+:\/\/[^/]*/i, '')
    .replace(/^[^/]*:/, '');
  const parts = path.replace(/\/+$/, '').replace(/\.git$/, '').split('/').filter(Boolean); // prettier-ignore
  return parts.slice(-2).join('/').slice(-255);
}
