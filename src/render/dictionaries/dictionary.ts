/** The words of a site in one language. */
export interface Dictionary {
  /** Shown if an action in a block of an integration failed. */
  readonly actionFailed: string;
  readonly actions: string;
  readonly annotation: string;
  readonly announcement: string;
  readonly authorization: string;
  readonly body: string;
  readonly breadcrumbs: string;
  readonly brokenImage: string;
  readonly brokenLink: string;
  readonly callbacks: string;
  /** {number} is replaced by its number. */
  readonly changeRequest: string;
  readonly changeTheme: string;
  /** In a PDF, for a table that is wider than the page. {count} is replaced by the number of columns, {names} by their titles. */
  readonly columnsLeftOut: string;
  /** The heading of the table of contents in a PDF. */
  readonly contents: string;
  readonly cookies: string;
  readonly cookiesQuestion: string;
  readonly cookiesAccept: string;
  readonly cookiesDecline: string;
  readonly copied: string;
  readonly copy: string;
  readonly copyMcp: string;
  readonly copyPage: string;
  readonly danger: string;
  readonly deprecated: string;
  readonly diagram: string;
  readonly diagramSource: string;
  readonly drawing: string;
  /** {name} is replaced by the website of a repository. */
  readonly editOn: string;
  readonly embedded: string;
  readonly example: string;
  readonly expand: string;
  readonly feedbackBad: string;
  readonly feedbackComment: string;
  readonly feedbackGood: string;
  readonly feedbackOk: string;
  readonly feedbackQuestion: string;
  readonly feedbackThanks: string;
  readonly fields: string;
  readonly file: string;
  readonly footer: string;
  readonly headers: string;
  readonly image: string;
  readonly info: string;
  readonly language: string;
  readonly linkToSection: string;
  readonly links: string;
  readonly menu: string;
  readonly next: string;
  readonly no: string;
  readonly noCredentials: string;
  readonly noResults: string;
  readonly notFound: string;
  readonly onThisPage: string;
  /** {name} is replaced by a service. */
  readonly openIn: string;
  readonly pages: string;
  readonly pagination: string;
  readonly pathParameters: string;
  readonly pdf: string;
  readonly previous: string;
  readonly privacyPolicy: string;
  /** {name} is replaced by the name of this program. */
  readonly publishedWith: string;
  readonly queryParameters: string;
  readonly required: string;
  readonly responseLinks: string;
  readonly responses: string;
  /** {count} is replaced by the number of results. */
  readonly results: string;
  readonly search: string;
  readonly sections: string;
  /** {count} is replaced by the number of all lines. */
  readonly showLines: string;
  readonly signIn: string;
  readonly signInHelp: string;
  readonly signOut: string;
  readonly similarPages: string;
  readonly skipToContent: string;
  readonly standard: string;
  readonly success: string;
  readonly tab: string;
  readonly table: string;
  readonly tags: string;
  /** In a PDF. */
  readonly textCut: string;
  /** In a PDF, for a text that cannot be parsed. */
  readonly textHidden: string;
  readonly themeAuto: string;
  readonly themeDark: string;
  readonly themeLight: string;
  readonly updated: string;
  readonly values: string;
  readonly variants: string;
  readonly version: string;
  readonly viewMarkdown: string;
  readonly warning: string;
  readonly webhook: string;
  readonly yes: string;
}
