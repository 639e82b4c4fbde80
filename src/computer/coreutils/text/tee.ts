import { open, reason } from '#computer/shell/execution/redirections.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { BrokenPipe, type OpenFile, WriteFailed } from '#computer/shell/streams/open-file.ts';
import { type Options, UsageError, utility } from '../options.ts';

const MODES = ['warn', 'warn-nopipe', 'exit', 'exit-nopipe'] as const;
/** Consequence of a failed write: `sigpipe` is the default without options. */
type Mode = (typeof MODES)[number] | 'sigpipe';

interface Sink {
	name: string;
	file: OpenFile;
}

/** `tee`. */
export const tee = utility('a|append i|ignore-interrupts p output-error=?', async (call, options) => {
	const mode = modeOf(options);
	const { shell } = call;
	const files: OpenFile[] = [];
	let sinks: Sink[] = [{ name: 'standard output', file: shell.descriptors.require(1) }];
	let status = 0;
	try {
		for (const name of options.operands) {
			try {
				const file = open(shell, name === '-' ? './-' : name, options.has('a') ? '>>' : '>');
				files.push(file);
				sinks.push({ name, file });
			} catch (error) {
				await call.complain(error instanceof Error && !('code' in error) ? error.message : `${name}: ${reason(error)}`);
				if (mode === 'exit' || mode === 'exit-nopipe') return 1;
				status = 1;
			}
		}
		const input = shell.descriptors.require(0);
		while (sinks.length > 0) {
			const bytes = await shell.control.race(input.read(65536));
			if (bytes.length === 0) break;
			const left: Sink[] = [];
			for (const sink of sinks) {
				const failed = await writeTo(call, sink, bytes, mode);
				if (failed === null) left.push(sink);
				else if (failed === 'ends') return 1;
				else status = Math.max(status, failed);
			}
			sinks = left;
		}
		return status;
	} finally {
		for (const file of files) file.release();
	}
});

/** @throws UsageError */
function modeOf(options: Options): Mode {
	const last = options.given.findLast(({ name }) => name === 'p' || name === 'output-error');
	if (!last) return 'sigpipe';
	if (last.value === '') return 'warn-nopipe';
	const found = MODES.filter((mode) => mode === last.value);
	const [mode] = found.length > 0 ? found : MODES.filter((mode) => mode.startsWith(last.value));
	if (mode === undefined)
		throw new UsageError(
			`invalid argument '${last.value}' for '--output-error'\nValid arguments are:\n` +
				MODES.map((name) => `  - '${name}'`).join('\n'),
			true
		);
	return mode;
}

/** Returns null, the status of a failure that closes this output, or `ends` if it ends the command. */
async function writeTo(
	call: Call,
	{ name, file }: Sink,
	bytes: Uint8Array,
	mode: Mode
): Promise<number | null | 'ends'> {
	try {
		await file.write(bytes);
		return null;
	} catch (error) {
		const isPipe = error instanceof BrokenPipe;
		if (isPipe && mode === 'sigpipe') throw error;
		if (!isPipe && !(error instanceof WriteFailed) && !(error instanceof Error && 'code' in error)) throw error;
		if (isPipe && mode.endsWith('-nopipe')) return 0;
		const why = isPipe ? 'Broken pipe' : error instanceof WriteFailed ? error.message : reason(error);
		await call.complain(`${/[^\w./+-]| /.test(name) ? `'${name}'` : name}: ${why}`);
		return mode.startsWith('exit') ? 'ends' : 1;
	}
}
