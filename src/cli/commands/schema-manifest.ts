import { manifestSchema } from '../../manifest/block-schema.ts';
import { languageHelp } from '../manifest/language-help.ts';
import { editorSchema } from '../manifest/editor-schema.ts';
import { printText } from '../manifest/print-report.ts';
import { jobFields } from '../manifest/read-jobs.ts';
import { kindsWithContent } from '../manifest/content-kinds.ts';
import type { DefineCommand } from '../composite-command.ts';
import { wantsTable } from '../session.ts';
import type { CommandHelp } from '../command-help.ts';

export const help: CommandHelp = {
  description: `
For editors: save it, and put this in the first line of a manifest. The editor has to know the tags of manifests as well:
"yaml.customTags": ["!ref scalar", "!file scalar", "!lookup mapping", "!secret mapping"].

  # yaml-language-server: $schema=./docsctl.schema.json
${languageHelp}
`,
  examples: ['docsctl schema manifest > docsctl.schema.json'],
};

export const define: DefineCommand = (command, inSession) => {
  command.action(
    inSession(async (session) => {
      const schema = editorSchema(manifestSchema(kindsWithContent(session, session.runtime.cwd), jobFields));
      await (wantsTable(session)
        ? printText(session, `${JSON.stringify(schema, null, 2)}\n`)
        : session.print(schema));
    }),
  );
};
