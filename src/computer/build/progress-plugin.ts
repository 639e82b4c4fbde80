import type { Plugin } from 'vite';

interface Terminal {
	isTTY?: boolean;
	write(text: string): unknown;
}

/** Time between two changes of the line, in ms. */
const REDRAW_MS = 100;
const CLEAR_LINE = '\r\x1b[K';

/**
 * Shows on one line of a terminal how far a build is: modules parsed and programs bundled, which take most of the time.
 * Prints nothing where the output is no terminal.
 */
export function buildProgress(out: Terminal = process.stdout, nowMs: () => number = Date.now): Plugin {
	let modules = 0;
	let programs = 0;
	let startMs = 0;
	let drawnMs = 0;
	return {
		name: 'sandglass:progress',
		apply: 'build',
		buildStart() {
			startMs = nowMs();
		},
		moduleParsed({ id }) {
			modules++;
			if (id.endsWith('?program')) programs++;
			if (!out.isTTY || nowMs() - drawnMs < REDRAW_MS) return;
			drawnMs = nowMs();
			const seconds = Math.round((drawnMs - startMs) / 1000);
			out.write(`${CLEAR_LINE}  ${modules} modules, ${programs} programs, ${seconds} s`);
		},
		closeBundle() {
			if (out.isTTY) out.write(CLEAR_LINE);
		}
	};
}
