// Not TypeScript: the types of highlight.js declare the whole DOM, which no other file should see.
import highlighter from 'highlight.js/lib/common';
import cmake from 'highlight.js/lib/languages/cmake';
import dart from 'highlight.js/lib/languages/dart';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import elixir from 'highlight.js/lib/languages/elixir';
import erlang from 'highlight.js/lib/languages/erlang';
import groovy from 'highlight.js/lib/languages/groovy';
import handlebars from 'highlight.js/lib/languages/handlebars';
import haskell from 'highlight.js/lib/languages/haskell';
import http from 'highlight.js/lib/languages/http';
import julia from 'highlight.js/lib/languages/julia';
import latex from 'highlight.js/lib/languages/latex';
import matlab from 'highlight.js/lib/languages/matlab';
import nginx from 'highlight.js/lib/languages/nginx';
import pgsql from 'highlight.js/lib/languages/pgsql';
import powershell from 'highlight.js/lib/languages/powershell';
import properties from 'highlight.js/lib/languages/properties';
import protobuf from 'highlight.js/lib/languages/protobuf';
import scala from 'highlight.js/lib/languages/scala';
import twig from 'highlight.js/lib/languages/twig';
import vim from 'highlight.js/lib/languages/vim';

const more = {
  cmake,
  dart,
  dockerfile,
  elixir,
  erlang,
  groovy,
  handlebars,
  haskell,
  http,
  julia,
  latex,
  matlab,
  nginx,
  pgsql,
  powershell,
  properties,
  protobuf,
  scala,
  twig,
  vim,
};
for (const [name, language] of Object.entries(more)) highlighter.registerLanguage(name, language);

/** Names that authors write for languages that are known by another name. */
highlighter.registerAliases(['solidity', 'razor', 'cshtml'], { languageName: 'csharp' });
highlighter.registerAliases(['commandline', 'shell-session', 'curl', 'terminal'], { languageName: 'shell' });
highlighter.registerAliases(['vue', 'svelte', 'astro', 'mdx'], { languageName: 'xml' });
highlighter.registerAliases(['hcl', 'terraform', 'dotenv', 'env', 'conf'], { languageName: 'ini' });
highlighter.registerAliases(['liquid'], { languageName: 'twig' });
highlighter.registerAliases(['jsonc', 'json5', 'ndjson'], { languageName: 'json' });

export default highlighter;
