import type { GoogleProfile } from '../../auth/accounts/account.ts';

const folder = '/emulator/auth';

export const chooserPage = (accounts: readonly GoogleProfile[]): string => page(offer(accounts));

function page(body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Choose an account</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${folder}/chooser.css">
<script type="module" src="${folder}/handler.js"></script>
</head>
<body>
<main>
${body}
<p id="status" role="status"></p>
<button type="button" id="cancel">Cancel</button>
</main>
</body>
</html>
`;
}

export const framePage = `<!doctype html>
<meta charset="utf-8">
<title>Sign-in helper</title>
<script type="module" src="${folder}/iframe.js"></script>
`;

export const unavailablePage = page(`<h1>Not available here</h1>
<p>This server cannot reach Google, and lets nobody in on their word. Sign in with a password.</p>`);

export const codePage = page(`<h1>Type the code</h1>
<p>This server stands in for Google. It printed a code in its terminal, and asks each browser for it once.</p>
<form id="unlock">
<label for="code">Code</label>
<input id="code" name="code" autocomplete="off" autocapitalize="characters" maxlength="40" required>
<button type="submit">Continue</button>
</form>`);

function offer(accounts: readonly GoogleProfile[]): string {
  const list = accounts.map(toItem).join('\n');
  return `<h1>Choose an account</h1>
<p>This server stands in for Google: nothing leaves this machine, and no password is asked.</p>
${list === '' ? '' : `<ul aria-label="Accounts used before">\n${list}\n</ul>`}
<form id="choose">
<h2>Use another account</h2>
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="email" maxlength="254" required>
<label for="name">Name</label>
<input id="name" name="name" autocomplete="name" maxlength="100">
<button type="submit">Continue</button>
</form>`;
}

function toItem({ email, displayName }: GoogleProfile): string {
  const data = `data-email="${escapeHtml(email)}" data-name="${escapeHtml(displayName)}"`;
  const name = escapeHtml(displayName === '' ? email : displayName);
  return `<li><button type="button" ${data}>${name}<small>${escapeHtml(email)}</small></button></li>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
