/** The package has no types. These are the used parts. */
declare module 'jmespath' {
  interface Token {
    readonly type: string;
    readonly value: unknown;
    readonly start: number;
  }
  const jmespath: {
    compile(expression: string): unknown;
    tokenize(expression: string): Token[];
    search(data: unknown, expression: string): unknown;
  };
  export default jmespath;
}
