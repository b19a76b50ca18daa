import { downloadSpacePdf, exportSpacePdf } from '../../../resources/spaces/contract.ts';
import { requireArgument, type DefineCommand } from '../../composite-command.ts';
import { resolveName } from '../../names.ts';
import { addPdfOptions, savePdf, type PdfOptions } from './save-pdf.ts';
import type { CommandHelp } from '../../command-help.ts';

export const help: CommandHelp = {
  description: `
Without -O it prints the address at which the server offers the PDF. A store without a server needs -O.
`,
  examples: [
    'docsctl spaces pdf Guide -O guide.pdf',
    'docsctl spaces pdf Guide --page quickstart --only -O quickstart.pdf',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .argument('[space]', 'title or ID of the space (required)')
    .option('--space <space>', 'title or ID of the space');
  addPdfOptions(command).action(
    inSession(async (session, given: string | undefined, options: PdfOptions) => {
      const space = requireArgument(
        options.space ?? given ?? session.settings.space?.value,
        'Which space?',
        'Give it, for example `docsctl spaces pdf Guide -O guide.pdf`.',
      );
      const spaceId = await resolveName(session, 'spaceId', space);
      await savePdf(session, options, {
        address: exportSpacePdf,
        download: downloadSpacePdf,
        params: { spaceId },
      });
    }),
  );
};
