import { History } from '#computer/terminal/history.ts';
import { LineEditor } from '#computer/terminal/line-editor.ts';
import { ShellSyntaxError } from '../parser/error.ts';
import { parse } from '../parser/parse.ts';
import { describeJob } from '../builtins/job-control.ts';
import { evaluate } from '../execution/run-words.ts';
import { complain } from '../execution/script.ts';
import { ShellDialect } from '../execution/shell-dialect.ts';
import { runExitTrap } from '../execution/traps.ts';
import { ExitJump, Interrupted, LoopJump, ReturnJump, ShellError } from '../state/control.ts';
import type { Shell } from '../state/shell.ts';
import { ReadonlyVariable } from '../state/variables.ts';
import { BrokenPipe } from '../streams/open-file.ts';
import { encode } from '#computer/process/text.ts';
import { complete } from './completion.ts';
import { prompt } from './prompt.ts';

const PASTE_ON = '\x1b[?2004h';
const PASTE_OFF = '\x1b[?2004l';

/**
 * Interactive shell: prompt, line editor, history; each command runs in the cooked terminal.
 *
 * Reads no start file, not even `~/.bashrc`: an import, a program or an earlier command could have written it,
 * and it would run without the user's consent. `. ~/.bashrc` reads it.
 */
export async function runInteractive(shell: Shell): Promise<number> {
	const { sync, async } = shell.host.context;
	shell.interactive = shell.host.isInteractive = true;
	shell.shopt.add('expand_aliases');
	shell.aliases.set('ll', 'ls -l').set('la', 'ls -A');
	const home = shell.variables.get('HOME') ?? '/home/user';
	const history = new History(sync, `${home}/.bash_history`);
	shell.host.history.entries = [...history.lines];
	shell.options.history = true;
	const editor = makeEditor(shell, history);
	sync.catchSignal('SIGINT', true);
	let editing = false;
	const interrupt = (newest: number): void => {
		const front = [...shell.processes].filter((pid) => pid > 0);
		// A process started while the signal was in flight did not receive it.
		const missed = front.filter((pid) => pid > newest);
		for (const pid of missed) void async.kill(pid, 'SIGINT').catch(() => undefined);
		// A foreground program receives the signal itself, and may continue: its exit status decides.
		if (front.length > 0) return;
		shell.control.stop(130, 'SIGINT');
		shell.host.forks.giveUp();
	};
	shell.host.context.onSignal((signal, newest) => {
		if (!editing) {
			if (signal === 'SIGINT') interrupt(newest);
			return;
		}
		// Pressed before the terminal was raw, but delivered only now: a Ctrl-C at the prompt.
		if (signal === 'SIGINT') shell.host.forks.giveUp();
		editor.redraw();
	});
	for (;;) {
		await reportJobs(shell);
		const read = async (text: string) => {
			await shell.host.standard.flush();
			sync.terminalMode('raw');
			sync.catchSignal('SIGWINCH', true);
			editing = true;
			await shell.host.standard.output.write(encode(PASTE_ON));
			const result = await editor.read(text, () => shell.host.standard.input.read(4096));
			editing = false;
			// Cooked first: a Ctrl-C pressed as soon as the line is submitted must be a signal, not a character.
			sync.terminalMode('cooked');
			sync.catchSignal('SIGWINCH', false);
			await shell.host.standard.output.write(encode(PASTE_OFF));
			await shell.host.standard.flush();
			return result;
		};
		const source = await readCommand(shell, read);
		if (source === null) return leave(shell, shell.status);
		if (source.trim() === '') continue;
		history.add(source);
		shell.host.history.add(source, Infinity);
		shell.control.reset();
		const left = await runLine(shell, source);
		if (left !== null) return leave(shell, left);
	}
}

async function leave(shell: Shell, status: number): Promise<number> {
	const code = await runExitTrap(shell, status);
	await shell.host.standard.output.write(encode('exit\n'));
	return code;
}

/** Reads a complete command, over as many lines as necessary. `null`: Ctrl-D. */
async function readCommand(
	shell: Shell,
	read: (prompt: string) => ReturnType<LineEditor['read']>
): Promise<string | null> {
	let source = '';
	for (;;) {
		const result = await read(source === '' ? prompt(shell) : '> ');
		if (result.kind === 'end') return source === '' ? null : '';
		if (result.kind === 'cancel') {
			shell.host.forks.giveUp();
			shell.status = 130;
			return '';
		}
		source += source === '' ? result.text : `\n${result.text}`;
		try {
			parse(source, new ShellDialect(shell));
			return source;
		} catch (error) {
			if (!(error instanceof ShellSyntaxError) || !error.incomplete) return source;
		}
	}
}

/** Runs one command line. Returns the exit status after `exit`, otherwise null. */
async function runLine(shell: Shell, source: string): Promise<number | null> {
	try {
		shell.status = await evaluate(shell, source);
	} catch (error) {
		if (error instanceof ExitJump) return error.status;
		shell.status = statusOf(shell, error);
		if (error instanceof Interrupted) await shell.host.standard.output.write(encode('\n'));
	} finally {
		shell.conditionDepth = 0;
		shell.loopDepth = 0;
		shell.calls = [];
	}
	return null;
}

function statusOf(shell: Shell, error: unknown): number {
	if (error instanceof Interrupted) return error.status;
	if (error instanceof BrokenPipe) return 141;
	if (error instanceof LoopJump || error instanceof ReturnJump) return shell.status;
	complain(shell, error instanceof Error ? error.message : String(error));
	return error instanceof ShellError ? error.status : error instanceof ReadonlyVariable ? 1 : 2;
}

function makeEditor(shell: Shell, history: History): LineEditor {
	const { standard, context } = shell.host;
	return new LineEditor(
		{
			write: (text) => {
				// The next read notices if the terminal is gone.
				try {
					void standard.output.write(encode(text));
				} catch (error) {
					if (!(error instanceof BrokenPipe)) throw error;
				}
			},
			columns: () => context.sync.terminalSize().columns
		},
		history,
		(before) => complete(shell, before)
	);
}

/** Reports jobs that ended since the last prompt. */
async function reportJobs(shell: Shell): Promise<void> {
	for (const job of [...shell.jobs.all()]) {
		if (job.status === null) continue;
		if (!job.reported) await shell.host.standard.output.write(encode(describeJob(job, true)));
		shell.jobs.forget(job);
	}
}
