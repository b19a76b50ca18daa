interface OtherAction {
  readonly id: string;
  readonly label: string;
}

/** The actions of jobs by kind. */
const ofJobs: Readonly<Record<string, OtherAction>> = {
  openapi: { id: 'openapi.process', label: 'Process an OpenAPI specification' },
  translation: { id: 'translations.publish', label: 'Publish a translation of changed pages' },
};

/** A sign-in with an identity provider, and the start of the session that it allows, or of a session of a browser. */
export const signInActions = {
  signIn: { id: 'saml.sign-in', label: 'Sign in with single sign-on' },
  startSession: { id: 'saml.start-session', label: 'Start a session of single sign-on' },
  openApp: { id: 'users.start-session', label: 'Sign in to the pages of the server in a browser' },
} as const satisfies Record<string, OtherAction>;

/** The removal of a deleted space that can no longer be restored. */
export const purgeAction = {
  id: 'spaces.purge',
  label: 'Remove a deleted space that can no longer be restored',
} as const satisfies OtherAction;

/** A backup of the whole store, which a server sent to its operator. */
export const storeActions = {
  backUp: { id: 'store.backup', label: 'Back up the whole store through the server' },
} as const satisfies Record<string, OtherAction>;

/** The actions that are no operations. */
export const otherActions: readonly OtherAction[] = [
  ...Object.values(ofJobs),
  ...Object.values(signInActions),
  purgeAction,
  ...Object.values(storeActions),
];

/** Returns the action of a kind of jobs. */
export function actionOfJob(kind: string): string {
  return ofJobs[kind]?.id ?? `jobs.${kind}`;
}
