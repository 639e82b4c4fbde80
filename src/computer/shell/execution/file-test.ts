import { isWithin, WRITABLE_ROOTS } from '#computer/abi/paths.ts';
import { isCharacterDevice } from '#computer/abi/special-files.ts';
import { elementOf, placeOf } from '../expansion/parameter.ts';
import { ShellError } from '../state/control.ts';
import { isSetOption } from '../state/options.ts';
import type { Shell } from '../state/shell.ts';
import { elements } from '../state/variables.ts';

const KINDS = { '-d': 'directory', '-p': 'fifo', '-S': 'socket' } as const;
/** Mode bits above the permissions. */
const SPECIAL = { '-u': 0o4000, '-g': 0o2000, '-k': 0o1000 } as const;

/** Evaluates the one-operand tests of `[[ ]]` and `test`. */
export function testFile(shell: Shell, operator: string, operand: string): boolean {
	const { sync } = shell.host.context;
	const stat = () => (operand === '' ? null : sync.statOrNull(pathOf(shell, operand)));
	const isDevice = () => isDeviceName(operand) || isCharacterDevice(stat() ?? { mode: 0 });
	switch (operator) {
		case '-z':
			return operand === '';
		case '-n':
			return operand !== '';
		case '-o':
			return isSetOption(operand) && shell.options[operand];
		case '-t':
			return onTerminal(shell, Number(operand));
		case '-a':
		case '-e':
			return stat() !== null || isDeviceName(operand);
		case '-f': {
			const found = stat();
			return found?.kind === 'file' && !isCharacterDevice(found);
		}
		case '-d':
		case '-p':
		case '-S':
			return stat()?.kind === KINDS[operator];
		case '-h':
		case '-L':
			return isLink(shell, operand);
		case '-s':
			return (stat()?.size ?? 0) > 0;
		case '-r':
			return permits(stat()?.mode, 0o400) || isDevice();
		case '-w':
			return (permits(stat()?.mode, 0o200) && isOwn(shell, operand)) || isDevice();
		case '-x':
			return (
				stat()?.kind === 'directory' ||
				permits(stat()?.mode, 0o100) ||
				(/^\/(usr\/)?bin\/[^/]+$/.test(operand) && isCommand(shell, operand))
			);
		case '-O':
		case '-G':
			return stat() !== null && isOwn(shell, operand);
		case '-R':
			return shell.variables.find(operand)?.reference === true;
		case '-c':
			return isDevice();
		case '-u':
		case '-g':
		case '-k':
			return permits(stat()?.mode, SPECIAL[operator]);
		case '-b':
			return false;
		case '-N': {
			const found = stat();
			return found !== null && found.modifiedMs > found.accessedMs;
		}
		default:
			throw new ShellError(`${operator}: unary operator expected`, 2);
	}
}

/**
 * Makes a path absolute without normalizing it: a trailing dot or slash requires a directory, and `..` is resolved
 * after links.
 */
const pathOf = ({ cwd }: Shell, path: string): string => (path.startsWith('/') ? path : `${cwd}/${path}`);

/** Returns whether an existing file is where the user may write: all others belong to the system. */
function isOwn(shell: Shell, operand: string): boolean {
	const path = shell.host.context.sync.realpath(shell.path(operand));
	return WRITABLE_ROOTS.some((root) => isWithin(path, root));
}

const permits = (mode: number | undefined, bits: number) => mode !== undefined && (mode & bits) !== 0;
const isDeviceName = (path: string) => /^\/dev\/(null|zero|full|u?random|tty|stdin|stdout|stderr)$/.test(path);

function isCommand(shell: Shell, path: string): boolean {
	const name = path.slice(path.lastIndexOf('/') + 1);
	return shell.host.programs.has(name) || shell.host.utilities.has(name);
}

/** `-v`: whether a variable or an element has a value. */
export async function isSet(shell: Shell, name: string): Promise<boolean> {
	const { name: base, subscript } = placeOf(shell.variables.resolve(name));
	if (subscript === null)
		return /^\d+$/.test(base) ? shell.positional.length >= Number(base) : shell.variables.get(base) !== undefined;
	if (subscript === '@' || subscript === '*') {
		const variable = shell.variables.find(base);
		return variable?.associative ? variable.associative.has(subscript) : elements(variable).length > 0;
	}
	return (await elementOf(shell, base, subscript)) !== undefined;
}

export function onTerminal(shell: Shell, descriptor: number): boolean {
	const kernel = shell.descriptors.get(descriptor)?.kernel;
	return kernel !== undefined && shell.host.context.sync.isTerminal(kernel);
}

function isLink(shell: Shell, path: string): boolean {
	try {
		return shell.host.context.sync.lstat(pathOf(shell, path)).kind === 'symlink';
	} catch {
		return false;
	}
}

export function compareFiles(shell: Shell, left: string, operator: '-nt' | '-ot' | '-ef', right: string): boolean {
	const { sync } = shell.host.context;
	const [a, b] = [sync.statOrNull(shell.path(left)), sync.statOrNull(shell.path(right))];
	if (operator === '-ef') return a !== null && b !== null && a.inode === b.inode;
	if (operator === '-nt') return a !== null && (b === null || a.modifiedMs > b.modifiedMs);
	return b !== null && (a === null || a.modifiedMs < b.modifiedMs);
}
