import { readPageText } from '../richtext/front-matter.ts';
import { pageTitle } from './page-reader.ts';

/** Functions that read files of a folder before its pages are read. */
export interface ReadAhead {
  readonly textOf: (path: string) => string;
  /** Returns the front matter of a page, or the whole text of another file. */
  readonly headOf: (path: string) => string;
}

/** The files of a folder that may have settings or a table of contents of other tools. */
export interface Files extends ReadAhead {
  readonly paths: ReadonlySet<string>;
}

/** Returns the title of a page before it is read; `label`, or else the title from its name, if the page contains none. */
export function titleAhead(path: string, { textOf }: ReadAhead, label?: string): string {
  const { metadata, body } = readPageText(textOf(path));
  return pageTitle(path, metadata, body, label);
}
