import { parseSync, Visitor } from 'oxc-parser';

const getters = /__export\(stdin_exports,\{([^}]*)\}\);module\.exports=__toCommonJS\(stdin_exports\);/;
const getter = /([\w$]+):\(\)=>([\w$.]+)/g;

/**
 * Replaces the getters that esbuild exports with by plain properties, which are set when the chunk has run. Commands load a
 * thousand of them; creating and calling a function for each takes longer than most chunks run. Modules of Node are used as they
 * are, without a copy of all that they export.
 *
 * Plain properties do not follow variables, and are missing while chunks that import each other are loaded. Chunks that export
 * variables which change are refused; esbuild has never made chunks that import each other.
 *
 * @param {string} body the chunk as CommonJS
 * @param {string} text the chunk as esbuild made it
 * @throws {Error} if a function assigns an exported variable
 */
export function withPlainExports(body, text) {
  const changed = changedExports(text);
  if (changed.length > 0) throw new Error(`A chunk exports variables that change: ${changed.join(', ')}.`);
  const [found = '', list = ''] = getters.exec(body) ?? [];
  const properties = [...list.matchAll(getter)].map(([, name, value]) => `${name}:${value}`);
  const plain = body
    .replace(found, '')
    .replace(/\b(\w+)=__toESM\(require\(("node:[\w/]+")\)\)/g, (whole, name, module) =>
      body.includes(`${name}.default`) ? whole : `${name}=require(${module})`,
    );
  return found === '' ? plain : `${plain};module.exports={${properties.join(',')}};`;
}

/**
 * Returns the exported variables that functions of a module assign.
 *
 * @param {string} text
 */
export function changedExports(text) {
  /** @type {Set<string>} */
  const assigned = new Set();
  /** @type {string[]} */
  const exported = [];
  let depth = 0;
  const enter = () => void depth++;
  const leave = () => void depth--;
  /** @param {import('oxc-parser').Node | null | undefined} target */
  const assign = (target) => {
    if (depth === 0 || !target) return;
    if (target.type === 'Identifier') assigned.add(target.name);
    else if (target.type === 'AssignmentPattern') assign(target.left);
    else if (target.type === 'RestElement') assign(target.argument);
    else if (target.type === 'ArrayPattern') target.elements.forEach(assign);
    else if (target.type === 'ObjectPattern')
      for (const property of target.properties)
        assign(property.type === 'Property' ? property.value : property);
  };
  new Visitor({
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
    PropertyDefinition: enter,
    'PropertyDefinition:exit': leave,
    AssignmentExpression: ({ left }) => assign(left),
    UpdateExpression: ({ argument }) => assign(argument),
    ForInStatement: ({ left }) => assign(left),
    ForOfStatement: ({ left }) => assign(left),
    ExportSpecifier: ({ local }) => {
      if (local.type === 'Identifier') exported.push(local.name);
    },
  }).visit(parseSync('chunk.mjs', text).program);
  return exported.filter((name) => assigned.has(name));
}
