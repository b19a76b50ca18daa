/** The descriptions of patterns in messages, by pattern. */
export const patternTexts: Readonly<Record<string, string>> = {
  '\\S.*\\S': 'must have at least 2 characters that are not blanks',
  '^(?!\\.{1,2}$)[^\\s/?#%\\\\]+$':
    'must not contain blanks or any of / ? # % \\, and must not be "." or ".."',
  '^[a-zA-Z0-9]+(?:-[a-zA-Z0-9]+)*$': 'must consist of letters and digits, with single hyphens between them',
  '^integration:[a-zA-Z0-9-_.]+:[^:\\s]+$': 'must be like integration:NAME:COMPONENT',
  '^[A-Za-z0-9+/]*={0,2}$': 'must be base64',
  '^[\\w.+-]+/[\\w.+-]+(;.*)?$': 'must be a content type such as image/png',
  '^[a-zA-Z0-9-_.]+$': 'must consist of letters, digits, ".", "_" and "-"',
  '^(?!\\.{1,2}$)[^\\u0000-\\u001f\\u007f]+$':
    'must not contain control characters, and must not be "." or ".."',
  '^[^\\n\\r]*$': 'must be one line',
  '^\\/(?!\\*)(?!.*\\*.+)(?:[A-Za-z0-9\\-._~+]|%[0-9A-Fa-f]{2})+(?:\\/(?:[A-Za-z0-9\\-._~+]|%[0-9A-Fa-f]{2})+)*(?:\\/\\*|\\*)?$':
    'must be a path that starts with /, such as /old/page or /old/*. Write characters other than letters, digits and -._~+ as %XX',
  '^https?://[^\\s?#]+$': 'must be a URL that starts with https:// or http://, without ? and #',
};
