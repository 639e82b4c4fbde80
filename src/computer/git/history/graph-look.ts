import { wantsColor } from '../color-choice.ts';
import { ansiColor } from '../config/ansi-color.ts';
import type { Invocation } from '../invocation.ts';
import type { Options } from '../options.ts';
import { Graph } from './graph.ts';
import { shownMark } from './selection.ts';
import type { Mark } from './walk.ts';

const COLORS = ['red', 'green', 'yellow', 'blue', 'magenta', 'cyan'];
const USUAL = [...COLORS, ...COLORS.map((color) => `bold ${color}`)];

/**
 * Creates a graph, in the colors of `log.graphColors` if output is colored.
 *
 * @param color value of `--color`
 */
export function graphOf(git: Invocation, color: string | undefined): Graph {
	if (!wantsColor(git, 'diff', color)) return new Graph();
	const set = git.repository.config.get('log.graphcolors');
	return new Graph(set === undefined ? USUAL.map((name) => ansiColor(name) ?? '') : namedColors(git, set));
}

/** Parses a comma-separated list of colors; omits invalid ones. */
function namedColors(git: Invocation, list: string): string[] {
	return list.split(',').flatMap((name) => {
		const color = ansiColor(name.trim());
		if (color === null) git.err(`warning: ignored invalid color '${name.trim()}' in log.graphColors\n`);
		return color ?? [];
	});
}

/** Character that represents a commit in a graph. */
export function drawnMark(mark: Mark, options: Options<'leftRight' | 'cherryMark' | 'cherry'>): string {
	return mark === '-' ? 'o' : mark === '=' || options.has('leftRight') ? shownMark(mark, options) || '*' : '*';
}
