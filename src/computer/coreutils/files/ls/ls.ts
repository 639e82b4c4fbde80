import type { Call } from '#computer/shell/state/host.ts';
import { type Options, utility } from '../../options.ts';
import { Entries } from './entries.ts';
import type { Entry } from './entry.ts';
import { Layout } from './layout.ts';
import { sorted } from './order.ts';
import { type Settings, settingsOf } from './settings.ts';

const SPECIFICATION =
	'a|all A|almost-all author b|escape block-size= B|ignore-backups c C color|colour=? d|directory D|dired f F classify=? ' +
	'file-type format= full-time g group-directories-first G|no-group h|human-readable si H|dereference-command-line ' +
	'dereference-command-line-symlink-to-dir hide= hyperlink=? indicator-style= i|inode I|ignore= k|kibibytes l ' +
	'L|dereference m n|numeric-uid-gid N|literal o p q|hide-control-chars show-control-chars Q|quote-name quoting-style= ' +
	'r|reverse R|recursive s|size S sort= time= time-style= t T|tabsize= u U v w|width= x X Z|context 1 zero';

interface Listing {
	call: Call;
	settings: Settings;
	entries: Entries;
	layout: Layout;
}

/** `ls`, `dir` and `vdir`: list files with their attributes. */
export const ls = utility(
	SPECIFICATION,
	async (call, options) => {
		const settings = settingsOf(call, options);
		const listing = { call, settings, entries: new Entries(call, settings), layout: new Layout(settings) };
		await list(listing, options);
		const { layout } = listing;
		layout.add(settings.colours?.end() ?? '');
		if (settings.isDired) {
			if (layout.places.length) layout.add(`//DIRED// ${layout.places.join(' ')}\n`);
			if (layout.headPlaces.length) layout.add(`//SUBDIRED// ${layout.headPlaces.join(' ')}\n`);
			layout.add(`//DIRED-OPTIONS// --quoting-style=${settings.quoting}\n`);
		}
		await call.out(layout.take());
		return listing.entries.status;
	},
	2
);

async function list(listing: Listing, options: Options): Promise<void> {
	const { settings, entries, layout } = listing;
	const operands = options.operands.length ? options.operands : ['.'];
	const found = operands.flatMap((name) => entries.operand(name) ?? []);
	const isListed = ({ stat }: Entry) => stat?.kind === 'directory' && !settings.showsDirectories;
	const files = sorted(
		found.filter((entry) => !isListed(entry)),
		settings
	);
	const directories = sorted(found.filter(isListed), settings);
	layout.entries(files);
	if (files.length && directories.length) layout.add('\n');
	const isTitled = settings.isRecursive || operands.length > 1;
	for (const [index, directory] of directories.entries())
		await listDirectory(listing, { directory, isTitled, isFirst: index === 0, isOperand: true, above: [] });
}

interface Place {
	directory: Entry;
	isTitled: boolean;
	isFirst: boolean;
	isOperand: boolean;
	/** Inodes of the directories above. */
	above: readonly number[];
}

async function listDirectory(listing: Listing, place: Place): Promise<void> {
	const { call, settings, entries, layout } = listing;
	const { directory, isTitled, isFirst, isOperand, above } = place;
	const inode = directory.stat?.inode ?? -1;
	if (above.includes(inode)) return entries.reportLoop(directory.name);
	const inside = entries.inside(directory, isOperand);
	if (!inside) return;
	if (isTitled) {
		if (!isFirst) layout.add('\n');
		const { sync } = call.shell.host.context;
		layout.head(settings.isLinked ? { ...directory, path: sync.realpath(directory.path) } : directory);
	}
	const shown = sorted(inside, settings);
	if (settings.format === 'long' || settings.hasBlocks) layout.total(shown);
	layout.entries(shown);
	await call.out(layout.take());
	if (!settings.isRecursive) return;
	for (const entry of shown) {
		if (entry.stat?.kind !== 'directory' || entry.name === '.' || entry.name === '..') continue;
		const name = `${directory.name.replace(/\/$/, '')}/${entry.name}`;
		const next = { directory: { ...entry, name }, isTitled, isFirst: false, isOperand: false };
		await listDirectory(listing, { ...next, above: [...above, inode] });
	}
}
