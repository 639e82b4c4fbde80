import { execFileSync } from 'node:child_process';
import { accessSync, constants, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** A program of the machine that a row is measured against. */
export interface NativeProgram {
	/** Absolute and without links: the program started is the one that the row names. */
	path: string;
	version: string;
}

/**
 * Finds a program on the PATH as in an interactive shell on this machine: `npm run` puts the packages' own commands
 * first (a WebAssembly `rg` among them), and version managers put wrapper scripts there.
 *
 * @param search directories, as in `PATH`
 * @returns null if there is none
 */
export function findProgram(name: string, search = process.env['PATH'] ?? ''): NativeProgram | null {
	for (const directory of search.split(path.delimiter)) {
		if (!path.isAbsolute(directory)) continue;
		const file = binaryAt(path.join(directory, name));
		if (file === null || file.split(path.sep).includes('node_modules')) continue;
		const output = execFileSync(file, ['--version'], {
			encoding: 'utf8',
			env: plainEnvironment(),
			stdio: ['ignore', 'pipe', 'pipe']
		});
		return { path: file, version: /\d+(?:\.\d+)+/.exec(output)?.[0] ?? 'unknown version' };
	}
	return null;
}

/** @throws Error if there is none: the row says so */
export function requireProgram(name: string): NativeProgram {
	const found = findProgram(name);
	if (!found) throw new Error(`no native ${name} on this machine`);
	return found;
}

/** Name of a peer in a row. */
export const peerName = (name: string, { path: file, version }: NativeProgram): string => `${name} ${version}, ${file}`;

/**
 * Environment of native programs: without the user's configuration, which would be measured too or change their
 * behavior.
 */
export function plainEnvironment(): Record<string, string> {
	return {
		PATH: '/usr/local/bin:/usr/bin:/bin',
		HOME: '/nonexistent',
		LC_ALL: 'C.UTF-8',
		GIT_CONFIG_NOSYSTEM: '1',
		GIT_CONFIG_GLOBAL: '/dev/null',
		GIT_TERMINAL_PROMPT: '0'
	};
}

/** Version of a package installed in a directory, not the one requested by a manifest. */
export function installedVersion(directory: string, name: string): string {
	const manifest: unknown = JSON.parse(
		readFileSync(path.join(directory, 'node_modules', name, 'package.json'), 'utf8')
	);
	return String(Reflect.get(Object(manifest), 'version'));
}

/** Real path of an executable that is not a script; null for anything else. */
function binaryAt(file: string): string | null {
	try {
		accessSync(file, constants.X_OK);
		const real = realpathSync(file);
		return readFileSync(real).subarray(0, 2).toString('latin1') === '#!' ? null : real;
	} catch {
		// Missing, or a directory: try the next one.
		return null;
	}
}
