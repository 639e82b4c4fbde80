import { Control, Interrupted } from '#computer/shell/state/control.ts';
import { runSubshell } from '#computer/shell/execution/subshell.ts';
import { signalNamed } from '#computer/abi/signals.ts';
import { SIGNALS } from '#computer/shell/builtins/signals.ts';
import { UsageError, utility } from '../options.ts';
import { secondsOf } from './duration.ts';
import { runProgram } from './run-program.ts';

const FAILED = 125;
const TIMED_OUT = 124;
const KILL = SIGNALS.indexOf('KILL') + 1;
const KILLED = 128 + KILL;
/** Maximum delay of a timer; longer timeouts never expire. */
const MOST_MS = 2 ** 31 - 1;

/** `timeout 5 command`: status 124 after the timeout. */
export const timeout = utility(
	'+foreground k|kill-after= preserve-status s|signal= v|verbose',
	async (call, options) => {
		const signal = signalNumber(options.get('s') ?? 'TERM');
		const later = options.get('k');
		const killMs = later === undefined ? 0 : readSeconds(later) * 1000;
		const [text, ...words] = options.operands;
		if (text === undefined || words.length === 0) throw new UsageError('missing operand', true);
		const limitMs = readSeconds(text) * 1000;
		// An uncatchable signal is reported as such, not as a timeout.
		const end = signal === KILL || options.has('preserve-status') ? 128 + signal : TIMED_OUT;
		let late = false;
		let control: Control | undefined;
		let killTimer: ReturnType<typeof setTimeout> | undefined;
		let isKilled = false;
		const send = (number: number): void => {
			const name = SIGNALS[number - 1] ?? 'EXIT';
			if (options.has('v')) void call.complain(`sending signal ${name} to command '${words[0]}'`);
			// Signal 0 does not end anything.
			if (number > 0) control?.stop(isKilled ? KILLED : end, signalNamed(number));
		};
		const expire = (): void => {
			late = true;
			send(signal);
			if (killMs > 0) killTimer = setTimeout(kill, killMs);
		};
		const kill = (): void => {
			isKilled = true;
			send(KILL);
		};
		const timer = limitMs > 0 && limitMs <= MOST_MS ? setTimeout(expire, limitMs) : undefined;
		try {
			const status = await runSubshell(call.shell, (inner) => {
				control = inner.control;
				// A separate group, so that the signal also reaches child processes of the command.
				if (!options.has('foreground')) inner.background = true;
				return runProgram(call, inner, words, 'failed to run command');
			});
			return isKilled ? KILLED : late ? end : status;
		} catch (error) {
			if (late && error instanceof Interrupted && !call.shell.control.stopped) return isKilled ? KILLED : end;
			throw error;
		} finally {
			clearTimeout(timer);
			clearTimeout(killTimer);
		}
	},
	FAILED
);

/** @throws UsageError */
function readSeconds(text: string): number {
	const seconds = secondsOf(text);
	if (seconds === null) throw new UsageError(`invalid time interval '${text}'`, true);
	return seconds;
}

/** @throws UsageError */
function signalNumber(text: string): number {
	const upper = text.toUpperCase().replace(/^SIG/, '');
	if (upper === 'EXIT' || text === '0') return 0;
	const number = /^\d+$/.test(text) ? Number(text) : SIGNALS.indexOf(upper) + 1;
	if (number < 1 || number > 64) throw new UsageError(`'${text}': invalid signal`, true);
	return number;
}
