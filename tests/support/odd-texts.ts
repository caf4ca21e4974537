/** What people type, paste or try, besides what a form asks for. All of it is text, and is shown as text. */
export const oddTexts = {
  markup: '<b>bold</b> <img src=x onerror="document.title=\'hacked\'">',
  script: '<script>document.title="hacked"</script>',
  emoji: '🐕‍🦺👩🏽‍🌾❤️‍🔥',
  'right to left': 'כלב נאמן בשם רקס, יחד עם ‏Rex',
} as const;

/** Longer than anything takes, but a note. */
export const longText = 'x'.repeat(10_000);
