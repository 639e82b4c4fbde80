import type { BuiltIn } from '#computer/shell/state/host.ts';
import { encode } from '#computer/process/text.ts';

export const yes: BuiltIn = async (call) => {
	const line = `${call.args.length ? call.args.join(' ') : 'y'}\n`;
	const block = encode(line.repeat(Math.max(1, Math.floor(8192 / line.length))));
	const sink = call.shell.descriptors.require(1);
	for (;;) {
		await call.shell.control.yieldIfDue();
		await sink.write(block);
	}
};
