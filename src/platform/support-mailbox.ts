/** Where owners write for help: `VITE_SUPPORT_EMAIL` of the build. The default is nobody's. */
export const supportMailbox: string =
  import.meta.env.VITE_SUPPORT_EMAIL ?? 'support@pawpals.example';
