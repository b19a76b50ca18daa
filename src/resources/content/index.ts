import { noun, type Noun } from '../noun.ts';

/** The nouns of content, as a part of the list of all nouns. */
export const contentNouns: readonly Noun[] = [
  noun(
    'change-requests content',
    'Content of a change request',
    () => import('./change-request/contract.ts'),
    () => import('./change-request/handlers.ts'),
  ),
  noun(
    'change-requests files',
    'Files of a change request',
    () => import('./change-request-files/contract.ts'),
    () => import('./files/handlers.ts'),
  ),
  noun(
    'change-requests pages',
    'Pages of a change request',
    () => import('./change-request-pages/contract.ts'),
    () => import('./pages/handlers.ts'),
  ),
  noun(
    'change-requests reusable-contents',
    'Reusable contents of a change request',
    () => import('./change-request-reusable-contents/contract.ts'),
    () => import('./reusable-contents/handlers.ts'),
  ),
  noun(
    'revisions',
    'Versions of the content of a space',
    () => import('./revision/contract.ts'),
    () => import('./revision/handlers.ts'),
  ),
  noun(
    'revisions pages',
    'Pages of a revision',
    () => import('./revision-pages/contract.ts'),
    () => import('./pages/handlers.ts'),
  ),
  noun(
    'revisions files',
    'Files of a revision',
    () => import('./revision-files/contract.ts'),
    () => import('./files/handlers.ts'),
  ),
  noun(
    'revisions reusable-contents',
    'Reusable contents of a revision',
    () => import('./revision-reusable-contents/contract.ts'),
    () => import('./reusable-contents/handlers.ts'),
  ),
  noun(
    'spaces content',
    'Content of a space',
    () => import('./space/contract.ts'),
    () => import('./space/handlers.ts'),
  ),
  noun(
    'spaces files',
    'Files of a space',
    () => import('./space-files/contract.ts'),
    () => import('./files/handlers.ts'),
  ),
  noun(
    'spaces pages',
    'Pages of a space',
    () => import('./space-pages/contract.ts'),
    () => import('./pages/handlers.ts'),
  ),
  noun(
    'spaces reusable-contents',
    'Reusable contents of a space',
    () => import('./space-reusable-contents/contract.ts'),
    () => import('./reusable-contents/handlers.ts'),
  ),
];
