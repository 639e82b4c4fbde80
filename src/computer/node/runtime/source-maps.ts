/** Position in an original source file. Lines and columns are counted from 1. */
export interface Original {
	file: string;
	line: number;
	column: number;
}

export interface RawMap {
	sources: string[];
	names?: string[];
	sourceRoot?: string;
	mappings: string;
	sections?: unknown;
}

/** One mapping: generated column, source, line, column, name; all from 0. */
export type Segment = [column: number, source: number, line: number, sourceColumn: number, name?: number];

const LINK = /^[ \t]*\/\/[#@] sourceMappingURL=(\S+)[ \t]*$/gm;
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const maps = new Map<string, SourceMap | null>();
const linked = new Map<string, { link: string; read: (file: string) => string | null }>();

/** Records the location of a file's source map. The map is read when a stack trace needs it. */
export function rememberMap(file: string, code: string, read: (file: string) => string | null): void {
	if (!code.includes('sourceMappingURL=')) return;
	const link = [...code.matchAll(LINK)].at(-1)?.[1];
	if (link !== undefined) linked.set(file, { link, read });
}

/** Original position for one in a generated file, if its source map has it. */
export function originalPlace(file: string, line: number, column: number): Original | undefined {
	return mapOf(file)?.find(line, column);
}

/** Source map of a file that has run, with absolute URLs of its sources. */
export function rawMapOf(file: string): RawMap | undefined {
	const raw = mapOf(file)?.raw;
	if (!raw) return undefined;
	const root = raw.sourceRoot ? `${raw.sourceRoot.replace(/\/$/, '')}/` : '';
	const { sourceRoot: _, ...rest } = raw;
	return { ...rest, sources: raw.sources.map((source) => new URL(root + source, pathUrl(file)).href) };
}

function mapOf(file: string): SourceMap | null {
	const known = maps.get(file);
	if (known !== undefined) return known;
	const found = linked.get(file);
	let map: SourceMap | null = null;
	try {
		const text = found ? readLink(found.link, file, found.read) : null;
		if (text !== null) map = new SourceMap(JSON.parse(text.replace(/^\)\]\}'[^\n]*\n/, '')) as RawMap, file);
	} catch {
		// Invalid map: the trace shows the generated file.
	}
	maps.set(file, map);
	return map;
}

function readLink(link: string, file: string, read: (file: string) => string | null): string | null {
	const data = /^data:application\/json[^,]*?(;base64)?,(.*)$/s.exec(link);
	if (!data) return read(decodeURIComponent(new URL(link, pathUrl(file)).pathname));
	const body = data[2] ?? '';
	if (!data[1]) return decodeURIComponent(body);
	return new TextDecoder().decode(Uint8Array.from(atob(body), (character) => character.charCodeAt(0)));
}

const pathUrl = (file: string) => (file.startsWith('file:') ? file : `file://${file}`);

class SourceMap {
	readonly #lines: Segment[][];
	readonly #sources: string[];

	constructor(
		readonly raw: RawMap,
		file: string
	) {
		const root = raw.sourceRoot ? `${raw.sourceRoot.replace(/\/$/, '')}/` : '';
		this.#sources = raw.sources.map((source) => {
			const address = new URL(root + source, pathUrl(file));
			return address.protocol === 'file:' ? decodeURIComponent(address.pathname) : address.href;
		});
		this.#lines = decode(raw.mappings);
	}

	find(line: number, column: number): Original | undefined {
		let best: Segment | undefined;
		for (const segment of this.#lines[line - 1] ?? []) {
			if (segment[0] > column - 1) break;
			best = segment;
		}
		const file = best && this.#sources[best[1]];
		return best && file !== undefined ? { file, line: best[2] + 1, column: best[3] + 1 } : undefined;
	}
}

/** Mappings of each generated line, sorted by column: base64 VLQ, source map revision 3. */
export function decode(mappings: string): Segment[][] {
	let [source, line, sourceColumn, name] = [0, 0, 0, 0];
	return mappings.split(';').map((text) => {
		let column = 0;
		const segments: Segment[] = [];
		for (const part of text.split(',')) {
			const values = numbers(part);
			if (values.length === 0) continue;
			column += values[0] ?? 0;
			if (values.length < 4) continue;
			source += values[1] ?? 0;
			line += values[2] ?? 0;
			sourceColumn += values[3] ?? 0;
			name += values[4] ?? 0;
			segments.push(
				values.length > 4 ? [column, source, line, sourceColumn, name] : [column, source, line, sourceColumn]
			);
		}
		return segments.sort((a, b) => a[0] - b[0]);
	});
}

function numbers(text: string): number[] {
	const values: number[] = [];
	let [value, shift] = [0, 0];
	for (const character of text) {
		const digit = DIGITS.indexOf(character);
		value += (digit & 31) << shift;
		shift += 5;
		if (digit & 32) continue;
		values.push(value & 1 ? -(value >>> 1) : value >>> 1);
		[value, shift] = [0, 0];
	}
	return values;
}
