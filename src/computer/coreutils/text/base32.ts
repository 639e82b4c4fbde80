import { concat } from '#computer/process/text.ts';
import { utility } from '../options.ts';
import { eachInput } from '../input/each-input.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** `base32` (RFC 4648), `-d`, `-w`. */
export const base32 = utility('d|decode i|ignore-garbage w|wrap=', async (call, options) => {
	const pieces: Uint8Array[] = [];
	const status = await eachInput(
		call,
		options.operands.slice(0, 1),
		async (file) => void pieces.push(await call.shell.control.race(file.readAll()))
	);
	if (status !== 0) return status;
	const bytes = concat(pieces);
	if (options.has('d')) {
		const { decoded, isWhole } = decode(new TextDecoder('latin1').decode(bytes), options.has('i'));
		await call.shell.descriptors.require(1).write(decoded);
		if (!isWhole) await call.complain('invalid input');
		return isWhole ? 0 : 1;
	}
	const text = encode(bytes);
	const width = options.number('w', 76);
	const lines = width > 0 ? (text.match(new RegExp(`.{1,${width}}`, 'g')) ?? []).map((line) => `${line}\n`) : [text];
	await call.out(lines.join(''));
	return 0;
});

function encode(bytes: Uint8Array): string {
	let text = '';
	let [hold, held] = [0, 0];
	for (const byte of bytes) {
		hold = ((hold << 8) | byte) & 0xfff;
		for (held += 8; held >= 5; held -= 5) text += LETTERS[(hold >> (held - 5)) & 31];
	}
	if (held > 0) text += LETTERS[(hold << (5 - held)) & 31];
	return text.padEnd(Math.ceil(text.length / 8) * 8, '=');
}

function decode(text: string, lenient: boolean): { decoded: Uint8Array; isWhole: boolean } {
	const letters = text.replace(lenient ? /[^A-Z2-7=]/g : /\n/g, '');
	const [, known = ''] = /^([A-Z2-7]*)/.exec(letters) ?? [];
	const decoded: number[] = [];
	let [hold, held] = [0, 0];
	for (const letter of known) {
		hold = ((hold << 5) | LETTERS.indexOf(letter)) & 0xfff;
		held += 5;
		if (held < 8) continue;
		held -= 8;
		decoded.push((hold >> held) & 255);
	}
	return { decoded: Uint8Array.from(decoded), isWhole: letters.length % 8 === 0 && /^[A-Z2-7]*=*$/.test(letters) };
}
