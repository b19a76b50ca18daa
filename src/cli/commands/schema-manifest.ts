import type { Command } from 'commander';
import { manifestShape } from '../../manifest/block-shape.ts';
import { besideShapes } from '../manifest/jobs-shape.ts';
import { languageHelp } from '../manifest/language-help.ts';
import { manifestSchema } from '../manifest/json-schema.ts';
import { tableIn } from '../manifest/table.ts';
import type { RunIn } from '../composite-command.ts';

export function define(command: Command, run: RunIn): void {
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
    .action(() =>
      run(async (session) => {
        const schema = manifestSchema(manifestShape(tableIn(session, session.runtime.cwd), besideShapes));
        if (session.format !== 'table' || session.flags.query !== undefined) {
          const printer = await session.printer();
          await printer.one(schema);
          return printer.end();
        }
        await session.terminal.stdout.write(`${JSON.stringify(schema, null, 2)}\n`);
        await session.terminal.stdout.flush();
      }),
    );
}
