// Colours before the first paint: those chosen on this device, else the device's own. A classic script, so that it runs first.

(() => {
  const light = matchMedia('(prefers-color-scheme: light)');
  let chosen = null;
  const show = () => {
    const known = chosen === 'light' || chosen === 'dark';
    document.documentElement.dataset.theme = known ? chosen : light.matches ? 'light' : 'dark';
  };
  try {
    chosen = window.localStorage.getItem('vander.theme');
  } catch {
    // A private window keeps nothing: the device's own colours stay.
  }
  show();
  light.addEventListener('change', show);
  document.addEventListener('vander:theme', ({ detail }) => {
    chosen = detail;
    show();
  });
})();
