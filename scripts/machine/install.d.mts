export const root: string;
export function requireNode(version?: string): void;
