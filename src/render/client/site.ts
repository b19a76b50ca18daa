import { setUpLocalFiles } from './local-files.ts';
import { setUpBlocks } from './blocks.ts';
import { setUpConsent } from './consent.ts';
import { setUpDiagrams } from './diagrams.ts';
import { setUpNavigation } from './navigation.ts';
import {
  setUpCopying,
  setUpEmbeds,
  setUpFeedback,
  setUpOutline,
  setUpScrolling,
  setUpTheme,
} from './page-parts.ts';
import { setUpSearch } from './search.ts';
import { setUpTabs } from './tabs.ts';

// All of these are enhancements of a page that works without scripts.
setUpLocalFiles();
setUpTheme();
setUpNavigation();
setUpTabs();
setUpCopying();
setUpDiagrams();
setUpEmbeds();
setUpOutline();
setUpScrolling();
setUpSearch();
setUpBlocks();
setUpFeedback();
setUpConsent();
