import { isCharacterDevice } from '#computer/abi/special-files.ts';
import type { WireStat } from '#computer/abi/syscalls.ts';
import { inBlocks } from '../../block-size.ts';
import { encode } from '#computer/process/text.ts';
import { strftime } from '../../time/strftime.ts';
import { zoneOf } from '#computer/local-time/zone.ts';
import { KIND_LETTERS, modeText } from '../modes.ts';
import type { Entry } from './entry.ts';
import { linked, markOf, shownName, widthOf } from './name.ts';
import type { Settings } from './settings.ts';

const BLOCK_BYTES = 4096;
const HALF_YEAR_MS = 15_778_476_000;
/** Narrowest column: a character and two spaces. */
const MIN_COLUMN_WIDTH = 3;
const USER = { name: 'user', id: '1000' };

/** Disk usage of a file in bytes: whole blocks. */
const roomOf = (stat: WireStat): number =>
	stat.kind === 'directory'
		? BLOCK_BYTES
		: stat.kind === 'symlink'
			? 0
			: Math.ceil(stat.size / BLOCK_BYTES) * BLOCK_BYTES;

/** Formats entries as lines, one listing at a time; keeps state shared by all listings. */
export class Layout {
	/** Offsets of names in the output, for `--dired`. */
	readonly places: number[] = [];
	readonly headPlaces: number[] = [];
	#text = '';
	#bytes = 0;
	#hasQuotes = false;
	#widths = { inode: 0, blocks: 0 };

	constructor(private readonly settings: Settings) {}

	/** Returns the output since the last call. */
	take(): string {
		const text = this.#text;
		this.#bytes += encode(text).length;
		this.#text = '';
		return text;
	}

	add(text: string): void {
		this.#text += text;
	}

	get #indent(): string {
		return this.settings.isDired ? '  ' : '';
	}

	/** Adds text and records its offset. */
	#addMarked(text: string, places: number[]): void {
		const from = this.#bytes + encode(this.#text).length;
		if (this.settings.isDired) places.push(from, from + encode(text).length);
		this.#text += text;
	}

	/** Adds the header of a directory's listing. */
	head(directory: Entry): void {
		const shown = shownName(directory.name, this.settings, ':');
		this.add(this.#indent);
		this.#addMarked(this.settings.isLinked ? linked(shown, directory.path, false) : shown, this.headPlaces);
		this.add(':\n');
	}

	/** Adds the total blocks of all entries. */
	total(entries: readonly Entry[]): void {
		const bytes = entries.reduce((sum, { stat }) => sum + (stat ? roomOf(stat) : 0), 0);
		this.add(`${this.#indent}total ${inBlocks(bytes, this.settings.blockSize)}${this.settings.end}`);
	}

	entries(entries: readonly Entry[]): void {
		if (entries.length === 0) return;
		const { format, lineLength, end } = this.settings;
		this.#hasQuotes = entries.some(({ name }) => this.#isQuoted(name));
		this.#widths = {
			inode: longest(entries.map((entry) => inodeOf(entry))),
			blocks: longest(entries.map((entry) => this.#blocksOf(entry)))
		};
		if (format === 'long') return this.#long(entries);
		if (format === 'single') {
			for (const entry of entries) this.add(`${this.#withFrills(entry, 0)}${end}`);
			return;
		}

		if (format === 'commas') this.#separated(entries, ',');
		else if (lineLength === 0) this.#separated(entries, ' ');
		else this.#columns(entries, format === 'columns');
	}

	#isQuoted(name: string): boolean {
		return this.settings.alignsQuotes && shownName(name, this.settings) !== name;
	}

	/** Space before an unquoted name if other names are quoted. */
	#pad(name: string): string {
		return this.#hasQuotes && !this.#isQuoted(name) ? ' ' : '';
	}

	/** Formats a name with quotes, color and hyperlink. */
	#painted(entry: Entry, isTarget: boolean, column: number): string {
		const { settings } = this;
		const name = isTarget ? (entry.target?.name ?? '') : entry.name;
		const shown = shownName(name, settings);
		const isAligned = !isTarget && this.#hasQuotes && this.#isQuoted(name);
		const path = isTarget && name.startsWith('/') ? name : entry.path;
		const text = settings.isLinked ? linked(shown, path, isAligned) : shown;
		const { colours, lineLength } = settings;
		const pad = isTarget ? '' : this.#pad(name);
		if (!colours) return pad + text;
		const last = column + encode(shown).length + pad.length - 1;
		const wraps = lineLength > 0 && Math.floor(column / lineLength) !== Math.floor(last / lineLength);
		return pad + colours.paint(text, colours.codeOf(entry, isTarget), wraps);
	}

	#blocksOf({ stat }: Entry): string {
		return stat ? inBlocks(roomOf(stat), this.settings.blockSize) : '?';
	}

	/** Formats the columns before a name: inode and blocks. */
	#frills(entry: Entry): string {
		const { hasInode, hasBlocks, hasContext, format } = this.settings;
		const isTight = format === 'commas';
		const inode = hasInode ? `${inodeOf(entry).padStart(isTight ? 0 : this.#widths.inode)} ` : '';
		const blocks = hasBlocks ? `${this.#blocksOf(entry).padStart(isTight ? 0 : this.#widths.blocks)} ` : '';
		return `${inode}${blocks}${hasContext && format !== 'long' ? '? ' : ''}`;
	}

	#withFrills(entry: Entry, column: number): string {
		const frills = this.#frills(entry);
		const normal = this.settings.colours?.normal() ?? '';
		const name = this.#painted(entry, false, column + frills.length);
		return `${normal}${frills}${name}${markOf(entry.stat, this.settings)}`;
	}

	#lengthOf(entry: Entry): number {
		const name = this.#pad(entry.name) + shownName(entry.name, this.settings);
		return widthOf(this.#frills(entry) + name + markOf(entry.stat, this.settings));
	}

	#separated(entries: readonly Entry[], separator: string): void {
		const { lineLength, end } = this.settings;
		let column = 0;
		for (const [index, entry] of entries.entries()) {
			const length = lineLength ? this.#lengthOf(entry) : 0;
			if (index > 0) {
				const fits = !lineLength || column + length + 2 < lineLength;
				column = fits ? column + 2 : 0;
				this.add(`${separator}${fits ? ' ' : end}`);
			}
			this.add(this.#withFrills(entry, column));
			column += length;
		}
		this.add(end);
	}

	#columns(entries: readonly Entry[], isDownwards: boolean): void {
		const lengths = entries.map((entry) => this.#lengthOf(entry));
		const widths = this.#columnWidths(lengths, isDownwards);
		const rows = Math.ceil(entries.length / widths.length);
		for (let row = 0; row < rows; row++) {
			let column = 0;
			for (let place = 0, from = 0; place < widths.length; place++) {
				const index = isDownwards ? row + place * rows : row * widths.length + place;
				const entry = entries[index];
				if (!entry) break;
				if (place > 0) this.#fill(column, from);
				this.add(this.#withFrills(entry, from));
				column = from + (lengths[index] ?? 0);
				from += widths[place] ?? 0;
			}
			this.add(this.settings.end);
		}
	}

	/** Computes the widths of as many columns as fit into a line. */
	#columnWidths(lengths: readonly number[], isDownwards: boolean): number[] {
		const { lineLength } = this.settings;
		const most = Math.min(lengths.length, Math.max(1, Math.ceil(lineLength / MIN_COLUMN_WIDTH)));
		for (let count = most; count > 1; count--) {
			const rows = Math.ceil(lengths.length / count);
			const widths = Array.from({ length: count }, () => MIN_COLUMN_WIDTH);
			for (const [index, length] of lengths.entries()) {
				const place = isDownwards ? Math.floor(index / rows) : index % count;
				widths[place] = Math.max(widths[place] ?? 0, length + (place === count - 1 ? 0 : 2));
			}
			// As in GNU ls, columns of the minimum width always fit.
			const areLeast = widths.every((width) => width === MIN_COLUMN_WIDTH);
			if (areLeast || widths.reduce((sum, width) => sum + width, 0) < lineLength) return widths;
		}
		return [Math.max(MIN_COLUMN_WIDTH, ...lengths)];
	}

	/** Moves to a column with tabs and spaces. */
	#fill(from: number, to: number): void {
		const { tabSize } = this.settings;
		for (let at = from; at < to;) {
			const isTab = tabSize > 0 && Math.floor(to / tabSize) > Math.floor((at + 1) / tabSize);
			this.add(isTab ? '\t' : ' ');
			at += isTab ? tabSize - (at % tabSize) : 1;
		}
	}

	#long(entries: readonly Entry[]): void {
		const { settings } = this;
		const user = settings.isNumeric ? USER.id : USER.name;
		const cells = entries.map(({ stat }) => ({
			links: stat ? String(stat.links) : '?',
			// A device shows its major and minor numbers.
			size: stat ? (isCharacterDevice(stat) ? '1, 3' : inBlocks(stat.size, settings.fileSize)) : '?',
			time: stat ? this.#time(stat[settings.timeField]) : null
		}));
		const [links, size] = [longest(cells.map((cell) => cell.links)), longest(cells.map((cell) => cell.size))];
		const time = longest([this.#time(0)]);
		const owner = entries.some(({ stat }) => stat) ? user.length : 1;
		for (const [index, entry] of entries.entries()) {
			const { stat, kind } = entry;
			const cell = cells[index];
			if (!cell) continue;
			const who = (isShown: boolean) => (isShown ? `${(stat ? user : '?').padEnd(owner)} ` : '');
			const owners = who(settings.hasOwner) + who(settings.hasGroup) + who(settings.hasAuthor);
			const context = settings.hasContext ? '? ' : '';
			const start =
				`${this.#indent}${this.#frills(entry)}${stat ? modeText(stat) : `${kind ? KIND_LETTERS[kind] : '?'}?????????`} ${cell.links.padStart(links)} ` +
				`${owners}${context}${cell.size.padStart(size)} ${cell.time ?? '?'.padStart(time)} `;
			this.add(`${settings.colours?.normal() ?? ''}${start}`);
			this.#addMarked(this.#painted(entry, false, start.length), this.places);
			this.add(
				entry.target
					? ` -> ${this.#painted(entry, true, 0)}${markOf(entry.target.stat, settings)}`
					: markOf(stat, settings)
			);
			this.add(settings.end);
		}
	}

	#time(ms: number): string {
		const { time, zone } = this.settings;
		const age = Date.now() - ms;
		const isRecent = age >= 0 && age < HALF_YEAR_MS;
		return strftime(isRecent ? time.recent : time.old, ms, zoneOf(zone));
	}
}

const inodeOf = ({ stat }: Entry): string => (stat ? String(stat.inode) : '?');
const longest = (texts: readonly string[]): number => Math.max(0, ...texts.map((text) => text.length));
