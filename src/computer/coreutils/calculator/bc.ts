import { Interrupted } from '#computer/shell/state/control.ts';
import { decode, encode } from '#computer/process/text.ts';
import { utility } from '../options.ts';
import { Interpreter } from './interpreter.ts';
import { calculate } from './program.ts';

/** `bc`: arbitrary-precision arithmetic. `-l` adds the functions `s c a l e`. */
export const bc = utility('l|mathlib q|quiet s|standard w|warn i|interactive', async ({ shell, out }, options) => {
	const { sync } = shell.host.context;
	let printed = '';
	const flush = async (): Promise<void> => {
		const text = printed;
		printed = '';
		if (text !== '') await out(text);
	};
	let complaints = '';
	const interpreter = new Interpreter(
		(text) => (printed += text),
		options.has('l'),
		() => {
			if (shell.control.stopped) throw new Interrupted(130);
		}
	);
	const sources = options.operands.map((name) => decode(sync.readFile(shell.path(name))));
	for (const read of [
		...sources.map((source) => () => source),
		async () => decode(await shell.control.race(shell.descriptors.require(0).readAll()))
	]) {
		const goesOn = calculate(await read(), interpreter, (text) => (complaints += text));
		await flush();
		if (complaints !== '') await shell.descriptors.get(2)?.write(encode(complaints));
		complaints = '';
		if (!goesOn) break;
	}
	return 0;
});
