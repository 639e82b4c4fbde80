import { byBytes } from '../../byte-order.ts';
import { compareVersions } from '../../version-order.ts';
import type { Entry } from './entry.ts';
import { shownName } from './name.ts';
import type { Settings } from './settings.ts';

type Compare = (a: Entry, b: Entry) => number;

const extension = (name: string) => /\.[^.]*$/.exec(name)?.[0] ?? '';
const isDirectory = ({ stat, target }: Entry) => (target?.stat ?? stat)?.kind === 'directory';

function comparison(settings: Settings): Compare {
	const byName: Compare = (a, b) => byBytes(a.name, b.name);
	switch (settings.sort) {
		case 'extension':
			return (a, b) => byBytes(extension(a.name), extension(b.name)) || byName(a, b);
		case 'size':
			return (a, b) => (b.stat?.size ?? 0) - (a.stat?.size ?? 0) || byName(a, b);
		case 'time':
			return (a, b) => (b.stat?.[settings.timeField] ?? 0) - (a.stat?.[settings.timeField] ?? 0) || byName(a, b);
		case 'version':
			return (a, b) => compareVersions(a.name, b.name) || byName(a, b);
		case 'width':
			return (a, b) => shownName(a.name, settings).length - shownName(b.name, settings).length || byName(a, b);
		default:
			return byName;
	}
}

/** Sorts entries for display. */
export function sorted(entries: readonly Entry[], settings: Settings): Entry[] {
	if (settings.sort === 'none') return [...entries];
	const compare = comparison(settings);
	const groups: Compare = settings.groupsDirectories
		? (a, b) => Number(isDirectory(b)) - Number(isDirectory(a))
		: () => 0;
	return [...entries].sort((a, b) => groups(a, b) || (settings.isReversed ? compare(b, a) : compare(a, b)));
}
