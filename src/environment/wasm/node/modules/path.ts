import posix from 'path';
import picomatch from 'picomatch';
import { createWin32 } from './path-win32.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** `node:path`. Relative paths start at the program's own working directory. */
export function createPath(runtime: Runtime): Record<string, unknown> {
	const path: Record<string, unknown> = {
		...posix,
		resolve: (...parts: string[]) => posix.resolve(runtime.process.cwd(), ...parts),
		relative: (from: string, to: string) =>
			posix.relative(posix.resolve(runtime.process.cwd(), from), posix.resolve(runtime.process.cwd(), to)),
		toNamespacedPath: (text: string) => text,
		matchesGlob: (text: string, pattern: string) => picomatch(pattern)(text)
	};
	const win32 = { ...createWin32(() => runtime.process.cwd()), matchesGlob: path['matchesGlob'] };
	Object.assign(win32, { posix: path, win32 });
	Object.assign(path, { posix: path, win32 });
	return path;
}
