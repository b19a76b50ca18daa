import { expect, it } from 'vitest';
import { changedExports, withPlainExports } from '../.scripts/plain-exports.js';

it('chunks export values instead of getters, and use modules of Node without a copy', () => {
  const body =
    'var stdin_exports={};__export(stdin_exports,{a:()=>one,$b:()=>import_other.c});module.exports=__toCommonJS(stdin_exports);' +
    'var import_other=require("./other.js"),import_node_fs=__toESM(require("node:fs")),import_node_os=__toESM(require("node:os"));' +
    'var one=import_node_fs.existsSync,two=import_node_os.default;';
  expect(withPlainExports(body, 'export {};')).toBe(
    'var stdin_exports={};' +
      'var import_other=require("./other.js"),import_node_fs=require("node:fs"),import_node_os=__toESM(require("node:os"));' +
      'var one=import_node_fs.existsSync,two=import_node_os.default;;module.exports={a:one,$b:import_other.c};',
  );
  expect(withPlainExports('run()', 'run()')).toBe('run()');
});

it.each([
  'a = 1',
  'a++',
  '[a] = []',
  '({ b: a } = {})',
  '({ b: a = 1 } = {})',
  '[...a] = []',
  'for (a of []);',
  'for (a in {});',
])('a chunk with an exported variable that a function changes is refused: %s', (change) => {
  for (const text of [
    `var a; function f() { ${change} } export { a as b };`,
    `var a; var f = () => { ${change} }; export { a };`,
    `var a; class C { b = (() => { ${change} })(); } export { a };`,
  ]) {
    expect(changedExports(text)).toEqual(['a']);
    expect(() => withPlainExports('', text)).toThrow('A chunk exports variables that change: a.');
  }
});

it('variables that are changed while a chunk runs, and those that it keeps to itself, may change', () => {
  const text = 'var a = 1; a = 2; var b; function f() { b = a; } const g = () => a; export { a, f, g };';
  expect(changedExports(text)).toEqual([]);
});
