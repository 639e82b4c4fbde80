/** Options for formatting lines. */
export interface LineStyle {
	/** A tab follows the sign, so that tabs in the text stay aligned (`-T`). */
	hasInitialTab: boolean;
	/** No blank follows the sign of an empty line. */
	leavesBlankEmpty: boolean;
	/** Distance of tab stops for expanding tabs (`-t`); null keeps tabs. */
	expandedTab: number | null;
}

export const NO_NEWLINE = '\\ No newline at end of file';

/** Expands the tabs of a line if requested. */
export function lineText(line: string, { expandedTab }: LineStyle): string {
	if (expandedTab === null || !line.includes('\t')) return line;
	let text = '';
	let column = 0;
	for (const character of line) {
		const width = character === '\t' ? expandedTab - (column % expandedTab) : 1;
		text += character === '\t' ? ' '.repeat(width) : character;
		column += width;
	}
	return text;
}

/** Formats a line with its sign, for the normal and context formats, without its line end. */
export function signed(sign: string, line: string, style: LineStyle): string {
	if (style.leavesBlankEmpty && line === '') return sign.trimEnd();
	return `${sign}${style.hasInitialTab ? '\t' : ' '}${lineText(line, style)}`;
}
