import type { DefineCommand } from '../../composite-command.ts';
import { readSpecificationFile, refuseErrors } from './specification-file.ts';
import type { CommandHelp } from '../../command-help.ts';

export const help: CommandHelp = {
  description: `
Reads Swagger 2.0, OpenAPI 3.0 and 3.1, JSON or YAML, with the files beside it that it refers to; asks no store and no server.
Exit 8 with the line of each error.
`,
  examples: [
    'docsctl openapi validate openapi.yaml',
    'docsctl openapi validate openapi.yaml -o json | jq .operations',
    'docsctl openapi validate api/spec/openapi.yaml --root api   # it refers to ../common/errors.yaml',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .argument('<file>', 'specification: a file, - for standard input')
    .option('--root <folder>', 'folder that holds all its files (default: its own)')
    .action(
      inSession(async (session, file: string, { root }: { readonly root?: string }) => {
        const { read } = await readSpecificationFile(session, file, root);
        refuseErrors(file, read);
        const columns = ['title', 'version', 'format', 'operations', 'webhooks', 'schemas'];
        await session.print({ file, ...read.facts }, { columns });
      }),
    );
};
