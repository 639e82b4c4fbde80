import type { Plugin } from 'vite';

interface Terminal {
	isTTY?: boolean;
	write(text: string): unknown;
}

/** Interval between updates of the line, in ms. */
const REDRAW_MS = 100;
const CLEAR_LINE = '\r\x1b[K';

/**
 * Shows the progress of a build on one line of a terminal: modules parsed and programs bundled, which take most of the
 * time. Prints nothing if the output is not a terminal.
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
