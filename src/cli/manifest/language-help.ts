/** The tags and fields of manifests, for help texts. */
export const languageHelp = `
Tags and fields of a manifest:

  !ref space.guide            a block of this manifest, by kind and name
  !lookup { title: Guide }    an existing resource without a block, by its fields
  !file schemas/visitor.json  the text of a file in the folder of the manifest; if the field takes a map or a list, the file is read as JSON or YAML
  \${var.name}, \${env.NAME}    a variable declared under "vars:", or an environment variable; write $\${ for a plain \${
  ref: name                   name of a block in a list, by which !ref finds it (default: the value of its path field)
  id: ID                      the ID of the existing resource that the block stands for
  overlay: true               at the top of docsctl.production.yaml: this file changes the manifest named before it (-f docsctl.yaml -f docsctl.production.yaml); a block with the value null is removed
  protect: true               never delete this resource, even with --prune
  content: { unlisted: … }    pages missing from the table of contents; skip: leave them out (default); hidden: import them as hidden pages
`;
