import { expect, it } from 'vitest';
import { checkSyntax } from '../../src/script-runtime/check-syntax.ts';

it.each([
  ['v1', 'addEventListener("fetch", () => {});'],
  ['v1', '<!-- a comment\nwith ({}) {} var await = 010;'],
  ['v2', 'export default { fetch: async () => new Response(await fetch("https://a.test")) };'],
  ['v2', 'await using a = b(); import x from "x" with { type: "json" }; export const c = /(?i:a)/v;'],
  ['v1', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
] as const)('accepts valid scripts: %s %#', (form, script) => {
  expect(() => checkSyntax(script, form, 'script.js')).not.toThrow();
});

it.each([
  ['v1', 'a();\n  b(;', 'line 2, column 5: not valid JavaScript: unexpected token.'],
  [
    'v2',
    'const a = 1;\nconst a = 2;',
    "line 2, column 7: not valid JavaScript: identifier 'a' has already been",
  ],
  ['v2', 'with ({}) {}', 'line 1, column 1: not valid JavaScript: '],
  [
    'v1',
    'export default {};',
    'line 1, column 1: not valid JavaScript: import and export are only for modules.',
  ],
] as const)('refuses invalid scripts: %s %#', (form, script, message) => {
  expect(() => checkSyntax(script, form, 'script.js')).toThrow(`script.js, ${message}`);
});
