import type { BuiltIn } from '#computer/shell/state/host.ts';
import { readWhole } from '../input/whole-file.ts';
import { reason } from '#computer/shell/execution/redirections.ts';

export const cmp: BuiltIn = async (call) => {
	const names = call.args.filter((arg) => !arg.startsWith('-') || arg === '-');
	const quiet = call.args.includes('-s');
	const contents: Uint8Array[] = [];
	for (const name of names.slice(0, 2)) {
		try {
			contents.push(
				name === '-' ? await call.shell.descriptors.require(0).readAll() : await readWhole(call.shell, name)
			);
		} catch (error) {
			if (!quiet) await call.complain(`${name}: ${reason(error)}`);
			return 2;
		}
	}
	const [a = new Uint8Array(), b = new Uint8Array()] = contents;
	const size = Math.min(a.length, b.length);
	let line = 1;
	for (let index = 0; index < size; index++) {
		if (a[index] !== b[index]) {
			if (!quiet) await call.out(`${names[0]} ${names[1]} differ: char ${index + 1}, line ${line}\n`);
			return 1;
		}
		if (a[index] === 10) line++;
	}
	if (a.length === b.length) return 0;
	const shorter = a.length < b.length ? names[0] : names[1];
	if (!quiet)
		await call.complain(
			size === 0 ? `EOF on ${shorter} which is empty` : `EOF on ${shorter} after byte ${size}, line ${line - 1}`
		);
	return 1;
};
