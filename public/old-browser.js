// For browsers in which the app cannot run: ES5 alone, before the app. The oldest browsers are named in package.json.
(function () {
  try {
    // Chrome 110, Firefox 115 and Safari 16 have the method, Safari 16.4 the expression.
    new RegExp('(?<=a)b');
    if ('toSorted' in Array.prototype) return;
  } catch (error) {
    // Too old.
  }
  var root = document.getElementById('root');
  root.removeAttribute('id');
  root.setAttribute('role', 'alert');
  root.getElementsByTagName('p')[0].textContent =
    'PawPals needs a newer browser: Chrome 110, Firefox 115, Safari 16.4 or later. What you have written is still on this device.';
})();
