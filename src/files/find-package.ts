import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Returns the folder of an installed package; undefined if it is not installed. */
export type FindPackage = (name: string) => string | undefined;

/** Finds packages from the location of this program, bundled or not. */
export const findInstalled: FindPackage = (name) => {
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    const folder = join('node_modules', ...name.split('/'));
    const start = entry.lastIndexOf(folder);
    return start === -1 ? dirname(entry) : entry.slice(0, start + folder.length);
  } catch {
    return undefined;
  }
};
