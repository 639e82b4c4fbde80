import type { Pipeline } from '../ast/nodes.ts';
import type { Shell } from '../state/shell.ts';
import { encode } from '#computer/process/text.ts';

/** Formats of `time` without TIMEFORMAT, and with `-p`. */
const USUAL = '\nreal\t%3lR\nuser\t%3lU\nsys\t%3lS';
const POSIX = 'real %2R\nuser %2U\nsys %2S';
/** Format of `time` without a command in POSIX mode, which is about the shell itself. */
const POSIX_ALONE = 'user\t%2lU\nsys\t%2lS';

/** Decimals that a time has unless its format says how many, and has at most. */
const MOST_DECIMALS = 3;

/**
 * Writes how long a pipeline took, as TIMEFORMAT says. The kernel counts no processor time, so that of user and
 * system is 0.
 */
export async function reportTime(shell: Shell, elapsedMs: number, pipeline: Pipeline): Promise<void> {
	const usual = shell.options.posix && pipeline.commands.length === 0 ? POSIX_ALONE : USUAL;
	const format = pipeline.timePosix ? POSIX : (shell.variables.get('TIMEFORMAT') ?? usual);
	if (format === '') return;
	const text = formatted(format, elapsedMs / 1000);
	if (typeof text === 'object') shell.complain(`TIMEFORMAT: \`${text.wrong}': invalid format character`);
	else await shell.descriptors.get(2)?.write(encode(`${text}\n`));
}

function formatted(format: string, seconds: number): string | { wrong: string } {
	let wrong: string | null = null;
	const text = format.replace(/%(?:(%)|(P)|(\d?)(l?)([RUS])|(.?))/gs, (...found: (string | undefined)[]) => {
		const [, percent, share, decimals, isLong, kind, other] = found;
		if (percent) return '%';
		if (share) return '0.00';
		if (kind === undefined) {
			wrong ??= other ?? '';
			return '';
		}
		const digits = decimals ? Math.min(Number(decimals), MOST_DECIMALS) : MOST_DECIMALS;
		const time = kind === 'R' ? seconds : 0;
		return isLong ? `${Math.floor(time / 60)}m${(time % 60).toFixed(digits)}s` : time.toFixed(digits);
	});
	return wrong === null ? text : { wrong };
}
