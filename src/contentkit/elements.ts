/** A value of any form for a script. It is sent back to the script unchanged when the reader acts. */
export type Action = Readonly<Record<string, unknown>>;

interface Container {
  readonly children: readonly Element[];
}

export interface TextRun {
  readonly text: string;
  readonly marks: readonly TextMark[];
  /** A checked address, for links. */
  readonly url?: string | undefined;
}
export type TextMark = 'bold' | 'italic' | 'code' | 'strikethrough';

/** The state key that an input is bound to, and its value there. */
interface Bound {
  readonly state: string;
}

/** A validated element of a component: its addresses are web addresses, and its texts have no control characters. */
export type Element =
  | (Container & { readonly type: 'box'; readonly grow: number | undefined })
  | (Container & { readonly type: 'hstack' | 'vstack'; readonly align: 'start' | 'center' | 'end' })
  | { readonly type: 'divider'; readonly size: 'small' | 'medium' | 'large' }
  | (Container & {
      readonly type: 'card';
      readonly title: string;
      readonly hint: readonly TextRun[];
      /** The address of an image. */
      readonly icon: string | undefined;
      readonly onPress: Action | undefined;
      readonly buttons: readonly Element[];
    })
  | { readonly type: 'text'; readonly runs: readonly TextRun[] }
  | { readonly type: 'image'; readonly url: string | undefined; readonly aspectRatio: number | undefined }
  | { readonly type: 'markdown'; readonly content: string }
  | {
      readonly type: 'codeblock';
      readonly content: string;
      readonly syntax: string;
      /** The state key of code that the reader may edit. */
      readonly state: string | undefined;
      readonly header: readonly Element[];
      readonly footer: readonly Element[];
    }
  | {
      readonly type: 'webframe';
      readonly url: string | undefined;
      readonly aspectRatio: number | undefined;
      /** The data that is sent to the frame. References to the state are not resolved. */
      readonly data: Action;
      readonly buttons: readonly Element[];
    }
  | {
      readonly type: 'button';
      readonly label: string;
      readonly style: 'primary' | 'secondary' | 'danger';
      readonly onPress: Action | undefined;
      readonly isDisabled: boolean;
    }
  | {
      readonly type: 'input';
      readonly label: string;
      readonly hint: readonly TextRun[];
      readonly element: Element | undefined;
    }
  | (Bound & {
      readonly type: 'textinput';
      readonly value: string;
      readonly inputType: 'text' | 'password' | 'email';
      readonly placeholder: string;
      readonly isMultiline: boolean;
      readonly isDisabled: boolean;
    })
  | (Bound & {
      readonly type: 'select';
      readonly values: readonly string[];
      readonly placeholder: string;
      readonly isMultiple: boolean;
      readonly options: readonly { readonly id: string; readonly label: string }[];
    })
  | (Bound & { readonly type: 'switch'; readonly isOn: boolean })
  | (Bound & { readonly type: 'checkbox' | 'radio'; readonly value: string; readonly isOn: boolean })
  | (Container & { readonly type: 'hint' })
  | {
      readonly type: 'stepper';
      readonly steps: readonly (Container & {
        readonly id: string;
        readonly title: string;
        readonly isActive: boolean;
      })[];
    };

export interface Component {
  readonly type: 'block' | 'modal' | 'configuration';
  /** Only for modals. */
  readonly title: string;
  readonly subtitle: string;
  readonly submit: Element | undefined;
  readonly children: readonly Element[];
}
