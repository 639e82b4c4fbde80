import { SELECT } from '../ast/select.ts';
import type { BuiltIn } from '../state/host.ts';
import { decode, encode } from '../streams/text.ts';

const SHOWN = `${SELECT}_SHOWN`;

/** One round of `select`: the menu where it is due, the prompt, the answer. 1 at the end of the input. */
const select: BuiltIn = async ({ shell, args }) => {
	const [variable = 'REPLY', ...items] = args;
	const show = (text: string) => shell.descriptors.get(2)?.write(encode(text));
	for (;;) {
		if (!shell.variables.get(SHOWN)) {
			const width = String(items.length).length;
			await show(items.map((item, index) => `${String(index + 1).padStart(width)}) ${item}\n`).join(''));
			shell.variables.set(SHOWN, '1');
		}
		await show(shell.variables.get('PS3') ?? '#? ');
		const bytes = await shell.control.race(shell.descriptors.require(0).readUntil(10));
		if (bytes === null) return 1;
		const reply = decode(bytes).trim();
		shell.variables.set('REPLY', reply);
		if (reply === '') {
			shell.variables.set(SHOWN, '');
			continue;
		}
		shell.variables.set(variable, /^\d+$/.test(reply) ? (items[Number(reply) - 1] ?? '') : '');
		return 0;
	}
};

export const selectBuiltins: Record<string, BuiltIn> = { [SELECT]: select };
