import { register } from 'tsx/esm/api';

// Capacitor's CLI runs this after each copy, add and sync. It only prints an error after a copy; an error after a sync
// ends the CLI.
register();
const { completeNativeProject } = await import('./native/native-project.ts');
const { CAPACITOR_PLATFORM_NAME: platform = '', CAPACITOR_ROOT_DIR: root = process.cwd() } =
  process.env;
try {
  await completeNativeProject(root, platform);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
