import { findKeys, findUrlCredentials } from './secrets.ts';
import { replaceSpans, type Finder } from './span.ts';

/** Values of headers, parameters and fields whose names indicate a secret. */
const namedSecret = new RegExp(
  [
    '(?<header>(?<![\\w-])(?:proxy-)?(?:authorization|(?:set-)?cookie)["\']?\\s{0,9}[:=]\\s{0,9}["\']?)[^\\r\\n"\']{1,8192}',
    '(?<field>(?<![\\w-])(?:[\\w-]{0,32}[-_])?(?:token|secret|password|passphrase|api_?key|signature|samlresponse|relaystate)["\']?\\s{0,9}[=:]\\s{0,9}["\']?)[^\\s&;"\'#]{1,8192}',
    '(?<parameter>[?&](?:code|key|state)=)[^\\s&;"\'#]{1,8192}',
  ].join('|'),
  'gi',
);

const finders: readonly Finder[] = [findUrlCredentials, findKeys];

/**
 * Returns a text, such as an error message, without tokens, passwords in URLs, cookies, and the values of parameters with names
 * of secrets. Each is replaced by "[secret]".
 */
export function redactSecrets(text: string): string {
  const named = text.replace(
    namedSecret,
    (_, header?: string, field?: string, parameter?: string) => `${header ?? field ?? parameter}[secret]`,
  );
  return finders.reduce((result, find) => replaceSpans(result, find(result), '[secret]'), named);
}
