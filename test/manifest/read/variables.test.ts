import { describe, expect, it } from 'vitest';
import { parseTemplate } from '../../../src/manifest/read/template.ts';
import { faultsOf, jsonOf } from './folder.ts';

const head = 'version: 1\n';

describe('variables', () => {
  it('are replaced in texts, by defaults, --var and the environment', async () => {
    const text = `${head}vars: { env: staging, host: { required: true }, port: 8080 }\norg:\n  id: \${env.ORG}\n  url: "https://\${var.host}:\${var.port}/\${ var.env }"\n  lines: |\n    a \${var.env}\n    b\n`;
    expect(await jsonOf(text, { env: { ORG: 'org_1' }, vars: { host: 'acme.test', env: 'live' } })).toEqual({
      org: { id: 'org_1', url: 'https://acme.test:8080/live', lines: 'a live\nb\n' },
    });
  });

  it('keep their type if a scalar is exactly one variable', async () => {
    const text = `${head}vars: { n: 3, on: true, t: { type: number }, s: { default: "4" }, e: { default: "\${env.N}", type: number } }\norg: { n: "\${var.n}", on: "\${var.on}", t: "\${var.t}", s: "\${var.s}", e: "\${var.e}", text: "\${var.n} ", env: "\${env.N}" }\n`;
    expect(await jsonOf(text, { vars: { t: '-1.5e2' }, env: { N: '7' } })).toEqual({
      org: { n: 3, on: true, t: -150, s: '4', e: 7, text: '3 ', env: '7' },
    });
    expect(await jsonOf(text, { vars: { t: '0', n: '9', on: 'false' }, env: { N: '7' } })).toMatchObject({
      org: { n: 9, on: false },
    });
  });

  it('are kept as text after a second dollar sign', async () => {
    expect(
      await jsonOf(
        `${head}vars: { x: 1 }\norg: { a: "$\${var.x}", b: "$$\${var.x}", c: "$ {a} $5", d: "a$\${\${var.x}" }\n`,
      ),
    ).toEqual({
      org: { a: '${var.x}', b: '$${var.x}', c: '$ {a} $5', d: 'a${1' },
    });
  });

  it('read only environment variables that the manifest uses', async () => {
    const asked: string[] = [];
    const values: Record<string, string> = { A: '1', SECRET: 's' };
    const env = new Proxy(values, {
      get: (target, name) => (asked.push(String(name)), target[String(name)]),
      getOwnPropertyDescriptor: (target, name) => (
        asked.push(String(name)),
        Object.getOwnPropertyDescriptor(target, name)
      ),
      ownKeys: () => {
        throw new Error('listed');
      },
    });
    expect(await jsonOf(`${head}org: { a: "\${env.A}" }\n`, { env })).toEqual({ org: { a: '1' } });
    expect(new Set(asked)).toEqual(new Set(['A']));
  });

  it('are not found on prototypes', async () => {
    expect(await faultsOf(`${head}org: { a: "\${env.constructor}", b: "\${var.toString}" }\n`)).toEqual([
      'org.yaml:2:12: the environment variable constructor is not set',
      'org.yaml:2:37: the variable "toString" is not declared under "vars:"',
    ]);
  });

  it('are not replaced inside of files', async () => {
    expect(
      await jsonOf({
        'org.yaml': `${head}vars: { d: x }\norg: { a: !file "\${var.d}.txt" }\n`,
        'x.txt': '${var.d}',
      }),
    ).toEqual({ org: { a: '${var.d}' } });
  });

  const vars = 'vars:\n  host: { required: true }\n  env: staging\n  port: { type: number }\n';
  const cases: [name: string, text: string, given: Record<string, string>, faults: string[]][] = [
    [
      'a required variable that is not set',
      'vars:\n  host: { required: true }\n',
      {},
      ['org.yaml:3:3: the variable "host" is required but not set; set it with --var host=…'],
    ],
    [
      'a required variable that is used, at both places',
      'vars:\n  host: { required: true }\na: x ${var.host}\n',
      {},
      [
        'org.yaml:3:3: the variable "host" is required but not set; set it with --var host=…',
        'org.yaml:4:6: the variable "host" is not set; set it with --var host=… (declared at org.yaml:3:3)',
      ],
    ],
    [
      'a variable that is not set, where it is used',
      `${vars}a: "x \${var.port}"\n`,
      { host: 'h' },
      ['org.yaml:6:7: the variable "port" is not set; set it with --var port=… (declared at org.yaml:5:3)'],
    ],
    [
      'an undeclared variable',
      `${vars}a: \${var.hots}\n`,
      { host: 'h' },
      ['org.yaml:6:4: the variable "hots" is not declared under "vars:"; did you mean "host"?'],
    ],
    [
      'an environment variable that is not set',
      'a:\n  - ${env.NOPE}\n',
      {},
      ['org.yaml:3:5: the environment variable NOPE is not set'],
    ],
    [
      'a variable in a block, at the block',
      'a: |\n  text ${env.NOPE}\n',
      {},
      ['org.yaml:2:4: the environment variable NOPE is not set'],
    ],
    [
      'another word than var and env',
      'a: ${x}\n',
      {},
      [
        'org.yaml:2:4: "${x}" is not a variable; write ${var.NAME} or ${env.NAME}; for a plain "${" write "$${"',
      ],
    ],
    [
      'a variable that is not closed',
      'a: b ${var.x\n',
      {},
      ['org.yaml:2:6: "${" is not closed with "}"; for a plain "${" write "$${"'],
    ],
    [
      'in a key',
      `${vars}a: { "k\${var.env}": 1 }\n`,
      { host: 'h' },
      ['org.yaml:6:6: a key cannot use variables'],
    ],
    [
      'an unknown --var',
      vars,
      { host: 'h', prot: '1' },
      ['--var prot: this variable is not declared under "vars:"; did you mean "port"?'],
    ],
    [
      'a --var without any vars',
      'a: 1\n',
      { x: '1' },
      ['--var x: this variable is not declared under "vars:"'],
    ],
    [
      'a --var of another type',
      vars,
      { host: 'h', port: 'eighty' },
      ['--var port: is not a number, which the variable requires'],
    ],
    [
      'a default of another type',
      'vars: { a: { type: number, default: true } }\n',
      {},
      ['org.yaml:2:37: the default does not match the type of the variable, number'],
    ],
    [
      'a default whose value has another type',
      'vars: { a: { type: number, default: x } }\nb: ${var.a}\n',
      {},
      ['org.yaml:2:37: the default of "a" does not match its type, number'],
    ],
    [
      'a default that is a list',
      'vars: { a: [1] }\n',
      {},
      ['org.yaml:2:12: the default of a variable must be text, a number, true or false'],
    ],
    [
      'a default with another variable',
      'vars: { a: "x ${var.b}", b: 1 }\nc: ${var.a}\n',
      {},
      ['org.yaml:2:15: the default of a variable may use ${env.NAME}, but no other variable'],
    ],
    [
      'an unknown field',
      'vars: { a: { requierd: true } }\n',
      {},
      ['org.yaml:2:14: "requierd" is not a field of a variable; did you mean "required"?'],
    ],
    [
      'wrong fields',
      'vars: { a: { required: yes, type: int, description: 1 } }\n',
      {},
      [
        'org.yaml:2:24: "required" must be true or false',
        'org.yaml:2:35: "type" must be one of string, number, boolean',
        'org.yaml:2:53: "description" must be text',
      ],
    ],
    [
      'a name that cannot be used',
      'vars: { "1a": 1 }\n',
      {},
      [
        'org.yaml:2:9: "1a" is not a valid variable name; use letters, digits, "_" and "-", starting with a letter',
      ],
    ],
    [
      'vars that are a list',
      'vars: [a]\n',
      {},
      ['org.yaml:2:7: "vars" must be a map of names: { env: staging, host: { required: true } }'],
    ],
  ];
  it.each(cases)('refuses %s', async (_, text, given, faults) => {
    expect(await faultsOf(head + text, { vars: given })).toEqual(faults);
  });

  it('cannot expand a small text to an unlimited size', async () => {
    const bomb = `${head}vars: { x: "${'x'.repeat(100_000)}" }\nlist:\n${'  - ${var.x}${var.x}\n'.repeat(1000)}`;
    const [fault] = await faultsOf(bomb);
    expect(fault).toBe('org.yaml:87:5: variables add more than 16 MiB to the manifest up to here');
  });
});

describe('parseTemplate', () => {
  it('splits a text into texts and variables', () => {
    expect(parseTemplate('a ${var.x-1} $${b} ${env.Y}')).toEqual([
      { text: 'a ' },
      { scope: 'var', name: 'x-1', index: 2 },
      { text: ' ${b} ' },
      { scope: 'env', name: 'Y', index: 19 },
    ]);
    expect(parseTemplate('')).toEqual([{ text: '' }]);
    expect(parseTemplate('${}')[0]).toHaveProperty('fault');
  });
});
