import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FindPackage } from '../files/find-package.ts';
import { markup } from '../render/markup.ts';
import { readSiteFile, siteFile, type SiteFile } from './site-file.ts';

/** The files that render the diagrams of pages in a frame: the document of the frame, and its scripts. */
export interface DiagramFiles {
  readonly frame: SiteFile;
  readonly scripts: readonly SiteFile[];
}

/** The content security policy of the frame for diagrams: it may run its own scripts. It can only send messages to the page. */
const framePolicy =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts";

/** Reads the files that render diagrams; undefined if the package `mermaid` is not installed with this program. */
export function readDiagramFiles(findPackage: FindPackage): DiagramFiles | undefined {
  const folder = findPackage('mermaid');
  const path = folder === undefined ? undefined : join(folder, 'dist', 'mermaid.min.js');
  if (path === undefined || !existsSync(path)) return undefined;
  const type = 'text/javascript; charset=utf-8';
  // The frame has an opaque origin, so for a browser these files are cross-origin.
  const headers = { 'cross-origin-resource-policy': 'cross-origin' };
  const scripts = [
    siteFile('mermaid', 'js', type, readFileSync(path)),
    readSiteFile('draw-diagrams', 'js', type),
  ].map((file) => ({ ...file, headers }));
  const document = markup`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Diagrams</title>${scripts.map(({ name }) => markup`<script src="${name}"></script>`)}</head><body></body></html>`;
  const frame = siteFile('diagrams', 'html', 'text/html; charset=utf-8', Buffer.from(document.text));
  return { frame: { ...frame, headers: { 'content-security-policy': framePolicy } }, scripts };
}
