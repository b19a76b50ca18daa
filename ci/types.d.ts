/** What one run of docsctl is asked to do. */
export interface Settings {
  /** The words of the command, without `docsctl`. */
  readonly words: readonly string[];
  readonly manifests: readonly string[];
  /** A version or tag of the npm package; empty for the version that these scripts belong to. */
  readonly version: string;
  /** Absolute path of the folder to run in. */
  readonly folder: string;
  readonly comment: boolean;
  /** Tells the comments of several steps on one pull request apart. */
  readonly commentKey: string;
}

/** A command line, and what its answer is. */
export interface CommandLine {
  readonly words: readonly string[];
  /** Whether standard output is Markdown and exit code 2 means "there are changes". */
  readonly isPlan: boolean;
  /** Absolute path of the file that a plan is saved to. */
  readonly planFile: string | undefined;
}

/** How a command ended. */
export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Both streams in the order of their lines. */
  readonly log: string;
}

/** The pull request or merge request that the job is for. */
export interface Change {
  /** Forks never get the token, and the host gives Dependabot no secrets of the repository. */
  readonly origin: 'repository' | 'fork' | 'dependabot';
  readonly commit: string | undefined;
}

export interface Comment {
  readonly id: string;
  readonly body: string;
  /** Whether the token that comments has written it. */
  readonly isOwn: boolean;
}

/** The comments of one pull request. */
export interface Comments {
  list(): Promise<readonly Comment[]>;
  /** Both return the address of the comment. */
  create(body: string): Promise<string>;
  update(id: string, body: string): Promise<string>;
}

/** The service that runs the job. */
export interface Host {
  /** Absolute path where a plan is saved, unless the command names another. */
  readonly planFile: string;
  readonly change: Change | undefined;
  /** Undefined outside of pull requests and without a token for comments. */
  readonly comments: Comments | undefined;
  /** What a comment needs, for the note that it could not be posted. */
  readonly commentNeeds: string;
  /** Characters that a comment may have. */
  readonly maxComment: number;
  /** Address of this run, for a link. */
  readonly runUrl: string | undefined;
  /** Prints a line that people should see. */
  note(level: 'error' | 'warning' | 'notice', text: string): void;
  /** Keeps what is printed by `work` from being read as commands of the host. */
  quarantine<T>(work: () => Promise<T>): Promise<T>;
  /** Whether the host shows annotations beside lines of files. */
  readonly annotates: boolean;
  /** Shows the annotations among the lines of an output of `--format github` beside the lines that they are about. */
  annotate(output: string): void;
  writeSummary(markdown: string): void;
  writeOutputs(outputs: Readonly<Record<string, string>>): void;
}

export type Environment = Readonly<Record<string, string | undefined>>;
