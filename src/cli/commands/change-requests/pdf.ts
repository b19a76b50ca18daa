import {
  downloadChangeRequestPdf,
  exportChangeRequestPdf,
} from '../../../resources/change-requests/contract.ts';
import { type DefineCommand } from '../../composite-command.ts';
import { requireParam } from '../../choose-missing.ts';
import { addPdfOptions, savePdf, type PdfOptions } from '../spaces/save-pdf.ts';
import type { CommandHelp } from '../../command-help.ts';
import { requiredArgument, requiredOption } from '../../required.ts';

interface Options extends PdfOptions {
  readonly changeRequest?: string;
}

const usage = 'Name it, for example `docsctl change-requests pdf 7 --space Guide -O guide.pdf`.';

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
  command
    .addArgument(requiredArgument('[change-request]', 'number or ID of the change request'))
    .addOption(requiredOption('--space <space>', 'title or ID of the space'))
    .option(
      '--change-request <number>',
      'number or ID of the change request, if it is not the first argument',
    );
  addPdfOptions(command).action(
    inSession(async (session, given: string | undefined, { changeRequest = given, ...options }: Options) => {
      const spaceId = await requireParam(session, ['spaceId', options.space], { hint: usage });
      const changeRequestId = await requireParam(session, ['changeRequestId', changeRequest], {
        params: { spaceId },
        operationId: 'change-requests.get',
        hint: usage,
      });
      await savePdf(session, options, {
        address: exportChangeRequestPdf,
        download: downloadChangeRequestPdf,
        params: { spaceId, changeRequestId },
      });
    }),
  );
};
