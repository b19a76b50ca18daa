import {
  downloadChangeRequestPdf,
  exportChangeRequestPdf,
} from '../../../resources/change-requests/contract.ts';
import { requireArgument, type DefineCommand } from '../../composite-command.ts';
import { resolveName } from '../../names.ts';
import { addPdfOptions, savePdf, type PdfOptions } from '../spaces/save-pdf.ts';
import type { CommandHelp } from '../../command-help.ts';

interface Options extends PdfOptions {
  readonly changeRequest?: string;
}

const usage = 'docsctl change-requests pdf NUMBER --space SPACE -O FILE';

export const help: CommandHelp = {
  description: `
Without -O it prints the address where the PDF can be downloaded.
`,
  examples: [
    'docsctl change-requests pdf 7 --space Handbook -O handbook.pdf',
    'docsctl change-requests pdf 7 --space Handbook --page guides/install --only -O install.pdf',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .argument('[change-request]', 'change request, by number or id')
    .option('--space <id|title>', 'the space')
    .option('--change-request <id|number>', 'the change request');
  addPdfOptions(command).action(
    inSession(async (session, given: string | undefined, { changeRequest = given, ...options }: Options) => {
      const changeRequestId = requireArgument(changeRequest, 'Which change request?', usage);
      const space = requireArgument(options.space, 'Of which space?', usage);
      const spaceId = await resolveName(session, 'spaceId', space);
      await savePdf(session, options, {
        address: exportChangeRequestPdf,
        download: downloadChangeRequestPdf,
        params: { spaceId, changeRequestId },
      });
    }),
  );
};
