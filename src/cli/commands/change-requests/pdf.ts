import {
  downloadChangeRequestPdf,
  exportChangeRequestPdf,
} from '../../../resources/change-requests/contract.ts';
import { defined } from '../../../contract/values.ts';
import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { addPdfOptions, savePdf, type PdfOptions } from '../spaces/save-pdf.ts';
import { addChangeRequestArgument, requireChangeRequest, type NamedChangeRequest } from './named.ts';

export const help: CommandHelp = {
  description: `
Without -O, prints the address at which the server offers the PDF. On an embedded store, -O is required.
`,
  examples: [
    'docsctl change-requests pdf 7 --space Guide -O guide.pdf',
    'docsctl change-requests pdf 7 --space Guide --page quickstart --only -O quickstart.pdf',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  addPdfOptions(addChangeRequestArgument(command)).action(
    inSession(
      async (session, changeRequest: string | undefined, options: PdfOptions & NamedChangeRequest) => {
        const example = 'docsctl change-requests pdf 7 --space Guide -O guide.pdf';
        await savePdf(session, options, {
          address: exportChangeRequestPdf,
          download: downloadChangeRequestPdf,
          params: await requireChangeRequest(session, { ...defined({ changeRequest }), ...options }, example),
        });
      },
    ),
  );
};
