import { KEYBOARD } from '../builtins/signals.ts';
import { isSignalName, type SignalName } from '#computer/abi/signals.ts';
import { SyscallError } from '#computer/abi/client.ts';
import type { ReplaceOptions, SpawnOptions } from '#computer/abi/syscalls.ts';
import { Interrupted } from '../state/control.ts';
import type { Shell } from '../state/shell.ts';
import { BadDescriptor, BrokenPipe, type OpenFile } from '../streams/open-file.ts';
import { concat } from '#computer/process/text.ts';
import { retryFork } from './fork.ts';
import { replaceShell } from './replacement.ts';
import { complain } from './script.ts';
import { reason } from './redirections.ts';

/** Connections between a child's descriptors and streams that live in the shell. */
interface Plumbing {
	stdio: Pick<SpawnOptions, 'stdin' | 'stdout' | 'stderr' | 'descriptors'>;
	/** Descriptors to close once the child has its copies. */
	given: number[];
	outputs: Promise<void>[];
	/** Stops feeding stdin; input that the child left unread is returned to the stream. */
	finishInput(): Promise<void>;
}

/** Programs that keep ignoring what their parent ignores; Node, for example, resets every signal when it starts. */
const KEEPS_IGNORED = /(?:^|\/)(?:bash|sh)$/;

/** Signals that the shell ignores, and therefore the programs that it starts. */
function ignoredBy(shell: Shell, program: string): SignalName[] {
	const ignored = [...shell.traps].flatMap(([name, action]) => {
		const signal = `SIG${name}`;
		return action === '' && isSignalName(signal) ? [signal] : [];
	});
	return shell.ignoresInterrupt && KEEPS_IGNORED.test(program) ? [...ignored, ...KEYBOARD] : ignored;
}

/** Prints why a program could not be run and returns its status. @throws any other error */
function failToRun(shell: Shell, { argv: [name] }: ReplaceOptions, error: unknown): number {
	if (!(error instanceof SyscallError)) throw error;
	complain(shell, `${name}: ${reason(error)}`);
	return error.code === 'ENOENT' ? 127 : 126;
}

/**
 * Runs a program as a foreground process and waits for it. Returns its exit status.
 *
 * @param called `argv[0]` for the program, if different
 * @param isLast whether the shell has nothing to do afterwards, so that the program may replace it
 */
export async function runExternal(
	shell: Shell,
	argv: string[],
	{ called, isLast = false }: { called?: string; isLast?: boolean } = {}
): Promise<number> {
	const { sync, async } = shell.host.context;
	const program: ReplaceOptions = {
		argv,
		cwd: shell.cwd,
		env: shell.environment(),
		umask: shell.umask,
		...(called === undefined ? {} : { name: called }),
		ignored: ignoredBy(shell, argv[0] ?? '')
	};
	await shell.host.standard.flush();
	try {
		if (isLast) await replaceShell(shell, program);
	} catch (error) {
		return failToRun(shell, program, error);
	}
	const plumbing = connectStreams(shell);
	let pid: number;
	try {
		pid = await spawn(shell, { ...program, ...plumbing.stdio, ...(shell.background ? { group: 0 } : {}) });
	} catch (error) {
		for (const descriptor of plumbing.given) sync.close(descriptor);
		await Promise.all([...plumbing.outputs, plumbing.finishInput()]);
		return failToRun(shell, program, error);
	}
	for (const descriptor of plumbing.given) sync.close(descriptor);
	const known = shell.background ? -pid : pid;
	shell.processes.add(known);
	shell.spawned();
	// Stopping the line (Ctrl-C reaches the child directly) must not leave the child running.
	const forget = shell.control.onStop((signal) => void async.kill(known, signal).catch(() => undefined));
	try {
		const { code, signal } = await async.waitPid(pid);
		await Promise.all([...plumbing.outputs, plumbing.finishInput()]);
		// A shell that runs a script has received Ctrl-C as well, and is gone unless it has a trap for it.
		const isStopped = shell.host.isInteractive && !shell.background;
		if (signal === 'SIGINT' && isStopped) throw interruptOf(shell, code);
		return code;
	} finally {
		forget();
		shell.processes.delete(known);
	}
}

/** @throws SyscallError if it cannot be run, otherwise as {@link retryFork} */
async function spawn(shell: Shell, options: SpawnOptions): Promise<number> {
	let pid = 0;
	await retryFork(shell, () => {
		try {
			pid = shell.host.context.sync.spawn(options);
			return true;
		} catch (error) {
			if (error instanceof SyscallError && error.code === 'EAGAIN') return false;
			throw error;
		}
	});
	return pid;
}

/** Returns the interruption for a child ended by Ctrl-C, which ends the line it belongs to, as in bash. */
function interruptOf(shell: Shell, code: number): Interrupted {
	return new Interrupted(shell.control.stopped ? 130 : code);
}

function connectStreams(shell: Shell): Plumbing {
	const { sync } = shell.host.context;
	const given: number[] = [];
	const outputs: Promise<void>[] = [];
	const shared = new Map<OpenFile, number>();
	const output = (file: OpenFile | undefined): number | 'null' => {
		if (!file) return 'null';
		if (file.kernel !== undefined) return file.kernel;
		let writer = shared.get(file);
		if (writer === undefined) {
			const opened = file.stream.openForChild?.() ?? null;
			if (opened !== null) {
				shared.set(file, opened);
				given.push(opened);
				return opened;
			}
			const pipe = sync.pipe();
			writer = pipe.writer;
			shared.set(file, writer);
			given.push(writer);
			outputs.push(pumpOut(shell, pipe.reader, file));
		}
		return writer;
	};
	const feeds: { finish(): Promise<void> }[] = [];
	const readers = new Map<OpenFile, number>();
	const input = (file: OpenFile): number => {
		const known = readers.get(file) ?? file.kernel;
		if (known !== undefined) return known;
		const pipe = sync.pipe();
		feeds.push(feed(shell, file, pipe));
		readers.set(file, pipe.reader);
		return pipe.reader;
	};
	const standard = shell.descriptors.get(0);
	const stdio = {
		stdin: standard ? input(standard) : ('null' as const),
		stdout: output(shell.descriptors.get(1)),
		stderr: output(shell.descriptors.get(2))
	};
	const descriptors = higherDescriptors(shell, standard, input, output);
	return {
		stdio: descriptors.length > 0 ? { ...stdio, descriptors } : stdio,
		given,
		outputs,
		finishInput: async () => void (await Promise.all(feeds.map((one) => one.finish())))
	};
}

/** Descriptors of a child above its standard streams: all except ends of pipes that may be empty for long. */
function higherDescriptors(
	shell: Shell,
	standard: OpenFile | undefined,
	input: (file: OpenFile) => number,
	output: (file: OpenFile) => number | 'null'
): [number, number][] {
	const descriptors: [number, number][] = [];
	for (const [number, file] of shell.descriptors.higher()) {
		const isFed = file.stream.isKnown || file === standard;
		if (file.kernel === undefined && file.stream.isInput && !isFed) continue;
		const own = isFed ? input(file) : output(file);
		if (own !== 'null') descriptors.push([number, own]);
	}
	return descriptors;
}

/** Copies what a child writes to a stream of the shell, until the child has closed it. */
async function pumpOut(shell: Shell, reader: number, file: OpenFile): Promise<void> {
	const { async } = shell.host.context;
	try {
		for (;;) {
			const bytes = await async.read(reader, 65536);
			if (bytes.length === 0) return;
			await file.write(bytes);
		}
	} catch (error) {
		// Closing our end signals the child that the reader is gone.
		if (!(error instanceof BrokenPipe)) throw error;
	} finally {
		await async.close(reader);
	}
}

/**
 * Feeds a stream of the shell to a child. The shell keeps the reading end: what the child has not read
 * when it ends is put back, so that `while read …; do node …; done <list` sees every line.
 */
function feed(shell: Shell, input: OpenFile, pipe: { reader: number; writer: number }) {
	const { async } = shell.host.context;
	let wake = () => {};
	const stop = new Promise<null>((resolve) => (wake = () => resolve(null)));
	const pump = (async () => {
		try {
			for (;;) {
				const bytes = await input.readUnless(stop, 65536);
				if (bytes === null || bytes.length === 0) break;
				await async.write(pipe.writer, bytes);
			}
		} finally {
			// A stream that can no longer be read must end for the child too, which would wait for it otherwise.
			await async.close(pipe.writer);
		}
	})();
	// The child saw the end of its input; the error is reported here, since the child cannot know it.
	const ending = pump.catch((error: unknown) => {
		if (!(error instanceof SyscallError) && !(error instanceof BadDescriptor)) throw error;
		complain(shell, `standard input: ${reason(error)}`);
	});
	return {
		async finish() {
			wake();
			const left: Uint8Array[] = [];
			for (;;) {
				const bytes = await async.read(pipe.reader, 65536);
				if (bytes.length === 0) break;
				left.push(bytes);
			}
			await ending;
			await async.close(pipe.reader);
			if (left.length) input.unread(concat(left));
		}
	};
}
