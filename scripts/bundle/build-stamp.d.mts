export interface BuildStamp {
  isCurrent(): boolean;
  remove(): void;
  write(): void;
}

export function createBuildStamp(root: string, env: NodeJS.ProcessEnv): BuildStamp;
