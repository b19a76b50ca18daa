import { manifestSchema } from '../../manifest/block-schema.ts';
import { languageHelp } from '../manifest/language-help.ts';
import { editorSchema } from '../manifest/editor-schema.ts';
import { printText } from '../output/print-text.ts';
import { jobFields } from '../manifest/read-jobs.ts';
import { kindsWithContent } from '../manifest/content-kinds.ts';
import type { CommandHelp, DefineCommand } from '../composite-command.ts';
import { wantsTable } from '../session/session.ts';

export const help: CommandHelp = {
  description: `
Editors with YAML support use the schema to complete fields and mark mistakes. Save the schema beside the
manifest, as in the example, and make this the first line of the manifest:

  # yaml-language-server: $schema=./docsctl.schema.json

In VS Code, also add the tags of manifests to the settings:

  "yaml.customTags": ["!ref scalar", "!file scalar", "!lookup mapping"]
${languageHelp}
`,
  examples: ['docsctl schema manifest > docsctl.schema.json'],
};

export const define: DefineCommand = (command, inSession) => {
  command.action(
    inSession(async (session) => {
      const schema = editorSchema(manifestSchema(kindsWithContent(session, session.runtime.cwd), jobFields));
      await (wantsTable(session)
        ? printText(session, `${JSON.stringify(schema, null, 1)}\n`)
        : session.print(schema));
    }),
  );
};
