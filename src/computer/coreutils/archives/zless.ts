import type { BuiltIn } from '#computer/shell/state/host.ts';
import { concat } from '#computer/process/text.ts';
import { utility } from '../options.ts';
import { passedOptions } from '../passed-options.ts';
import { less, SPECIFICATION } from '../terminal/less.ts';
import { readUnpacked, runOn } from './unpacked-file.ts';

const FAILED = 1;

/** `zless` and `zmore`: page through files that may be compressed. */
export const zless: BuiltIn = utility(SPECIFICATION, async (call, options) => {
	const names = options.operands.length > 0 ? options.operands : ['-'];
	const contents: Uint8Array[] = [];
	let hasFailed = false;
	for (const name of names) {
		const content = await readUnpacked(call, name);
		if (content) contents.push(content);
		else hasFailed = true;
	}
	const status = contents.length > 0 ? await runOn(call, less, 'less', passedOptions(options), concat(contents)) : 0;
	return hasFailed ? FAILED : status;
});
