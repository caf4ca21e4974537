/**
 * The helper frame of the SDK's popup and redirect sign-in: it hands what the account chooser has
 * found out to the page it lies in. It speaks with two others only: the page, which says hello first
 * (the frame's policy names who may be one), and windows of its own origin.
 */
const query = new URLSearchParams(location.search);
const storageKey = `firebase:redirectEvent:${query.get('apiKey')}:${query.get('appName')}`;
const nothingHappened = { type: 'unknown', error: { code: 'auth/no-auth-event' } };

let pageOrigin = null;
let calls = 0;

function tellPage(message) {
  parent.postMessage(message, pageOrigin);
}

function sendEvent(authEvent) {
  calls += 1;
  tellPage({ gapi: 'call', id: calls, type: 'authEvent', data: { type: 'authEvent', authEvent } });
}

/** What a redirect left behind for the page that is back now. */
function takeStored() {
  const stored = sessionStorage.getItem(storageKey);
  sessionStorage.removeItem(storageKey);
  return stored === null ? nothingHappened : JSON.parse(stored);
}

function onPage({ gapi, id, type }) {
  if (gapi === 'hello') {
    tellPage({ gapi: 'ready' });
    sendEvent(takeStored());
  }
  if (gapi === 'call' && type === 'webStorageSupport') {
    tellPage({ gapi: 'reply', id, result: [{ status: 'ACK', webStorageSupport: true }] });
  }
}

addEventListener('message', ({ source, origin, data }) => {
  if (typeof data !== 'object' || data === null) return;
  if (source === parent) {
    pageOrigin = origin;
    onPage(data);
  } else if (origin === location.origin && data.type === 'sendAuthEvent' && pageOrigin !== null) {
    sendEvent(data.authEvent);
  }
});
