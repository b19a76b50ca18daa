/** The columns or the field to sort by that somebody named, with the path for each name that a table has as a heading: `issues` for `stats.issues`. */
export function withPaths(words: readonly string[], headed: readonly string[]): string[] {
  const paths = new Map<string, string>();
  for (const column of headed) {
    const [path, title = path] = column.split('=') as [string, string?];
    if (!paths.has(title)) paths.set(title, path);
  }
  return words.map((word) => {
    const [name, title = name] = word.split('=') as [string, string?];
    const path = paths.get(name) ?? name;
    return path === name ? word : `${path}=${title}`;
  });
}
