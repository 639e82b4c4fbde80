import { encode } from '#computer/process/text.ts';
import { LineSource } from '../input/line-source.ts';
import { TextOutput } from '../input/text-output.ts';
import { utility } from '../options.ts';
import { eachInput } from '../input/each-input.ts';
import { isOutputFile } from '../input/output-file.ts';

const caret = (byte: number): string => {
	if (byte >= 128) return `M-${byte >= 160 && byte < 255 ? String.fromCharCode(byte - 128) : caret(byte - 128)}`;
	return byte === 127 ? '^?' : byte < 32 ? `^${String.fromCharCode(byte + 64)}` : String.fromCharCode(byte);
};

/** `cat`: copies bytes unchanged; with options, line by line. */
export const cat = utility(
	'A|show-all b|number-nonblank e E|show-ends n|number s|squeeze-blank t T|show-tabs u v|show-nonprinting',
	async (call, options) => {
		const { shell } = call;
		if (!options.given.some(({ name }) => name !== 'u')) {
			const sink = shell.descriptors.require(1);
			let isOwnOutput = false;
			const status = await eachInput(call, options.operands, async (file, name) => {
				if (isOutputFile(call, name)) {
					await call.complain(`${name}: input file is output file`);
					isOwnOutput = true;
					return;
				}
				for (;;) {
					const bytes = await shell.control.race(file.read(65536));
					if (bytes.length === 0) return;
					await sink.write(bytes);
				}
			});
			return isOwnOutput ? 1 : status;
		}
		const [ends, tabs, controls] = [
			options.has('A', 'e', 'E'),
			options.has('A', 't', 'T'),
			options.has('A', 'e', 't', 'v')
		];
		const out = new TextOutput(call);
		const lines = new LineSource(call, options.operands);
		lines.beforeWaiting = () => out.flush();
		let number = 0;
		let blanks = 0;
		// A carriage return at the end of a file, which may form a line end with the next file.
		let held = '';
		for (let line = await lines.next(); line; line = await lines.next()) {
			const blank = line.text === '';
			blanks = blank ? blanks + 1 : 0;
			if (options.has('s') && blanks > 1) continue;
			const numbered = options.has('b') ? !blank : options.has('n');
			let { text } = line;
			if (held !== '') out.add(text === '' && line.ended ? '^M' : held);
			held = ends && !controls && !line.ended && text.endsWith('\r') ? '\r' : '';
			text = held === '' ? text : text.slice(0, -1);
			const shown = controls
				? [...encode(text)].map((byte) => (byte === 9 ? (tabs ? '^I' : '\t') : caret(byte))).join('')
				: (tabs ? text.replaceAll('\t', '^I') : text).replace(/\r$/, ends && line.ended ? '^M' : '\r');
			out.add(
				`${numbered ? `${String(++number).padStart(6)}\t` : ''}${shown}${line.ended ? (ends ? '$\n' : '\n') : ''}`
			);
			if (out.full) await out.flush();
		}
		out.add(held);
		await out.flush();
		return lines.status;
	}
);
