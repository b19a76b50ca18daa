import { table } from '../store.ts';

/** A piece of a page of a space's current content, as a search finds it. */
export interface SectionRow {
  /** `<space>.<page>.<number>`, numbered in reading order. */
  readonly id: string;
  readonly space: string;
  readonly page: string;
  /** Where in the page it is; empty for what comes before the first heading. */
  readonly anchor: string;
  readonly title: string;
  readonly pageTitle: string;
  /** Plain text. */
  readonly body: string;
}
export const sections = table<SectionRow>()(
  'sections', //
  // The sections of a page lie together: their ids start with those of space and page.
  { bySpace: { on: ['space'] } },
  { pageTitle: 4, title: 3, body: 1 },
);
