import type { Terminal } from '../runtime.ts';
import { withHeadings } from './headings.ts';
import { recordText } from './record.ts';
import { createTheme } from './style.ts';

/** Draws the fields of an object on a terminal, with headings in words. */
export async function drawFields(
  { columns, color }: Terminal,
  fields: Parameters<typeof withHeadings>[0],
): Promise<string> {
  return recordText(withHeadings(fields), columns, await createTheme(color));
}
