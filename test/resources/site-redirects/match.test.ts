import { describe, expect, it } from 'vitest';
import { patternOf } from '../../../src/core/redirect-paths.ts';
import { capturedBy } from '../../../src/resources/site-redirects/match.ts';

const captured = (source: string, path: string): string => capturedBy({ source, ...patternOf(source) }, path);

describe('the star of a redirect stands for', () => {
  it.each([
    ['the rest of the path', '/old/*', '/old/a/b', 'a/b'],
    ['the rest with its original spelling', '/OLD/*', '/old/A/%42', 'A/%42'],
    ['the rest of a name', '/v1*', '/v1-beta/Start', '-beta/Start'],
    ['nothing if the path has no more', '/old*', '/old*', ''],
    ['what follows an encoded start', '/caf%C3%A9/*', '/CAF%c3%89/Menu', 'Menu'],
    ['a part of an encoded name', '/a*', '/%61%42', '%42'],
    ['what follows an encoded slash', '/a%2Fb/*', '/a%2fb/C', 'C'],
    ['what follows an encoded star', '/a%2A*', '/a%2ab', 'b'],
    ['what follows a sequence that is not UTF-8', '/%FF*', '/%ff%FE', '%FE'],
    ['what follows a letter that is longer in lower case', '/\u0130/*', '/\u0130/A', 'A'],
    ['what follows a percent sign', '/100%/*', '/100%/A', 'A'],
  ])('%s', (_, source, path, rest) => expect(captured(source, path)).toBe(rest));

  it('the rest of a very long path', () => {
    const rest = '%41/'.repeat(50_000);
    expect(captured('/old/*', `/old/${rest}`)).toBe(rest);
  });
});
