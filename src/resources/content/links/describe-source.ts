import type { BrokenLinkBody } from './schemas.ts';

/**
 * Returns the place of a broken link: its file, or else the path of its page, with the line. Names the space unless it is `here`.
 */
export function describeSource({ space, source, line }: BrokenLinkBody, here?: string): string {
  const place = `${source.file ?? source.path ?? source.title}:${line}`;
  return space.id === here ? place : `${space.title}: ${place}`;
}
