import type { DefineCommand } from '../../composite-command.ts';
import { readSpecificationFile } from './specification-file.ts';
import type { CommandHelp } from '../../command-help.ts';

export const help: CommandHelp = {
  description: `
Checks Swagger 2.0, OpenAPI 3.0 and OpenAPI 3.1 in JSON or YAML, with all files that the specification refers to. Works without a store or server. Each error is printed with its file, line and column (exit 8), even if \`docsctl openapi publish\` would only warn about it.
`,
  examples: [
    'docsctl openapi validate billing.yaml',
    'docsctl openapi validate billing.yaml --query operations -o json',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .argument('<file>', 'file of the specification, or - for standard input')
    .option(
      '--root <folder>',
      'folder that contains the specification and all files that it refers to (default: the folder of the file)',
    )
    .action(
      inSession(async (session, file: string, { root }: { root?: string }) => {
        const { read } = await readSpecificationFile(session, file, root, true);
        const columns = ['title', 'version', 'format', 'operations', 'webhooks', 'schemas'];
        await session.print({ file, ...read.facts }, { columns });
      }),
    );
};
