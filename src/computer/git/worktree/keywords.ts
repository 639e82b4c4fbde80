import { binaryBytes, binaryText } from '../diff/lines.ts';
import { objectId } from '../objects/object.ts';

/** Matches `$Id$`, plain or with an id by git or by another system. */
const KEYWORD = /\$Id(?:\$|:([^$\n]*)\$)/g;

/** Removes the ids from each `$Id: … $`. */
export function withoutIds(content: Uint8Array): Uint8Array {
	if (!content.includes(0x24)) return content;
	return binaryBytes(binaryText(content).replace(KEYWORD, '$$Id$$'));
}

/** Inserts the id of the content into each `$Id$`; keeps values by other systems. */
export function withIds(content: Uint8Array): Uint8Array {
	if (!content.includes(0x24)) return content;
	const text = binaryText(content);
	let id: string | null = null;
	return binaryBytes(
		text.replace(KEYWORD, (whole, value: string | undefined) => {
			// A value with inner blanks is not an id by git.
			const blank = value?.indexOf(' ', 1) ?? -1;
			if (value !== undefined && blank >= 0 && blank < value.length - 1) return whole;
			id ??= objectId('blob', content);
			return `$Id: ${id} $`;
		})
	);
}
