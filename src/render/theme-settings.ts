interface Themed {
  readonly light: string;
  readonly dark: string;
}

/** The settings of a site that determine its colors and shapes. Colors are hexadecimal, such as #346ddb. */
export interface ThemeSettings {
  readonly theme: 'clean' | 'muted' | 'bold' | 'gradient';
  readonly primaryColor: Themed;
  readonly tint?: { readonly color: Themed };
  readonly infoColor: Themed;
  readonly successColor: Themed;
  readonly warningColor: Themed;
  readonly dangerColor: Themed;
  readonly corners: 'straight' | 'rounded' | 'circular';
  readonly depth: 'subtle' | 'flat';
  readonly links: 'default' | 'accent';
  readonly font: string;
  readonly headingFont?: string;
  readonly monospaceFont: string;
  readonly background: 'plain' | 'match';
  readonly icons: 'regular' | 'solid' | 'duotone' | 'light' | 'thin';
  readonly codeTheme: { readonly default: Themed; readonly openapi: Themed };
  readonly sidebar: {
    readonly background: 'default' | 'filled';
    readonly list: 'default' | 'pill' | 'line';
  };
  readonly search: 'prominent' | 'subtle';
  readonly header: {
    readonly preset: 'default' | 'bold' | 'contrast' | 'custom' | 'none';
    readonly backgroundColor?: Themed;
    readonly linkColor?: Themed;
  };
}
