import type { Pipeline } from '../ast/nodes.ts';
import type { Shell } from '../state/shell.ts';
import { encode } from '#computer/process/text.ts';

/** Default format of `time` without TIMEFORMAT, and its format with `-p`. */
const USUAL = '\nreal\t%3lR\nuser\t%3lU\nsys\t%3lS';
const POSIX = 'real %2R\nuser %2U\nsys %2S';
/** Format of `time` without a command in POSIX mode, which reports on the shell itself. */
const POSIX_ALONE = 'user\t%2lU\nsys\t%2lS';

/** Default and maximum number of decimals of a time. */
const MOST_DECIMALS = 3;

/**
 * Prints the duration of a pipeline in the format of TIMEFORMAT. The kernel does not measure processor time, so user
 * and system times are 0.
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
