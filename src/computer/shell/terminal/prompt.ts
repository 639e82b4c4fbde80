import type { Shell } from '../state/shell.ts';
import { decode } from '#computer/process/text.ts';

const SAND = '\x1b[38;2;214;168;92m';
const DIM = '\x1b[2m';
const PLAIN = '\x1b[0m';

/** `workspace main ❯ `: current directory and branch, and whether the last command failed. */
export function prompt(shell: Shell): string {
	const home = shell.variables.get('HOME');
	const place = shell.cwd === home ? '~' : shell.cwd === '/' ? '/' : shell.cwd.slice(shell.cwd.lastIndexOf('/') + 1);
	const current = branch(shell);
	const arrow = shell.status === 0 ? SAND : '\x1b[31m';
	return `${SAND}${place}${PLAIN}${current ? ` ${DIM}${current}${PLAIN}` : ''} ${arrow}❯${PLAIN} `;
}

/** Branch of the current repository, or the start of its commit id. */
function branch(shell: Shell): string | null {
	const { sync } = shell.host.context;
	for (let directory = shell.cwd; ; directory = directory.slice(0, directory.lastIndexOf('/'))) {
		const path = `${directory === '/' ? '' : directory}/.git/HEAD`;
		if (sync.statOrNull(path)?.kind === 'file') {
			const head = decode(sync.readFile(path)).trim();
			return /^ref: refs\/heads\/(.+)$/.exec(head)?.[1] ?? head.slice(0, 7);
		}
		if (directory === '' || directory === '/') return null;
	}
}
