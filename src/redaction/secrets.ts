import { findByPattern, mergeSpans, type Finder } from './span.ts';

/** Finds user names with passwords in URLs: the text between "//" and "@". */
export const findUrlCredentials = findByPattern(/(?<=:\/\/)[^\s/@:]{0,256}:[^\s/@]{0,256}(?=@)/g);

/**
 * Finds keys and tokens with a known prefix, JWTs (RFC 7519), bearer tokens (RFC 6750), PEM private keys, and long runs
 * of letters of both cases mixed with digits, which are keys without a prefix.
 */
export const findTokens: Finder = (text) => {
  const random = findRandom(text);
  return random.length === 0 ? findKeys(text) : mergeSpans([...findKeys(text), ...random]);
};

/** Finds keys and tokens with a known prefix, JWTs, bearer tokens and PEM private keys, but no text that only looks random. */
export const findKeys = findByPattern(
  new RegExp(
    [
      '(?<![\\w-])(?:(?:sk|pk|rk)_(?:live|test)_\\w{8,}',
      'sk-[\\w-]{16,}',
      'dct[li]_[\\w-]{16,}',
      'gh[oprsu]_\\w{16,}',
      'github_pat_\\w{16,}',
      'gl(?:pat|ptt|dt|rt)-[\\w-]{16,}',
      'gb_api_\\w{16,}',
      'xox[abeoprs]-[\\w-]{8,}',
      '(?:AKIA|ASIA)[0-9A-Z]{16}(?!\\w)',
      'AIza[\\w-]{30,}',
      'npm_\\w{30,}',
      'hf_\\w{20,}',
      'SG\\.[\\w-]{16,}\\.[\\w-]{16,}',
      'shp(?:at|ca|pa|ss)_\\w{16,}',
      'dop_v1_\\w{16,}',
      'glsa_\\w{16,}',
      'pypi-[\\w-]{16,}',
      'whsec_[\\w+/=]{16,}',
      'ya29\\.[\\w-]{16,}',
      'eyJ[\\w-]{8,8192}\\.[\\w-]{8,8192}\\.[\\w-]{0,8192})',
      '(?<=\\b[Bb]earer )[\\w.~+/=-]{12,}',
      '-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\\w+/=\\s]{0,16384}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?',
    ].join('|'),
    'g',
  ),
);

const findRandom = findByPattern(/(?<![\w+/=.-])[\w+/-]{24,256}={0,2}(?![\w+/=-])/g, isRandom);

/** Whether a run of characters looks random: letters of both cases and digits that alternate often. */
function isRandom(found: string): boolean {
  const kinds = found
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .replaceAll(/[a-z]/g, 'a')
    .replaceAll(/[A-Z]/g, 'A')
    .replaceAll(/[0-9]/g, '0');
  const count = (kind: string) => kinds.split(kind).length - 1;
  const changes = kinds.replaceAll(/(.)\1+/g, '$1').length;
  return count('a') >= 3 && count('A') >= 3 && count('0') >= 3 && changes >= kinds.length / 3;
}
