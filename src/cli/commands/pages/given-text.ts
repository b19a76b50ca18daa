import type { Session } from '../../session/session.ts';
import { refuseTogether } from '../../input/given-twice.ts';

/** The options that contain the text of a page. */
export interface TextOptions {
  readonly file?: string;
  readonly text?: string;
}

/**
 * Returns the text that the options give; undefined if they give none.
 * @throws Problem(usage) if both are given; Problem(invalid-input) if the file cannot be read
 */
export async function readGivenText(
  session: Session,
  { file, text }: TextOptions,
): Promise<string | undefined> {
  refuseTogether({ file, text });
  if (file !== undefined) return (await import('../../input/files.ts')).readText(session, file);
  return text === undefined ? undefined : (await import('../../input/fields.ts')).readWhole(session, text);
}
