import { file, ok, operation } from '../../../contract/operation.ts';
import { closed, Id, optional, Type } from '../../../contract/schema.ts';
import type { changeRequestBase, spaceBase } from '../base.ts';

const query = optional({
  page: Type.String({ ...Id, description: 'only this page and the pages below it' }),
  only: Type.Boolean({ description: 'only that page, without the pages below it' }),
});

/** Declares the PDF operations of spaces or of change requests. */
export function pdfOperations<const B extends typeof spaceBase | typeof changeRequestBase>({
  words,
  path,
  scope,
  name,
}: B) {
  const access = `${scope as B['scope']}.read` as const;
  return {
    exportPdf: operation({
      id: `${words}.pdf`,
      route: `GET ${path as B['path']}/pdf`,
      summary: `Show the address of a PDF of a ${name}`,
      access,
      query,
      returns: ok(closed({ url: Type.String({ maxLength: 2048 }) })),
      cli: { composite: true },
    }),
    downloadPdf: operation({
      id: `${words}.pdf-download`,
      route: `GET ${path as B['path']}/pdf/download`,
      summary: `Download a PDF of a ${name}`,
      description:
        'The PDF has a table of contents and the pages in their order. It contains PNG and JPEG images; other images are drawn as frames with their names. Blocks of installed integrations are drawn. This operation is not in the official API of GitBook.',
      access,
      query,
      returns: file(),
      cli: { composite: true },
    }),
  };
}
