import type { BuiltIn, Call } from '../state/host.ts';
import type { Shell } from '../state/shell.ts';
import { cd } from './directories.ts';
import { usageOf } from './usage.ts';

/** Abbreviates a path as `dirs` shows it. */
const tilde = (shell: Shell, path: string) => {
	const home = shell.variables.get('HOME') ?? '';
	return home && (path === home || path.startsWith(`${home}/`)) ? `~${path.slice(home.length)}` : path;
};

const wholeStack = (shell: Shell) => [shell.cwd, ...shell.directoryStack];

async function showStack({ shell, out }: Call): Promise<void> {
	const shown = wholeStack(shell).map((path) => tilde(shell, path));
	await out(`${shown.join(' ')}\n`);
}

/** Arguments of a builtin for the directory stack. */
interface Arguments {
	/** `-n`: the working directory does not change. */
	stays: boolean;
	/** `+N` or `-N` as written, and the index of that entry, counted from the working directory. */
	given: string | null;
	index: number;
	rest: string[];
}

/** Parses the arguments; a number is the exit status if they are invalid. */
async function readArguments(call: Call): Promise<Arguments | number> {
	const found: Arguments = { stays: false, given: null, index: 0, rest: [] };
	const words = [...call.args];
	for (let word = words[0]; word !== undefined; word = words[0]) {
		if (word !== '-n' && word !== '--' && !/^[-+]./.test(word)) break;
		words.shift();
		if (word === '--') break;
		if (word === '-n') found.stays = true;
		else if (!/^[-+]\d+$/.test(word)) return wrong(call, `${word}: invalid number`);
		else found.given = word;
	}
	found.rest = words;
	if (found.given !== null) found.index = indexOf(call.shell, found.given);
	return found;
}

function indexOf(shell: Shell, given: string): number {
	const number = Number(given.slice(1));
	return given.startsWith('+') ? number : shell.directoryStack.length - number;
}

async function wrong(call: Call, message: string): Promise<number> {
	await call.complain(`${message}\n${usageOf(call.name).trimEnd()}`);
	return 2;
}

/** Complains about an entry that does not exist. */
async function outOfRange(call: Call, given: string): Promise<number> {
	const isEmpty = call.shell.directoryStack.length === 0;
	await call.complain(isEmpty ? 'directory stack empty' : `${given}: directory stack index out of range`);
	return 1;
}

const isEntry = ({ directoryStack }: Shell, index: number) => index >= 0 && index <= directoryStack.length;

/** Changes the directory as `cd` does. */
const changeTo = (call: Call, directory: string) => cd({ ...call, args: ['--', directory] });

const pushd: BuiltIn = async (call) => {
	const { shell } = call;
	if (call.args.length === 0) {
		if (shell.directoryStack.length > 0) return rotate(call, 1, false, true);
		await call.complain('no other directory');
		return 1;
	}
	const given = await readArguments(call);
	if (typeof given === 'number') return given;
	if (given.given !== null) {
		if (!isEntry(shell, given.index)) return outOfRange(call, given.given);
		return rotate(call, given.index, given.stays);
	}
	const [directory, ...more] = given.rest;
	if (directory === undefined) return 0;
	if (more.length > 0) {
		await call.complain('too many arguments');
		return 1;
	}
	const before = shell.cwd;
	const status = given.stays ? 0 : await cd({ ...call, args: [directory] });
	if (status !== 0) return status;
	shell.directoryStack.unshift(given.stays ? directory : before);
	await showStack(call);
	return 0;
};

/**
 * Rotates an entry to the top.
 *
 * @param swaps only exchanges the two entries at the top
 */
async function rotate(call: Call, index: number, stays: boolean, swaps = false): Promise<number> {
	const { shell } = call;
	const stack = wholeStack(shell);
	const [second = '', ...others] = shell.directoryStack;
	const turned = swaps ? [second, shell.cwd, ...others] : [...stack.slice(index), ...stack.slice(0, index)];
	const [top = '', ...below] = turned;
	const status = stays ? 0 : await changeTo(call, top);
	if (status !== 0) return status;
	shell.directoryStack = below;
	if (!stays) await showStack(call);
	return 0;
}

const popd: BuiltIn = async (call) => {
	const { shell } = call;
	const given = await readArguments(call);
	if (typeof given === 'number') return given;
	const [word] = given.rest;
	if (word) return wrong(call, `${word}: invalid argument`);
	const { directoryStack: stack } = shell;
	if (stack.length === 0 || !isEntry(shell, given.index)) return outOfRange(call, given.given ?? '');
	if (given.index === 0 && !given.stays) {
		const status = await changeTo(call, stack[0] ?? '');
		if (status !== 0) return status;
	}
	stack.splice(Math.max(0, given.index - 1), 1);
	await showStack(call);
	return 0;
};

const dirs: BuiltIn = async (call) => {
	const { shell } = call;
	let given: string | null = null;
	const flags = new Set<string>();
	for (const word of call.args) {
		if (word === '--') break;
		if (/^-[lcvp]$/.test(word)) flags.add(word);
		else if (/^[-+]\d+$/.test(word)) given = word;
		else return wrong(call, `${word}: invalid ${/^[-+]/.test(word) ? 'number' : 'option'}`);
	}
	if (flags.has('-c')) {
		shell.directoryStack = [];
		return 0;
	}
	const entries = wholeStack(shell).map((path, index) => {
		const shown = flags.has('-l') ? path : tilde(shell, path);
		return flags.has('-v') ? `${String(index).padStart(2)}  ${shown}` : shown;
	});
	if (given === null) {
		await call.out(`${entries.join(flags.has('-v') || flags.has('-p') ? '\n' : ' ')}\n`);
		return 0;
	}
	const index = indexOf(shell, given);
	if (!isEntry(shell, index)) return outOfRange(call, given.slice(1));
	await call.out(`${entries[index]}\n`);
	return 0;
};

/** Builtins for the directory stack. */
export const directoryStackBuiltins: Record<string, BuiltIn> = { pushd, popd, dirs };
