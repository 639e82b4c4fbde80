import { encode } from './bytes.ts';
import type { Surroundings } from './surroundings.ts';

/** Column at which the text of a trace starts, behind the time and the place in the program. */
const TEXT_COLUMN = 40;

/** Variables of the environment that request a trace (git(1)). */
export type TraceName = 'GIT_TRACE_SETUP' | 'GIT_TRACE_PACKET';

/** Returns whether the environment requests a trace. */
export const isTraced = ({ env }: Pick<Surroundings, 'env'>, name: TraceName): boolean =>
	!['', '0', 'false'].includes((env[name] ?? '').toLowerCase());

/** Writes lines of a trace to the file or the descriptor that its variable names. @param place in the program */
export function writeTrace(surroundings: Surroundings, name: TraceName, place: string, lines: readonly string[]): void {
	if (!isTraced(surroundings, name)) return;
	const { files, env } = surroundings;
	const value = env[name] ?? '';
	const isBare = !['', '0', 'false'].includes(env['GIT_TRACE_BARE'] ?? '');
	const start = isBare ? '' : `${timeOfDay()} ${place}`.padEnd(TEXT_COLUMN);
	const text = encode(lines.map((line) => `${start}${line}\n`).join(''));
	if (value.startsWith('/')) files.appendFile(value, text);
	else if (/^[1-9]$/.test(value)) files.write(Number(value), text);
	else if (value.toLowerCase() === 'true') files.write(2, text);
	else
		surroundings.warn(
			`unknown trace value for '${name}': ${value}\n` +
				`         If you want to trace into a file, then please set ${name}\n` +
				'         to an absolute pathname (starting with /)'
		);
}

/** Local time with microseconds. */
function timeOfDay(): string {
	const now = new Date();
	const parts = [now.getHours(), now.getMinutes(), now.getSeconds()].map((part) => String(part).padStart(2, '0'));
	return `${parts.join(':')}.${String(now.getMilliseconds()).padStart(3, '0')}000`;
}
