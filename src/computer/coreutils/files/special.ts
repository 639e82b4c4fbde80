import type { Call } from '#computer/shell/state/host.ts';
import { UsageError, utility } from '../options.ts';
import { shellEscapedAlways as quoted } from '../shell-escape.ts';
import { changedMode } from './modes.ts';

const SPECIFICATION = 'm|mode= Z context=?';
const NO_FIFO = 'Operation not supported (files here carry no pipe: use a pipeline or <(command))';

/** `mkfifo`: files of this computer are stored and shared, so none of them can be the end of a pipe. */
export const mkfifo = utility(SPECIFICATION, async (call, options) => {
	if (options.operands.length === 0) throw new UsageError('missing operand');
	checkMode(options.get('m'));
	for (const name of options.operands)
		await call.complain(`cannot create fifo ${quoted(name)}: ${exists(call, name) ? 'File exists' : NO_FIFO}`);
	return 1;
});

/** `mknod`: refused, as to everyone who is not root; a pipe as by {@link mkfifo}. */
export const mknod = utility(SPECIFICATION, async (call, options) => {
	checkMode(options.get('m'));
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
		await call.complain(`${name}: ${exists(call, name) ? 'File exists' : NO_FIFO}`);
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

/** @throws UsageError */
function checkMode(text: string | undefined): void {
	if (text !== undefined && changedMode(0o666, text, false) === null) throw new UsageError('invalid mode');
}

function exists(call: Call, name: string): boolean {
	return call.shell.host.context.sync.statOrNull(call.shell.path(name)) !== null;
}
