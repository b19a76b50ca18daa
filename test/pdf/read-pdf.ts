import { inflateSync } from 'node:zlib';

/** The content of a PDF without compression that tests look at. */
export interface ReadPdf {
  /** The text of each page in drawing order, with a line for each piece. */
  readonly pages: readonly string[];
  /** Bookmarks with the level of each. */
  readonly outline: readonly (readonly [level: number, title: string])[];
  /** URLs that links lead to. */
  readonly urls: readonly string[];
  /** Links inside the file: the page they are on and the page they lead to, from 1. */
  readonly jumps: readonly (readonly [from: number, to: number])[];
  readonly info: Readonly<Record<string, string>>;
  readonly raw: string;
}

/** Reads the objects of a PDF that docsctl created. */
export function readPdf(bytes: Uint8Array): ReadPdf {
  const raw = Buffer.from(bytes).toString('latin1');
  const objects = new Map<string, string>();
  for (const [, id, body] of raw.matchAll(/(?:^|\n)(\d+) 0 obj\n([^]*?)\nendobj/g)) objects.set(id!, body!);
  const ref = (body: string, key: string): string | undefined =>
    new RegExp(`/${key} (\\d+) 0 R`).exec(body)?.[1];
  const root = objects.get(ref(raw.slice(raw.lastIndexOf('trailer')), 'Root')!)!;
  const kids = [
    .../\/Kids \[([^\]]*)\]/.exec(objects.get(ref(root, 'Pages')!)!)![1]!.matchAll(/(\d+) 0 R/g),
  ].map(([, id]) => id!);
  const names = new Map<string, string>();
  for (const [, name, page] of objects.get(ref(root, 'Names')!)!.matchAll(/\((p[\w.]+)\) \[(\d+) 0 R/g))
    names.set(name!, page!);
  const urls: string[] = [];
  const jumps: [number, number][] = [];
  kids.forEach((kid, index) => {
    for (const [, id] of (/\/Annots \[([^\]]*)\]/.exec(objects.get(kid)!)?.[1] ?? '').matchAll(
      /(\d+) 0 R/g,
    )) {
      const action = objects.get(ref(objects.get(id!)!, 'A')!)!;
      const url = /\/URI \(([^)]*)\)/.exec(action)?.[1];
      if (url !== undefined) urls.push(url.replace(/\\(.)/g, '$1'));
      const name = /\/D \(([^)]*)\)/.exec(action)?.[1];
      if (name !== undefined) jumps.push([index + 1, kids.indexOf(names.get(name)!) + 1]);
    }
  });
  return {
    pages: kids.map((kid) => textOf(objects.get(kid)!, objects)),
    outline: outlineOf(root, objects),
    urls,
    jumps,
    info: infoOf(raw, objects),
    raw,
  };
}

function infoOf(raw: string, objects: ReadonlyMap<string, string>): Record<string, string> {
  const info = objects.get(/\/Info (\d+) 0 R/.exec(raw.slice(raw.lastIndexOf('trailer')))![1]!)!;
  return Object.fromEntries(
    [...info.matchAll(/\/(\w+) (\d+) 0 R/g)].map(([, key, id]) => [key!, stringOf(objects.get(id!)!)]),
  );
}

function outlineOf(root: string, objects: ReadonlyMap<string, string>): [number, string][] {
  const found: [number, string][] = [];
  const walk = (id: string | undefined, level: number): void => {
    for (let at = id; at !== undefined;) {
      const body = objects.get(at)!;
      found.push([level, stringOf(/\/Title (\((?:\\.|[^\\)])*\))/.exec(body)![1]!)]);
      walk(/\/First (\d+) 0 R/.exec(body)?.[1], level + 1);
      at = /\/Next (\d+) 0 R/.exec(body)?.[1];
    }
  };
  const outlines = /\/Outlines (\d+) 0 R/.exec(root)?.[1];
  if (outlines !== undefined) walk(/\/First (\d+) 0 R/.exec(objects.get(outlines)!)?.[1], 0);
  return found;
}

/** Reads a PDF string: Latin-1, or UTF-16 after its byte order mark. */
function stringOf(written: string): string {
  const inner = written
    .slice(1, -1)
    .replace(
      /\\(.)/g,
      (_, character: string) => ({ n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' })[character] ?? character,
    );
  return inner.startsWith('\xfe\xff')
    ? Buffer.from(inner.slice(2), 'latin1').swap16().toString('utf16le')
    : inner;
}

function textOf(page: string, objects: ReadonlyMap<string, string>): string {
  const content = objects.get(/\/Contents (\d+) 0 R/.exec(page)![1]!)!;
  const resources = objects.get(/\/Resources (\d+) 0 R/.exec(page)![1]!)!;
  const fonts = new Map(
    [...resources.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name, id]) => [
      name!,
      charactersOf(objects.get(id!)!, objects),
    ]),
  );
  const pieces: string[] = [];
  let characters = new Map<string, string>();
  for (const [, font, shown] of content.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
    if (font !== undefined) characters = fonts.get(font)!;
    else
      pieces.push(
        [...shown!.matchAll(/<([0-9a-f]+)>/g)]
          .flatMap(([, hex]) => hex!.match(/.{4}/g)!.map((code) => characters.get(code) ?? '?'))
          .join(''),
      );
  }
  return pieces.join('\n');
}

/** The text of each glyph of a font, from its ToUnicode map. */
function charactersOf(font: string, objects: ReadonlyMap<string, string>): Map<string, string> {
  const map = objects.get(/\/ToUnicode (\d+) 0 R/.exec(font)![1]!)!;
  const found = new Map<string, string>();
  for (const [, from, , list] of map.matchAll(/<([0-9a-f]{4})> <([0-9a-f]{4})> \[([^\]]*)\]/gi)) {
    [...list!.matchAll(/<([0-9a-f ]*)>/gi)].forEach(([, hex], index) => {
      const code = (Number.parseInt(from!, 16) + index).toString(16).padStart(4, '0');
      found.set(code, Buffer.from(hex!.replaceAll(' ', ''), 'hex').swap16().toString('utf16le'));
    });
  }
  return found;
}

/** Returns the bytes of a PDF with inflated streams, as if it were created without compression. */
export function inflatePdf(bytes: Uint8Array): Uint8Array {
  const inflated = Buffer.from(bytes)
    .toString('latin1')
    .replace(/stream\n([^]*?)\nendstream/g, (whole, stream: string) => {
      try {
        return `stream\n${inflateSync(Buffer.from(stream, 'latin1')).toString('latin1')}\nendstream`;
      } catch {
        return whole;
      }
    });
  return Buffer.from(inflated, 'latin1');
}
