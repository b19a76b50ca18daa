import { expect, it } from 'vitest';
import { repositoryName } from '../../../src/resources/git-sync/repository-address.ts';

it('names a repository by the last two parts of its path, without the query', () => {
  expect(repositoryName('https://git.example.com/team/acme/docs.git')).toBe('acme/docs');
  expect(repositoryName('git@git.example.com:acme/docs.git')).toBe('acme/docs');
  expect(repositoryName('https://git.example.com/acme/docs.git?token=s3cret#main')).toBe('acme/docs');
});
