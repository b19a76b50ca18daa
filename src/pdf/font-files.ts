import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Finds the folder of an installed package; undefined where it is not installed. */
export type FindPackage = (name: string) => string | undefined;

/** Finds packages from where this program lies, bundled or not. */
export const findInstalled: FindPackage = (name) => {
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    const at = entry.lastIndexOf(join('node_modules', ...name.split('/')));
    return at === -1 ? dirname(entry) : entry.slice(0, at + join('node_modules', ...name.split('/')).length);
  } catch {
    return undefined;
  }
};

const sans = '@fontsource/dejavu-sans/files/dejavu-sans-latin';
const mono = '@fontsource/dejavu-mono/files/dejavu-mono-latin';

/** The faces that every document has. The files hold all of DejaVu's scripts, whatever their names say. */
export const faces = {
  regular: `${sans}-400-normal.woff`,
  bold: `${sans}-700-normal.woff`,
  italic: `${sans}-400-italic.woff`,
  boldItalic: `${sans}-700-italic.woff`,
  mono: `${mono}-400-normal.woff`,
  monoBold: `${mono}-700-normal.woff`,
} as const;
export type Face = keyof typeof faces;

/** Packages with the writing of East Asia, each too large to come with every installation. */
const asian = ['tc', 'sc', 'jp', 'kr'] as const;
export type Asian = (typeof asian)[number];

/** The npm package whose font can write a script; undefined for scripts that none can. */
export function packageFor(script: string): string | undefined {
  const region = { Han: 'tc', Bopomofo: 'tc', Hiragana: 'jp', Katakana: 'jp', Hangul: 'kr' }[script];
  return region === undefined ? undefined : `@embedpdf/fonts-${region}`;
}

/** The WOFF file of a face; the packages are dependencies, so it is there. */
export function fileOf(face: Face): string {
  return createRequire(import.meta.url).resolve(faces[face]);
}

/** The files of a region's package, regular and bold, where it is installed. */
export function asianFiles(
  region: Asian,
  find: FindPackage,
): { readonly regular: string; readonly bold: string } | undefined {
  const folder = find(`@embedpdf/fonts-${region}`);
  if (folder === undefined) return undefined;
  try {
    const files = readdirSync(join(folder, 'fonts')).sort();
    const regular = files.find((file) => /-Regular\.(otf|ttf)$/.test(file));
    if (regular === undefined) return undefined;
    return {
      regular: join(folder, 'fonts', regular),
      bold: join(folder, 'fonts', files.find((file) => /-Bold\.(otf|ttf)$/.test(file)) ?? regular),
    };
  } catch {
    return undefined;
  }
}

/** Which region's shapes a text wants first: kana is Japanese, and Chinese shows itself by its commonest characters. */
export function regionsFor(text: string): readonly Asian[] {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return ['jp', 'tc', 'sc', 'kr'];
  const simplified = text.match(/[这们个来时说为会国发学对过经开关设数据资讯务动应务]/gu)?.length ?? 0;
  const traditional = text.match(/[這們個來時說為會國發學對過經開關設數據資訊務動應]/gu)?.length ?? 0;
  return simplified > traditional ? ['sc', 'tc', 'jp', 'kr'] : ['tc', 'sc', 'jp', 'kr'];
}
