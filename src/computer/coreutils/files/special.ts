import { reason } from '#computer/shell/execution/redirections.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { UsageError, utility } from '../options.ts';
import { shellEscapedAlways as quoted } from '../shell-escape.ts';
import { changedMode } from './modes.ts';

const SPECIFICATION = 'm|mode= Z context=?';

/** `mkfifo`. */
export const mkfifo = utility(SPECIFICATION, async (call, options) => {
	if (options.operands.length === 0) throw new UsageError('missing operand');
	const mode = modeOf(call, options.get('m'));
	let status = 0;
	for (const name of options.operands) {
		const problem = makeFifo(call, name, mode);
		if (problem === null) continue;
		await call.complain(`cannot create fifo ${quoted(name)}: ${problem}`);
		status = 1;
	}
	return status;
});

/** `mknod`: creates a pipe like {@link mkfifo}; devices are refused, as for anyone but root. */
export const mknod = utility(SPECIFICATION, async (call, options) => {
	const mode = modeOf(call, options.get('m'));
	const { operands } = options;
	const [name, type = '', major, minor] = operands;
	const wanted = type.startsWith('p') ? 2 : 4;
	if (operands.length < wanted && operands.length > 0) {
		const note = operands.length === 2 ? '\nSpecial files require major and minor device numbers.' : '';
		throw new UsageError(`missing operand after '${operands.at(-1)}'${note}`, true);
	}
	if (name === undefined) throw new UsageError('missing operand');
	if (operands.length > wanted) {
		const note = wanted === 2 && operands.length === 4 ? '\nFifos do not have major and minor device numbers.' : '';
		throw new UsageError(`extra operand '${operands[wanted]}'${note}`, true);
	}
	if (type.startsWith('p')) {
		const problem = makeFifo(call, name, mode);
		if (problem === null) return 0;
		await call.complain(`${name}: ${problem}`);
		return 1;
	}
	if (!/^[bcu]/.test(type)) throw new UsageError(`invalid device type ${quoted(type)}`, true);
	for (const [kind, number = ''] of [
		['major', major],
		['minor', minor]
	])
		if (!/^(?:0x[\da-f]+|\d+)$/i.test(number)) throw new UsageError(`invalid ${kind} device number ${quoted(number)}`);
	await call.complain(`${name}: ${exists(call, name) ? 'File exists' : 'Operation not permitted'}`);
	return 1;
});

/** Permissions of a new pipe: `-m` unchanged, else the default reduced by the umask. @throws UsageError */
function modeOf({ shell }: Call, text: string | undefined): number {
	if (text === undefined) return 0o666 & ~shell.umask;
	const mode = changedMode(0o666, text, false);
	if (mode === null) throw new UsageError('invalid mode');
	if (mode & ~0o777) throw new UsageError('mode must specify only file permission bits', false);
	return mode;
}

/** Returns the error, or null. */
function makeFifo({ shell }: Call, name: string, mode: number): string | null {
	try {
		shell.host.context.sync.mkfifo(shell.path(name), mode);
		return null;
	} catch (error) {
		return reason(error);
	}
}

function exists(call: Call, name: string): boolean {
	return call.shell.host.context.sync.statOrNull(call.shell.path(name)) !== null;
}
