import { downloadSpacePdf, exportSpacePdf } from '../../../resources/spaces/contract.ts';
import { requireArgument, type DefineCommand } from '../../composite-command.ts';
import { resolveName } from '../../names.ts';
import { addPdfOptions, savePdf, type PdfOptions } from './save-pdf.ts';
import type { CommandHelp } from '../../command-help.ts';

export const help: CommandHelp = {
  description: `
Without -O it prints the address where the PDF can be downloaded.
`,
  examples: [
    'docsctl spaces pdf Handbook -O handbook.pdf',
    'docsctl spaces pdf Handbook --page guides -O guides.pdf',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command.argument('[space]', 'space, by id or title').option('--space <id|title>', 'the space');
  addPdfOptions(command).action(
    inSession(async (session, given: string | undefined, options: PdfOptions) => {
      const space = requireArgument(
        options.space ?? given,
        'Which space?',
        'docsctl spaces pdf SPACE -O FILE',
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
