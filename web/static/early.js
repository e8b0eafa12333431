// What cannot wait for the page's own scripts: the colours before the first paint, and taps that come before anything listens.
// A classic script, so that it runs first.

// The colours chosen on this device, else the device's own
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

// A button that the server draws can be tapped before the modules are here, which a slow tablet takes seconds to load. The
// newest such tap is kept and made again once they listen, on the same button where the page was drawn anew meanwhile.
// Buttons that open a popover need no script.
(() => {
  let tapped = null;
  const keep = (event) => {
    const button = event.target.closest('button:not([popovertarget])');
    if (!button) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    tapped = button;
  };
  document.addEventListener('click', keep, true);
  document.addEventListener('DOMContentLoaded', () => {
    document.removeEventListener('click', keep, true);
    const again = tapped?.isConnected ? tapped : document.getElementById(tapped?.id);
    again?.click();
  });
})();
