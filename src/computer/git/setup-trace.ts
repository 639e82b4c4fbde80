import { discover } from './discover.ts';
import type { Surroundings } from './surroundings.ts';
import { isTraced, writeTrace } from './trace.ts';

/** Prints where the repository and its working tree were found, if `GIT_TRACE_SETUP` asks for it. */
export function traceSetup(surroundings: Surroundings): void {
	if (!isTraced(surroundings, 'GIT_TRACE_SETUP')) return;
	const { cwd } = surroundings;
	const { gitDir, commonDir, worktree, shown } = discover(surroundings);
	const isBelow = worktree !== null && cwd !== worktree && cwd.startsWith(worktree === '/' ? '/' : `${worktree}/`);
	const lines = [
		`git_dir: ${shown}`,
		`git_common_dir: ${commonDir === gitDir ? shown : commonDir}`,
		`worktree: ${worktree ?? '(null)'}`,
		`cwd: ${isBelow ? worktree : cwd}`,
		`prefix: ${isBelow ? `${cwd.slice(worktree === '/' ? 1 : worktree.length + 1)}/` : '(null)'}`
	];
	writeTrace(
		surroundings,
		'GIT_TRACE_SETUP',
		'setup',
		lines.map((line) => `setup: ${quoteBreaks(line)}`)
	);
}

/** Writes line breaks as escapes, so that each fact stays on one line. */
const quoteBreaks = (text: string) =>
	text.replace(/[\\\n\r]/g, (letter) => (letter === '\\' ? '\\\\' : letter === '\n' ? '\\n' : '\\r'));
