import posix from 'path';
import picomatch from 'picomatch';
import { createWin32 } from './path-win32.ts';
import {
	argumentCheck,
	type Call,
	checkedBy,
	optional,
	plainObject,
	type Signature,
	string
} from '../runtime/validate.ts';
import type { Runtime } from '../runtime/runtime.ts';

const SIGNATURES: Record<string, Signature> = {
	normalize: { path: string },
	isAbsolute: { path: string },
	relative: { from: string, to: string },
	dirname: { path: string },
	basename: { path: string, suffix: optional(string) },
	extname: { path: string },
	parse: { path: string },
	format: { pathObject: plainObject },
	matchesGlob: { path: string, pattern: string }
};

function checkJoined(paths: readonly unknown[]): void {
	for (const path of paths) string(path, 'path');
}

/** Checks backwards from the last path to the one at which `resolve` stops: earlier ones have no effect. */
const checkResolved = (isRoot: RegExp) => (paths: readonly unknown[]) => {
	for (let index = paths.length - 1; index >= 0; index--) {
		const path = paths[index];
		string(path, `paths[${index}]`);
		if (typeof path === 'string' && isRoot.test(path)) return;
	}
};

/** Replaces the functions of a `path` module by ones that check their arguments like Node. */
function addChecks(path: Record<string, unknown>, isRoot: RegExp): void {
	for (const [name, signature] of Object.entries(SIGNATURES))
		path[name] = checkedBy(path[name] as Call, argumentCheck(signature));
	path['join'] = checkedBy(path['join'] as Call, checkJoined);
	path['resolve'] = checkedBy(path['resolve'] as Call, checkResolved(isRoot));
}

/** `node:path`. Relative paths are resolved against the program's own working directory. */
export function createPath(runtime: Runtime): Record<string, unknown> {
	const path: Record<string, unknown> = {
		...posix,
		resolve: (...parts: string[]) => posix.resolve(runtime.process.cwd(), ...parts),
		relative: (from: string, to: string) =>
			posix.relative(posix.resolve(runtime.process.cwd(), from), posix.resolve(runtime.process.cwd(), to)),
		toNamespacedPath: (text: string) => text,
		matchesGlob: (text: string, pattern: string) => picomatch(pattern)(text)
	};
	const win32: Record<string, unknown> = {
		...createWin32(() => runtime.process.cwd()),
		matchesGlob: path['matchesGlob']
	};
	addChecks(path, /^\//);
	addChecks(win32, /^([A-Za-z]:[\\/]|[\\/]{2}[^\\/])/);
	Object.assign(win32, { posix: path, win32 });
	Object.assign(path, { posix: path, win32 });
	return path;
}
