/** The sources of each directive. */
export type Policy = ReadonlyMap<string, readonly string[]>;

export const parsePolicy = (text: string): Policy =>
  new Map(
    text.split(';').map((directive) => {
      const [name = '', ...sources] = directive.trim().split(/\s+/);
      return [name, sources];
    }),
  );

function isSameHost(source: string, host: string): boolean {
  const allowed = source.replace(/^https:\/\//, '');
  return allowed.startsWith('*.') ? host.endsWith(allowed.slice(1)) : allowed === host;
}

const hostsOf = (policy: Policy, directive: string): readonly string[] =>
  (policy.get(directive) ?? []).filter((source) => source.includes('.'));

/** Returns a sentence for each host that a policy lacks or allows without need. */
export function policyFaults(
  policy: Policy,
  needed: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  const directives = new Set([...policy.keys(), ...needed.keys()]);
  return [...directives].flatMap((directive) => {
    const allowed = hostsOf(policy, directive);
    const hosts = [...(needed.get(directive) ?? [])];
    const missing = hosts.filter((host) => !allowed.some((source) => isSameHost(source, host)));
    const unneeded = allowed.filter((source) => !hosts.some((host) => isSameHost(source, host)));
    return [
      ...missing.map((host) => `${directive} lacks ${host}`),
      ...unneeded.map((source) => `${directive} allows ${source}, which nothing contacts`),
    ];
  });
}
