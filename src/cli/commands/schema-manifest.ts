import { manifestSchema } from '../../manifest/block-schema.ts';
import { languageHelp } from '../manifest/language-help.ts';
import { editorSchema } from '../manifest/editor-schema.ts';
import { jobFields } from '../manifest/read-jobs.ts';
import { tableIn } from '../manifest/table.ts';
import type { DefineCommand } from '../composite-command.ts';

export const define: DefineCommand = (command, inSession) => {
  command
    .addHelpText(
      'after',
      `
For editors: save it, and put this in the first line of a manifest. The editor has to know the tags of manifests as well:
"yaml.customTags": ["!ref scalar", "!file scalar", "!lookup mapping", "!secret mapping"].

  # yaml-language-server: $schema=./docsctl.schema.json
${languageHelp}
Examples:
  docsctl schema manifest > docsctl.schema.json
`,
    )
    .action(
      inSession(async (session) => {
        const schema = editorSchema(manifestSchema(tableIn(session, session.runtime.cwd), jobFields));
        if (session.format !== 'table' || session.flags.query !== undefined) {
          const printer = await session.printer();
          await printer.one(schema);
          return printer.end();
        }
        await session.terminal.stdout.write(`${JSON.stringify(schema, null, 2)}\n`);
        await session.terminal.stdout.flush();
      }),
    );
};
