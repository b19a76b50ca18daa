import { scalar, writeMap, type YamlEntry } from './yaml.ts';

const mainFile = 'docsctl.yaml';

/** Maximum lines of a manifest in one file. A longer one is split. */
const maxLinesInOne = 200;
/** Minimum lines of a separate file. Shorter parts stay in the main file. */
const minLinesOfFile = 20;

/**
 * Writes the main file, with the ID of the organization if given, and separate files for the long parts of a long manifest. Parts
 * that had a separate file in an earlier export keep it.
 */
export function splitIntoFiles(
  top: readonly YamlEntry[],
  organization: string | undefined,
  hadFile: (path: string) => boolean,
): [path: string, text: string][] {
  const org = top.find(([family]) => family === 'org')?.[1];
  const entries: YamlEntry[] = [
    ...(organization === undefined ? [] : [['id', scalar(organization)] as const]),
    ...(org?.kind === 'map' ? org.entries : []),
  ];
  const first =
    entries.length === 0 ? '' : writeMap({ entries: [['org', { kind: 'map', entries, maxInline: 0 }]] });
  const families = top
    .filter(([family]) => family !== 'org')
    .map((entry) => ({ path: `${entry[0]}.yaml`, text: writeMap({ entries: [entry] }) }));
  const isLong =
    families.reduce((sum, { text }) => sum + countLines(text), countLines(first)) > maxLinesInOne;
  const hasFile = ({ path, text }: (typeof families)[number]) =>
    hadFile(path) || (isLong && countLines(text) >= minLinesOfFile);
  const files = families.filter(hasFile);
  const paths = files.map(({ path }) => scalar(path));
  const include =
    paths.length === 0 ? '' : writeMap({ entries: [['include', { kind: 'list', items: paths }]] });
  const rest = families.filter((family) => !hasFile(family)).map(({ text }) => text);
  return [
    [mainFile, [`version: 1\n${include}`, first, ...rest].filter(Boolean).join('\n')],
    ...files.map(({ path, text }): [string, string] => [path, `version: 1\n\n${text}`]),
  ];
}

function countLines(text: string): number {
  return text.split('\n').length - 1;
}
