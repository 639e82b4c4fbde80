import { encode } from '#computer/process/text.ts';
import { utility } from '../options.ts';

/** `yes`. */
export const yes = utility('', async (call, { operands }) => {
	const line = `${operands.length ? operands.join(' ') : 'y'}\n`;
	const block = encode(line.repeat(Math.max(1, Math.floor(8192 / line.length))));
	const sink = call.shell.descriptors.require(1);
	for (;;) {
		await call.shell.control.yieldIfDue();
		await sink.write(block);
	}
});
