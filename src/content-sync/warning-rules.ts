/** Explanations of the warnings about a folder of Markdown, by their code. */
export const warningRules = {
  'ambiguous-link': 'a link such as [[Note]] can lead to several files with this name',
  'broken-anchor': 'a page links to an anchor that its target does not have',
  'broken-link': 'a page links to a file that the folder does not have, or that is not imported',
  encoding: 'a file is not UTF-8',
  'folder-without-page':
    'a folder inside another has no page of its own, such as README.md, so its pages are shown in the folder above',
  'front-matter': 'the front matter of a page is not valid and is shown as text, or its emoji is ignored',
  'lfs-pointer': 'a file is a pointer of Git LFS instead of its content',
  'missing-include': 'a page includes a file, or a part of a file, that the folder does not have',
  'missing-page': 'the table of contents names a page that does not exist',
  'old-address': 'the front matter of a page lists an old address that does not become a redirect',
  'other-syntax': 'a page has template tags, MDX code or blocks of another tool',
  'other-summary': 'a second SUMMARY.md is imported as a page, or LANGS.md lists several books',
  'repeated-page': 'the table of contents names a page twice',
  settings: '.gitbook.yaml names a file that does not exist, or redirects to a page that is not imported',
  'skipped-file':
    'a file is not imported: it is a symbolic link, is too large, cannot be read or is a page in another format',
  'stray-tag':
    'a tag such as {% tabs %} is kept as text, because its end or beginning is missing; or a hint has an unknown style',
  summary: 'a line of the table of contents is skipped or changed',
  'too-complex': 'a page is so long or complex that sites show its Markdown as text',
  'unlisted-page': 'a Markdown file is not in the table of contents, and is skipped',
  variables: '.gitbook/vars.yaml or .gitbook/tags.yaml cannot be used',
} as const;

export type WarningRule = keyof typeof warningRules;
