import type { Command } from 'commander';
import { Problem } from '../../../errors/problem.ts';
import { downloadSpacePdf, exportSpacePdf } from '../../../resources/spaces/contract.ts';
import { createNames } from '../../names.ts';
import { savePdf } from './save-pdf.ts';
import type { RunInSession } from '../../composite-command.ts';
import { forceOption, outOption, type SaveOptions } from '../../fields.ts';

interface Options extends SaveOptions {
  readonly space?: string;
  readonly page?: string;
  readonly only?: boolean;
}

export function define(command: Command, run: RunInSession): void {
  command
    .argument('[space]', 'space, by id or title')
    .option('--space <id|title>', 'the space')
    .option('--page <page>', 'this page and those under it, by path, title or id')
    .option('--only', 'that page alone')
    .option(...outOption)
    .option(...forceOption)
    .addHelpText(
      'after',
      '\nWithout -O it prints the address where the PDF can be downloaded.\n\nExamples:\n  docsctl spaces pdf Handbook -O handbook.pdf\n  docsctl spaces pdf Handbook --page guides -O guides.pdf\n',
    )
    .action((given: string | undefined, { space = given, page, only, ...options }: Options) =>
      run(async (session) => {
        if (space === undefined)
          throw new Problem('usage', 'Which space?', { hint: 'docsctl spaces pdf SPACE -O FILE' });
        const names = createNames(session);
        const spaceId = await names.resolve('spaceId', space, {}, 'spaces.pdf');
        const params = { spaceId };
        const query = {
          ...(page === undefined ? {} : { page: await names.resolve('pageId', page, params, 'spaces.pdf') }),
          ...(only === true ? { only } : {}),
        };
        await savePdf(
          session,
          { address: exportSpacePdf, download: downloadSpacePdf, params, query },
          options,
        );
      }),
    );
}
