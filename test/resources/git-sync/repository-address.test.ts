import { expect, it } from 'vitest';
import { repositoryName, splitCredentials } from '../../../src/resources/git-sync/repository-address.ts';

it('repositoryName returns the last two parts of the path, without the query', () => {
  expect(repositoryName('https://git.example.com/team/acme/docs.git')).toBe('acme/docs');
  expect(repositoryName('git@git.example.com:acme/docs.git')).toBe('acme/docs');
  expect(repositoryName('https://git.example.com/acme/docs.git?token=s3cret#main')).toBe('acme/docs');
});

it('splitCredentials separates credentials from an address, and refuses a token in the query', () => {
  expect(splitCredentials('https://ana:p%40ss@git.example.com/acme/docs.git#main')).toEqual({
    url: 'https://git.example.com/acme/docs.git',
    credentials: 'ana:p@ss',
  });
  expect(() => splitCredentials('https://git.example.com/acme/docs.git?token=s3cret')).toThrow(
    'The address of a repository cannot have a query.',
  );
});
