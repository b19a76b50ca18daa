import { scalar, writeMap, type Yaml, type YamlMap } from './yaml.ts';

type Entry = readonly [key: string, value: Yaml];

/** The file that a person reads first; it includes the others. */
export const mainFile = 'docsctl.yaml';

/** Lines of the whole up to which it is one file, and of a family from which it has its own. */
const whole = 200;
const own = 20;

/** Puts what stands at the top into files: into one as long as that is easy to read, else long families into their own. */
export function splitIntoFiles(
  top: readonly Entry[],
  organization: string,
  hadFile: (path: string) => boolean,
): [path: string, text: string][] {
  const org = top.find(([field]) => field === 'org')?.[1] as YamlMap | undefined;
  const first: Entry = [
    'org',
    { kind: 'map', entries: [['id', scalar(organization)], ...(org?.entries ?? [])], maxInline: 0 },
  ];
  const families = top
    .filter(([field]) => field !== 'org')
    .map((entry) => ({ path: `${entry[0]}.yaml`, entry, text: textOf([entry]) }));
  const isLarge =
    [textOf([first]), ...families.map(({ text }) => text)].reduce((sum, text) => sum + linesOf(text), 0) >
    whole;
  const parts = families.filter(({ path, text }) => hadFile(path) || (isLarge && linesOf(text) >= own));
  const rest = families.filter((family) => !parts.includes(family)).map(({ text }) => text);
  const include =
    parts.length === 0
      ? ''
      : textOf([['include', { kind: 'list', items: parts.map(({ path }) => scalar(path)) }]]);
  const main = [`version: 1\n${include}`, textOf([first]), ...rest].join('\n');
  return [
    [mainFile, main],
    ...parts.map(({ path, text }): [string, string] => [path, `version: 1\n\n${text}`]),
  ];
}

function textOf(entries: readonly Entry[]): string {
  return writeMap({ entries });
}

function linesOf(text: string): number {
  return text.split('\n').length - 1;
}
