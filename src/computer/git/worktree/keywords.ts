import { binaryBytes, binaryText } from '../diff/lines.ts';
import { objectId } from '../objects/object.ts';

/** `$Id$` with the id of some content, or of another system, in it. */
const KEYWORD = /\$Id(?:\$|:([^$\n]*)\$)/g;

/** Contents with the ids taken out of their `$Id: … $`. */
export function withoutIds(content: Uint8Array): Uint8Array {
	if (!content.includes(0x24)) return content;
	return binaryBytes(binaryText(content).replace(KEYWORD, '$$Id$$'));
}

/** Contents with their own id in each `$Id$`; what another system wrote there stays. */
export function withIds(content: Uint8Array): Uint8Array {
	if (!content.includes(0x24)) return content;
	const text = binaryText(content);
	let id: string | null = null;
	return binaryBytes(
		text.replace(KEYWORD, (whole, value: string | undefined) => {
			// Words with blanks between them are none of git's ids.
			const blank = value?.indexOf(' ', 1) ?? -1;
			if (value !== undefined && blank >= 0 && blank < value.length - 1) return whole;
			id ??= objectId('blob', content);
			return `$Id: ${id} $`;
		})
	);
}
