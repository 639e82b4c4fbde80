/** Limits for one call of a paging tool (003 §3.4). */
export interface PageLimits {
	maxLines: number;
	maxBytes: number;
	/** Longer lines are cut. */
	maxLineCharacters?: number;
}

export const PI_PAGE: PageLimits = { maxLines: 2_000, maxBytes: 51_200 };

export interface Page {
	lines: string[];
	truncatedBy?: 'lines' | 'bytes';
	firstLineExceedsLimit?: boolean;
	/** Explains how to continue. */
	notice?: string;
}

/**
 * Returns the first complete lines that fit, with a notice that explains how to continue.
 *
 * @param offset 1-based number of the first of `lines` in the file
 * @param total lines of the file
 * @param path quoted for a shell
 */
export function cutPage(
	lines: readonly string[],
	limits: PageLimits,
	offset: number,
	total: number,
	path: string
): Page {
	const shown = limits.maxLineCharacters ? lines.map((line) => cutLine(line, limits.maxLineCharacters ?? 0)) : lines;
	let bytes = 0;
	let count = 0;
	let truncatedBy: Page['truncatedBy'];
	for (const line of shown) {
		const size = byteLength(line) + (count > 0 ? 1 : 0);
		if (count >= limits.maxLines) truncatedBy = 'lines';
		else if (bytes + size > limits.maxBytes) truncatedBy = 'bytes';
		if (truncatedBy) break;
		bytes += size;
		count++;
	}
	if (!truncatedBy) return { lines: [...shown] };
	if (count === 0) {
		const size = formatSize(byteLength(shown[0] ?? ''));
		const notice = `[Line ${offset} is ${size}, exceeds ${formatSize(limits.maxBytes)} limit. Use bash: sed -n '${offset}p' ${path} | head -c ${limits.maxBytes}]`;
		return { lines: [], truncatedBy, firstLineExceedsLimit: true, notice };
	}
	const end = offset + count - 1;
	const limit = truncatedBy === 'bytes' ? ` (${formatSize(limits.maxBytes)} limit)` : '';
	const notice = `[Showing lines ${offset}-${end} of ${total}${limit}. Use offset=${end + 1} to continue.]`;
	return { lines: shown.slice(0, count), truncatedBy, notice };
}

/** The end of a text that is too long to show in full. */
export interface Tail {
	text: string;
	truncated: boolean;
	/** 1-based number of the first line shown. */
	firstLine: number;
	totalLines: number;
	/** The last line alone exceeds the limit: only its end is shown. */
	lastLinePartial?: boolean;
}

/** Returns the last complete lines that fit; if the last line alone does not fit, its end. */
export function cutTail(text: string, limits: PageLimits): Tail {
	const endsWithLine = text.endsWith('\n');
	const lines = (endsWithLine ? text.slice(0, -1) : text).split('\n');
	const totalLines = text === '' ? 0 : lines.length;
	// Line separators are counted only between lines.
	let bytes = -1;
	let first = lines.length;
	while (first > 0 && lines.length - first < limits.maxLines) {
		const size = byteLength(lines[first - 1] ?? '') + 1;
		if (bytes + size > limits.maxBytes) break;
		bytes += size;
		first--;
	}
	if (first === 0) return { text, truncated: false, firstLine: 1, totalLines };
	const shown = lines.slice(first).join('\n');
	if (first < lines.length) return { text: shown, truncated: true, firstLine: first + 1, totalLines };
	const end = trimStartTo(lines.at(-1) ?? '', limits.maxBytes);
	return { text: end, truncated: true, firstLine: lines.length, totalLines, lastLinePartial: true };
}

/** Returns the end of a text, at most `maxBytes` of UTF-8, starting at a character boundary. */
export function trimStartTo(text: string, maxBytes: number): string {
	const bytes = new TextEncoder().encode(text);
	let start = Math.max(0, bytes.length - maxBytes);
	while (start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
	return new TextDecoder().decode(bytes.subarray(start));
}

/** @param maxCharacters UTF-16 units; a surrogate pair at the cut is dropped completely */
export function cutLine(line: string, maxCharacters: number): string {
	if (line.length <= maxCharacters) return line;
	const last = line.charCodeAt(maxCharacters - 1);
	const end = last >= 0xd800 && last <= 0xdbff ? maxCharacters - 1 : maxCharacters;
	return `${line.slice(0, end)}... [truncated]`;
}

export function byteLength(text: string): number {
	return new TextEncoder().encode(text).length;
}

/** Formats a size, e.g. `50.0KB`. */
export function formatSize(bytes: number): string {
	return bytes < 1024
		? `${bytes}B`
		: bytes < 1024 * 1024
			? `${(bytes / 1024).toFixed(1)}KB`
			: `${(bytes / 1024 / 1024).toFixed(1)}MB`;
}
