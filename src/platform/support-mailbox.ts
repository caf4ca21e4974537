/**
 * The address to which owners write for help: `VITE_SUPPORT_EMAIL` of the build. The default address belongs to nobody.
 */
export const supportMailbox: string =
  import.meta.env.VITE_SUPPORT_EMAIL ?? 'support@pawpals.example';
