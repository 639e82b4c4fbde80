import { decode, encode } from '#computer/process/text.ts';
import { eachInput } from '../input/each-input.ts';
import { utility } from '../options.ts';

/** `rev`: reverses each line. */
export const rev = utility('0|zero', (call, options) => {
	const end = options.has('0') ? '\0' : '\n';
	return eachInput(call, options.operands, async (file) => {
		const text = decode(await call.shell.control.race(file.readAll()));
		// As in the original: text after a NUL is lost, including the line end.
		const lines = (end === '\0' ? text : text.replace(/\0[^\n]*\n?/g, '')).split(end);
		const reversed = lines.map((line) => [...line].reverse().join(''));
		await call.shell.descriptors.require(1).write(encode(reversed.join(end)));
	});
});
