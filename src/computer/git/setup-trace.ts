import { discover } from './discover.ts';
import { encode } from './bytes.ts';
import type { Surroundings } from './surroundings.ts';

/** Column at which the text of a trace starts, behind the time and the place in the program. */
const TEXT_COLUMN = 40;
const NAME = 'GIT_TRACE_SETUP';

/** Prints where the repository and its working tree were found, if `GIT_TRACE_SETUP` asks for it. */
export function traceSetup(surroundings: Surroundings): void {
	const value = surroundings.env[NAME] ?? '';
	if (['', '0', 'false'].includes(value.toLowerCase())) return;
	const { files, env, cwd } = surroundings;
	const { gitDir, commonDir, worktree, shown } = discover(surroundings);
	const isBelow = worktree !== null && cwd !== worktree && cwd.startsWith(worktree === '/' ? '/' : `${worktree}/`);
	const lines = [
		`git_dir: ${shown}`,
		`git_common_dir: ${commonDir === gitDir ? shown : commonDir}`,
		`worktree: ${worktree ?? '(null)'}`,
		`cwd: ${isBelow ? worktree : cwd}`,
		`prefix: ${isBelow ? `${cwd.slice(worktree === '/' ? 1 : worktree.length + 1)}/` : '(null)'}`
	];
	const start = ['', '0', 'false'].includes(env['GIT_TRACE_BARE'] ?? '')
		? `${timeOfDay()} setup`.padEnd(TEXT_COLUMN)
		: '';
	const text = encode(lines.map((line) => `${start}setup: ${quoteBreaks(line)}\n`).join(''));
	if (value.startsWith('/')) files.appendFile(value, text);
	else if (/^[1-9]$/.test(value)) files.write(Number(value), text);
	else if (value.toLowerCase() === 'true') files.write(2, text);
	else
		surroundings.warn(
			`unknown trace value for '${NAME}': ${value}\n` +
				`         If you want to trace into a file, then please set ${NAME}\n` +
				'         to an absolute pathname (starting with /)'
		);
}

/** Local time with microseconds. */
function timeOfDay(): string {
	const now = new Date();
	const parts = [now.getHours(), now.getMinutes(), now.getSeconds()].map((part) => String(part).padStart(2, '0'));
	return `${parts.join(':')}.${String(now.getMilliseconds()).padStart(3, '0')}000`;
}

/** Writes line breaks as escapes, so that each fact stays on one line. */
const quoteBreaks = (text: string) =>
	text.replace(/[\\\n\r]/g, (letter) => (letter === '\\' ? '\\\\' : letter === '\n' ? '\\n' : '\\r'));
