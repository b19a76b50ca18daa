import { file, ok, operation } from '../../../contract/operation.ts';
import { closed, Id, Type } from '../../../contract/schema.ts';
import type { changeRequestBase, spaceBase } from '../base.ts';

const query = {
  page: Type.Optional(Id),
  only: Type.Optional(Type.Boolean({ description: 'That page alone, without those under it' })),
};

/** Declares the PDF of a space or of a change request. */
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
      summary: `Give the address of a PDF of a ${name}, or save the PDF`,
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
        'Pages in their order with a table of contents; PNG and JPEG images are in it, others as frames with their names. Not in the official API.',
      access,
      query,
      returns: file(),
      cli: { composite: true },
    }),
  };
}
