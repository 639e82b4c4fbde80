import type { BuiltIn } from '../state/host.ts';
import { OpenFile } from '../streams/open-file.ts';
import { collector } from '../streams/simple-streams.ts';
import { concat, decode } from '../streams/text.ts';

const LIMIT_BYTES = 256 * 1_048_576;

/** `paste` takes options written together, as `-sd+`. */
const paste: BuiltIn = ({ shell, args }) => {
	const apart = args.flatMap((arg) => {
		const [, delimiter] = /^-sd(.+)$/s.exec(arg) ?? [];
		return delimiter === undefined ? (arg === '-sd' ? ['-s', '-d'] : [arg]) : ['-s', '-d', delimiter];
	});
	const named = apart.some((arg, index) => (!/^-./.test(arg) || arg === '-') && apart[index - 1] !== '-d');
	return shell.host.tools.run(shell, 'paste', named ? apart : [...apart, '-']);
};

/** `uniq -c` with GNU's width of the counts. */
const uniq: BuiltIn = async ({ shell, args, out }) => {
	if (!args.some((arg) => /^-[a-z]*c|^--count$/.test(arg))) return shell.host.tools.run(shell, 'uniq', args);
	const sink = collector(LIMIT_BYTES);
	const before = shell.descriptors;
	shell.descriptors = before.fork();
	shell.descriptors.set(1, new OpenFile(sink.stream));
	let status: number;
	try {
		status = await shell.host.tools.run(shell, 'uniq', args);
	} finally {
		shell.descriptors.dispose();
		shell.descriptors = before;
	}
	await out(decode(concat(sink.pieces)).replace(/^ *(\d+) /gm, (_line, number: string) => `${number.padStart(7)} `));
	return status;
};

/** Commands of just-bash with what they lack put right around them. */
export const adaptedUtilities: Record<string, BuiltIn> = { paste, uniq };
