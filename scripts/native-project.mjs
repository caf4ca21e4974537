import { register } from 'tsx/esm/api';

// Capacitor's command runs it after each copy, add and sync. An error after a copy is only printed, one after a sync ends it.
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
