import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Binding from '@photostructure/sqlite';

const name = '@photostructure/sqlite';
const require = createRequire(import.meta.url);

/**
 * Loads SQLite. The package's own entry point takes milliseconds to find the prebuilt binary, so the binary is loaded directly.
 * The entry point is used if the package was compiled on this machine or has no binary for it.
 */
export function loadBinding(): Pick<typeof Binding, 'DatabaseSync'> {
  try {
    const prebuilt = prebuiltPath();
    if (prebuilt !== undefined) return require(prebuilt) as typeof Binding;
  } catch {
    // There is no binary for this machine.
  }
  return require(name) as typeof Binding;
}

/** Returns the path of the module that `loadBinding` loads, for another process. */
export function bindingPath(): string {
  const prebuilt = prebuiltPath();
  return prebuilt !== undefined && existsSync(prebuilt) ? prebuilt : require.resolve(name);
}

/** Returns the path of the prebuilt binary; undefined if the package was compiled on this machine or has no binary for it. */
function prebuiltPath(): string | undefined {
  // Looks where require would look, without reading any package.json.
  const folder = require.resolve
    .paths(name)
    ?.map((place) => join(place, name))
    .find((place) => existsSync(place));
  if (folder === undefined || existsSync(join(folder, 'build'))) return undefined;
  const libc = process.platform === 'linux' && existsSync('/etc/alpine-release') ? 'musl' : 'glibc';
  return join(
    folder,
    'prebuilds',
    `${process.platform}-${process.arch}`,
    `@photostructure+sqlite.${libc}.node`,
  );
}
