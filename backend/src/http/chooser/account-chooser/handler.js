/** The account chooser: asks the server for a token of the chosen account and hands it to the page that opened it. */
const query = new URLSearchParams(location.search);
const param = (name) => query.get(name) ?? '';
const status = document.querySelector('#status');

function say(sentence) {
  status.textContent = sentence;
}

function toEvent(idToken) {
  const url = new URL(location.pathname, location.origin);
  url.searchParams.set('providerId', 'google.com');
  url.searchParams.set('id_token', idToken);
  return {
    type: param('authType'),
    eventId: param('eventId') || null,
    urlResponse: url.href,
    sessionId: crypto.randomUUID(),
    postBody: null,
    tenantId: null,
    error: null,
  };
}

/** The SDK's helper frame of the app that opened this window; frames of other origins cannot be read. */
function findFrame() {
  const frames = opener === null ? [] : Array.from({ length: opener.length }, (_, i) => opener[i]);
  return frames.find((frame) => {
    try {
      const own = new URLSearchParams(frame.location.search);
      return own.get('apiKey') === param('apiKey') && own.get('appName') === param('appName');
    } catch {
      return false;
    }
  });
}

function finishInPopup(event) {
  const frame = findFrame();
  if (frame === undefined)
    return say('The page that asked is gone. Close this window and try again.');
  frame.postMessage({ type: 'sendAuthEvent', authEvent: event }, location.origin);
  return say('Signed in. You can close this window.');
}

function finishByRedirect(event) {
  const target = URL.canParse(param('redirectUrl')) ? new URL(param('redirectUrl')) : null;
  if (target?.origin !== location.origin) return say('This page may not be returned to.');
  const key = `firebase:redirectEvent:${param('apiKey')}:${param('appName')}`;
  sessionStorage.setItem(key, JSON.stringify(event));
  return location.replace(target);
}

async function choose(identity) {
  say('Signing in…');
  const response = await fetch('/emulator/auth/choose', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(identity),
  }).catch(() => null);
  if (response === null) return say('The server does not answer. Try again.');
  const { idToken } = await response.json();
  if (!response.ok || !idToken) return say('This does not look like an email address.');
  const isPopup = /popup/i.test(param('authType'));
  return isPopup ? finishInPopup(toEvent(idToken)) : finishByRedirect(toEvent(idToken));
}

for (const button of document.querySelectorAll('button[data-email]')) {
  button.addEventListener('click', () => {
    void choose({ email: button.dataset.email, displayName: button.dataset.name });
  });
}

async function unlock(code) {
  const response = await fetch('/emulator/auth/unlock', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code }),
  }).catch(() => null);
  if (response === null) return say('The server does not answer. Try again.');
  if (!response.ok) return say('This is not the code that the server printed.');
  return location.reload();
}

document.querySelector('#unlock')?.addEventListener('submit', (event) => {
  event.preventDefault();
  void unlock(event.currentTarget.querySelector('input').value);
});

document.querySelector('#choose')?.addEventListener('submit', (event) => {
  event.preventDefault();
  const [email, name] = event.currentTarget.querySelectorAll('input');
  void choose({ email: email.value.trim(), displayName: name.value });
});

document.querySelector('#cancel')?.addEventListener('click', () => {
  if (opener === null) history.back();
  else close();
});
