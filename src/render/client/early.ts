// Runs before the page is drawn, so that the theme that a reader chose does not appear late.
const root = document.documentElement;
root.classList.add('js');
try {
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark' || theme === 'auto') root.dataset['theme'] = theme;
} catch {
  // A browser that keeps nothing shows the site's own theme.
}
