import { decode, encode } from '#computer/process/text.ts';
import { utility } from '../options.ts';
import { eachInput } from '../streams.ts';

/** `less` and `more`: pages on a terminal, unchanged output otherwise. */
export const less = utility(
	'R r N|LINE-NUMBERS S F|quit-if-one-screen X i I E e q Q n M m w W += p= x= s f K c d u',
	async (call, options) => {
		const { shell } = call;
		const kernel = shell.descriptors.get(1)?.kernel;
		const { sync } = shell.host.context;
		const sink = shell.descriptors.require(1);
		if (kernel === undefined || !sync.isTerminal(kernel)) {
			return eachInput(call, options.operands, async (file) => {
				for (;;) {
					const bytes = await shell.control.race(file.read(65536));
					if (bytes.length === 0) return;
					await sink.write(bytes);
				}
			});
		}
		let text = '';
		const status = await eachInput(
			call,
			options.operands,
			async (file) => void (text += decode(await shell.control.race(file.readAll())))
		);
		const lines = text.replace(/\n$/, '').split('\n');
		const { rows, columns } = sync.terminalSize();
		const height = Math.max(1, rows - 1);
		if (lines.length <= height && options.has('F')) {
			await call.out(`${lines.join('\n')}\n`);
			return status;
		}
		let top = 0;
		let pattern = '';
		let note = '';
		const last = Math.max(0, lines.length - height);
		const draw = async () => {
			top = Math.min(Math.max(0, top), last);
			const page = lines
				.slice(top, top + height)
				.map((line, index) => (options.has('N') ? `${String(top + index + 1).padStart(7)} ` : '') + line);
			while (page.length < height) page.push('~');
			const state = note || (top >= last ? '(END)' : ':');
			note = '';
			await call.out(
				`\x1b[H\x1b[2J${page.map((line) => `${line.slice(0, options.has('R') ? undefined : columns)}\r\n`).join('')}\x1b[7m${state}\x1b[0m`
			);
		};
		const search = (from: number, step: number) => {
			for (let at = from; at >= 0 && at < lines.length; at += step) {
				if (lines[at]?.toLowerCase().includes(pattern.toLowerCase())) return void (top = at);
			}
			note = 'Pattern not found';
		};
		// Keys come from the terminal, also when the text is piped in.
		const keys = shell.host.standard.input;
		const readKey = async () => decode(await shell.control.race(keys.read(32)));
		sync.terminalMode('raw');
		await call.out('\x1b[?1049h');
		try {
			for (;;) {
				await draw();
				const key = await readKey();
				if (key === '' || key === 'q' || key === 'Q' || key === '\x03') return status;
				if (key === ' ' || key === 'f' || key === '\x06' || key === '\x1b[6~') top += height;
				else if (key === 'b' || key === '\x02' || key === '\x1b[5~') top -= height;
				else if (key === 'j' || key === '\r' || key === '\n' || key === '\x1b[B') top++;
				else if (key === 'k' || key === 'y' || key === '\x1b[A') top--;
				else if (key === 'd' || key === '\x04') top += Math.floor(height / 2);
				else if (key === 'u' || key === '\x15') top -= Math.floor(height / 2);
				else if (key === 'g' || key === '<' || key === '\x1b[H') top = 0;
				else if (key === 'G' || key === '>' || key === '\x1b[F') top = last;
				else if (key === 'n') search(top + 1, 1);
				else if (key === 'N') search(top - 1, -1);
				else if (key === '/') {
					pattern = '';
					for (;;) {
						await call.out(`\r\x1b[K/${pattern}`);
						const typed = await readKey();
						if (typed === '\r' || typed === '\n') break;
						if (typed === '\x1b' || typed === '\x03' || typed === '') {
							pattern = '';
							break;
						}
						pattern = typed === '\x7f' ? pattern.slice(0, -1) : pattern + typed;
					}
					if (pattern) search(top + 1, 1);
				}
			}
		} finally {
			await shell.descriptors.get(1)?.write(encode('\x1b[?1049l'));
			sync.terminalMode('cooked');
		}
	}
);
