// For browsers in which the app cannot run: ES5 alone, before the app. The oldest browsers are named in package.json.
(function () {
  var isNewEnough;
  try {
    // Chrome 110, Firefox 115 and Safari 16 have the method, Safari 16.4 the expression.
    isNewEnough = RegExp('(?<=a)b').test('ab') && 'toSorted' in Array.prototype;
    // ES5 has no catch without a name.
    // oxlint-disable-next-line no-unused-vars
  } catch (error) {
    isNewEnough = false;
  }
  if (isNewEnough) return;
  var root = document.getElementById('root');
  root.removeAttribute('id');
  root.setAttribute('role', 'alert');
  root.getElementsByTagName('p')[0].textContent =
    'PawPals needs a newer browser: Chrome 110, Firefox 115, Safari 16.4 or later. What you have written is still on this device.';
})();
