import { NODE_VERSION } from '#computer/abi/versions.ts';

/** Enough of `process` for libraries bundled into the sandbox's own programs (memfs, isomorphic-git, streams). */
const process = {
	browser: true,
	env: {} as Record<string, string>,
	platform: 'linux',
	version: NODE_VERSION,
	versions: {} as Record<string, string>,
	argv: [] as string[],
	cwd: () => '/',
	nextTick: (task: (...args: unknown[]) => void, ...args: unknown[]) => queueMicrotask(() => task(...args)),
	emitWarning: (warning: unknown) => console.warn(warning),
	getuid: () => 1000,
	getgid: () => 1000,
	on: () => process
};
export default process;
