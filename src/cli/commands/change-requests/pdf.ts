import type { Command } from 'commander';
import { Problem } from '../../../errors/problem.ts';
import {
  downloadChangeRequestPdf,
  exportChangeRequestPdf,
} from '../../../resources/change-requests/contract.ts';
import { createNames } from '../../names.ts';
import { savePdf } from '../spaces/save-pdf.ts';
import type { RunInSession } from '../../composite-command.ts';
import { forceOption, outOption, type SaveOptions } from '../../fields.ts';

interface Options extends SaveOptions {
  readonly space?: string;
  readonly changeRequest?: string;
  readonly page?: string;
  readonly only?: boolean;
}

export function define(command: Command, run: RunInSession): void {
  command
    .argument('[change-request]', 'change request, by number or id')
    .option('--space <id|title>', 'the space')
    .option('--change-request <id|number>', 'the change request')
    .option('--page <page>', 'this page and those under it, by path, title or id')
    .option('--only', 'that page alone')
    .option(...outOption)
    .option(...forceOption)
    .addHelpText(
      'after',
      '\nWithout -O it prints the address where the PDF can be downloaded.\n\nExamples:\n  docsctl change-requests pdf 7 --space Handbook -O handbook.pdf\n  docsctl change-requests pdf 7 --space Handbook --page guides/install --only -O install.pdf\n',
    )
    .action((given: string | undefined, { space, changeRequest = given, page, only, ...options }: Options) =>
      run(async (session) => {
        if (changeRequest === undefined || space === undefined)
          throw new Problem(
            'usage',
            changeRequest === undefined ? 'Which change request?' : 'Of which space?',
            {
              hint: 'docsctl change-requests pdf NUMBER --space SPACE -O FILE',
            },
          );
        const names = createNames(session);
        const spaceId = await names.resolve('spaceId', space, {}, 'change-requests.pdf');
        const params = { spaceId, changeRequestId: changeRequest };
        const query = {
          ...(page === undefined
            ? {}
            : { page: await names.resolve('pageId', page, params, 'change-requests.pdf') }),
          ...(only === true ? { only } : {}),
        };
        await savePdf(
          session,
          { address: exportChangeRequestPdf, download: downloadChangeRequestPdf, params, query },
          options,
        );
      }),
    );
}
