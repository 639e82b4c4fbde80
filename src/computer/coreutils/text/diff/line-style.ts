/** Format of lines in the output. */
export interface LineStyle {
	/** A tab follows the sign, so that tabs of the text remain aligned (`-T`). */
	hasInitialTab: boolean;
	/** No blank follows the sign of an empty line. */
	leavesBlankEmpty: boolean;
	/** Distance of tab stops for expanding tabs (`-t`); null keeps them. */
	expandedTab: number | null;
}

export const NO_NEWLINE = '\\ No newline at end of file';

/** Text of a line, with tabs expanded if requested. */
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

/** Formats a line after its sign for the normal and context formats, without its newline. */
export function signed(sign: string, line: string, style: LineStyle): string {
	if (style.leavesBlankEmpty && line === '') return sign.trimEnd();
	return `${sign}${style.hasInitialTab ? '\t' : ' '}${lineText(line, style)}`;
}
