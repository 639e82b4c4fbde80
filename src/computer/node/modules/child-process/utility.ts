import { isSyscallError } from '../../runtime/errors.ts';
import type { Runtime } from '../../runtime/runtime.ts';

const KNOWN = new WeakMap<Runtime, Map<string, boolean>>();
/** Usual directories of programs; commands of the shell answer by these paths, too. */
const DIRECTORIES = /^\/(usr\/)?bin\//;

/**
 * Starts a program. `ls`, `cat` and their like are the shell's own here: where there is no such program, it runs them.
 *
 * @throws SyscallError as `start` throws it
 */
export function startOrUtility<Started>(runtime: Runtime, argv: string[], start: (argv: string[]) => Started): Started {
	try {
		return start(argv);
	} catch (error) {
		const [file = '', ...args] = argv;
		const name = file.replace(DIRECTORIES, '');
		if (!isSyscallError(error) || error.code !== 'ENOENT' || !isUtility(runtime, name)) throw error;
		return start(['/usr/bin/bash', '-c', '"$0" "$@"', name, ...args]);
	}
}

function isUtility(runtime: Runtime, name: string): boolean {
	if (!/^[\w[.-]+$/.test(name)) return false;
	const known = KNOWN.get(runtime) ?? new Map<string, boolean>();
	KNOWN.set(runtime, known);
	const found = known.get(name) ?? ask(runtime, name);
	known.set(name, found);
	return found;
}

function ask({ sys }: Runtime, name: string): boolean {
	try {
		const argv = ['/usr/bin/bash', '-c', 'which "$0"', name];
		return sys.run({ argv, cwd: '/', env: { PATH: '/usr/bin' }, stdin: 'null' }).code === 0;
	} catch (error) {
		// No shell, or no shared memory to wait for one with: there are programs alone.
		if (isSyscallError(error)) return false;
		throw error;
	}
}
