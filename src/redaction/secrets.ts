import { findByPattern } from './span.ts';

/** Finds user names with passwords in URLs: the text between "//" and "@". */
export const findUrlCredentials = findByPattern(/(?<=:\/\/)[^\s/@:]{0,256}:[^\s/@]{0,256}(?=@)/g);

/** Finds keys and tokens with a known prefix, JWTs (RFC 7519), bearer tokens (RFC 6750) and PEM private keys. */
export const findTokens = findByPattern(
  new RegExp(
    [
      '(?<![\\w-])(?:(?:sk|pk|rk)_(?:live|test)_\\w{8,}',
      'sk-[\\w-]{16,}',
      'dctl_[\\w-]{16,}',
      'gh[oprsu]_\\w{16,}',
      'github_pat_\\w{16,}',
      'gl(?:pat|ptt|dt|rt)-[\\w-]{16,}',
      'gb_api_\\w{16,}',
      'xox[abeoprs]-[\\w-]{8,}',
      '(?:AKIA|ASIA)[0-9A-Z]{16}(?!\\w)',
      'AIza[\\w-]{30,}',
      'npm_\\w{30,}',
      'eyJ[\\w-]{8,8192}\\.[\\w-]{8,8192}\\.[\\w-]{0,8192})',
      '(?<=\\b[Bb]earer )[\\w.~+/=-]{12,}',
      '-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\\w+/=\\s]{0,16384}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?',
    ].join('|'),
    'g',
  ),
);
