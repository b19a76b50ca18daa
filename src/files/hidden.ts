/**
 * Hidden names of GitBook, which contain documentation. Other hidden files may contain settings, scripts and secrets of tools.
 */
const documentation: ReadonlySet<string> = new Set(['.gitbook', '.gitbook.yaml']);

/**
 * Whether a path has a hidden name that is not one of GitBook: a file or folder from which tools may read settings, scripts or
 * secrets. "git~1" is a short name of ".git" on Windows, and HFS+ ignores invisible characters.
 */
export function isHiddenPath(path: string): boolean {
  return path.split(/[/\\]/).some(isHidden);
}

function isHidden(name: string): boolean {
  if (documentation.has(name)) return false;
  const visible = name.replace(/\p{Cf}/gu, '');
  return (visible.startsWith('.') && !/^\.{1,2}$/.test(visible)) || /^git~\d+[. ]*$/i.test(visible);
}
