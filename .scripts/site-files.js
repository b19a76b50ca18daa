import { build, transform } from 'esbuild';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import svgpath from 'svgpath';

const iconPackage = 'node_modules/@fortawesome/fontawesome-free';

/** The brands that documentation shows most; all of Font Awesome's would be a third of the package. */
const brands =
  'amazon android apple aws bitbucket bitcoin bluesky chrome cloudflare confluence css3 discord docker dropbox edge ethereum facebook figma firefox git git-alt github gitlab golang google google-drive google-play hashnode html5 instagram java jira js kaggle laravel less linkedin linux mastodon medium meta microsoft node node-js npm openai paypal php pinterest python react readme reddit rust safari salesforce sass shopify signal-messenger skype slack square-js stack-overflow stripe swift telegram threads tiktok trello twitch twitter ubuntu unity unsplash vimeo vuejs whatsapp windows wordpress x-twitter yarn youtube'.split(
    ' ',
  );

/**
 * Writes what published sites need beside their pages: styles, scripts and icons. Returns what esbuild bundled.
 *
 * @param {string} root the folder of the project
 * @param {string} outdir
 * @returns {Promise<import('esbuild').Metafile>}
 */
export async function writeSiteFiles(root, outdir) {
  await mkdir(outdir, { recursive: true });
  const scripts = await build({
    absWorkingDir: root,
    entryPoints: {
      site: 'src/render/client/site.ts',
      early: 'src/render/client/early.ts',
      'draw-diagrams': 'src/render/client/draw-diagrams.ts',
      finder: 'src/static-site/client/finder.ts',
    },
    outdir,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    metafile: true,
    legalComments: 'none',
  });
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['src/render/styles/widths.ts'],
    bundle: true,
    format: 'esm',
    write: false,
  });
  const { sizeStyles } = await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0]?.contents ?? '').toString('base64')}`
  );
  const styles = await readFile(join(root, 'src/render/styles/site.css'), 'utf8');
  const { code } = await transform(styles + sizeStyles(), { loader: 'css', minify: true, target: 'es2022' });
  await writeFile(join(outdir, 'site.css'), code);
  const app = await transform(await readFile(join(root, 'src/render/styles/app.css'), 'utf8'), {
    loader: 'css',
    minify: true,
    target: 'es2022',
  });
  await writeFile(join(outdir, 'app.css'), app.code);
  const text = JSON.stringify(await readIcons(join(root, iconPackage, 'svgs')));
  const options = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: text.length } };
  await writeFile(join(outdir, 'icons.json.br'), brotliCompressSync(text, options));
  // The icons are data, not code, but they come with a license too.
  const output = { bytes: text.length, exports: [], imports: [], inputs: {} };
  const icons = { [`${iconPackage}/svgs`]: { bytesInOutput: text.length } };
  return {
    inputs: {},
    outputs: { ...scripts.metafile.outputs, 'site/icons.json.br': { ...output, inputs: icons } },
  };
}

/**
 * Reads the icons of Font Awesome Free in half their size, with a height of 256: the names of each icon, its width, and its path
 * without the "M" at the start. Whole numbers are enough in these units. Columns in place of rows, and one path for all names of
 * an icon, make the packed file smaller.
 *
 * @param {string} folder
 * @returns {Promise<{ names: string, widths: string, paths: string }>}
 */
async function readIcons(folder) {
  /** @type {Map<string, { names: string[], width: string, path: string }>} */
  const icons = new Map();
  for (const name of brands) await add(join(folder, 'brands', `${name}.svg`), name);
  for (const file of (await readdir(join(folder, 'solid'))).sort())
    await add(join(folder, 'solid', file), file.replace(/\.svg$/, ''));
  const all = [...icons.values()];
  return {
    names: all.map(({ names }) => names.join(' ')).join('|'),
    widths: all.map(({ width }) => width).join('|'),
    paths: all.map(({ path }) => path).join('M'),
  };

  /**
   * @param {string} file
   * @param {string} name
   */
  async function add(file, name) {
    const svg = await readFile(file, 'utf8');
    const [, viewWidth] = /viewBox="0 0 (\d+) 512"/.exec(svg) ?? [];
    const width = String(Number(viewWidth) / 2);
    const parts = [...svg.matchAll(/ d="([^"]+)"/g)].map(([, d]) => d);
    const rounded = svgpath(parts.join('')).scale(0.5).rel().round(0).toString();
    const [, path] = /^M([^M]+)$/.exec(rounded.replace(/ ?([a-z]) ?/gi, '$1')) ?? [];
    if (viewWidth === undefined || path === undefined) throw new Error(`${file} is no icon of one color`);
    const icon = icons.get(width + path);
    if (icon === undefined) icons.set(width + path, { names: [name], width, path });
    else icon.names.push(name);
  }
}
