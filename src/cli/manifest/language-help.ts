/** The tags and fields of manifests, for help texts. */
export const languageHelp = `
In a manifest:
  !ref space.guide            another block of it, by kind and name
  !lookup { title: Guide }    a live one that it does not have, by its fields
  !file schemas/visitor.json  the text of a file beside this one; of JSON and YAML the value, where one is wanted
  !secret { env: PAY_TOKEN }  a value that is shown nowhere; or !secret { file: path }
  \${var.name}, \${env.NAME}    in any text: a variable that "vars:" declares, and one of the environment; $\${ is plain
  ref: name                   in lists, the name of a block for !ref, where its path is not to be it
  id: ID                      which live resource a block is, where its names do not tell
  protect: true               nothing deletes it, --prune neither
  content: { unlisted: … }    pages that the table of contents does not name: skip (default) or hidden
`;
