import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Binding from '@photostructure/sqlite';

const name = '@photostructure/sqlite';
const require = createRequire(import.meta.url);

/**
 * Loads SQLite. The package's own entry point takes milliseconds to find the prebuilt binary, so the binary is loaded
 * directly. If the package was compiled on this machine, or has no binary for it, its entry point is used.
 */
export function loadBinding(): Pick<typeof Binding, 'DatabaseSync'> {
  return loadPrebuilt() ?? (require(name) as typeof Binding);
}

function loadPrebuilt(): typeof Binding | undefined {
  try {
    // Looks where require would look, without reading any package.json.
    const folder = require.resolve
      .paths(name)
      ?.map((place) => join(place, name))
      .find((place) => existsSync(place));
    if (folder === undefined || existsSync(join(folder, 'build'))) return undefined;
    const libc = process.platform === 'linux' && existsSync('/etc/alpine-release') ? 'musl' : 'glibc';
    return require(
      join(folder, 'prebuilds', `${process.platform}-${process.arch}`, `@photostructure+sqlite.${libc}.node`),
    ) as typeof Binding;
  } catch {
    return undefined;
  }
}
