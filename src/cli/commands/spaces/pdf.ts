import { downloadSpacePdf, exportSpacePdf } from '../../../resources/spaces/contract.ts';
import { requiredArgument, type CommandHelp, type DefineCommand } from '../../composite-command.ts';
import { requireParam } from '../../names/choose-missing.ts';
import { addPdfOptions, savePdf, type PdfOptions } from './save-pdf.ts';

export const help: CommandHelp = {
  description: `
Without -O, prints the address at which the server offers the PDF. On an embedded store, -O is required.
`,
  examples: [
    'docsctl spaces pdf Guide -O guide.pdf',
    'docsctl spaces pdf Guide --page quickstart --only -O quickstart.pdf',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .addArgument(requiredArgument('[space]', 'title or ID of the space'))
    .option('--space <space>', 'title or ID of the space, instead of the argument');
  addPdfOptions(command).action(
    inSession(async (session, given: string | undefined, options: PdfOptions) => {
      const spaceId = await requireParam(session, ['spaceId', options.space ?? given], {
        hint: 'Give it, for example `docsctl spaces pdf Guide -O guide.pdf`.',
      });
      await savePdf(session, options, {
        address: exportSpacePdf,
        download: downloadSpacePdf,
        params: { spaceId },
      });
    }),
  );
};
