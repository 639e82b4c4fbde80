import { toLatin1 } from '#computer/process/text.ts';
import type { BuiltIn, Call } from '#computer/shell/state/host.ts';
import { type Options, UsageError, utility } from '../options.ts';
import { ENCODINGS, type Encoding } from './base-encoding.ts';
import { bytesOf } from './byte-rows.ts';

const SPECIFICATION = 'd|decode i|ignore-garbage w|wrap=';
const DEFAULT_WIDTH = 76;

/** `base32` and `base64`, which have a fixed encoding. */
export const base32 = fixed('base32');
export const base64 = fixed('base64');

/** `basenc`: uses the last encoding given. */
export const basenc = utility(`${SPECIFICATION} ${Object.keys(ENCODINGS).join(' ')}`, (call, options) => {
	const name = options.last(...Object.keys(ENCODINGS));
	const encoding = name === undefined ? undefined : ENCODINGS[name];
	if (!encoding) throw new UsageError('missing encoding type', true);
	return convert(call, options, encoding, name === 'z85');
});

function fixed(name: string): BuiltIn {
	return utility(SPECIFICATION, (call, options) => {
		const encoding = ENCODINGS[name];
		if (!encoding) throw new Error(`There is no encoding ${name}.`);
		return convert(call, options, encoding, false);
	});
}

async function convert(call: Call, options: Options, encoding: Encoding, needsWholeUnits: boolean): Promise<number> {
	const width = widthOf(options);
	const [name, extra] = options.operands;
	if (extra !== undefined) throw new UsageError(`extra operand '${extra}'`);
	const { bytes, status } = await bytesOf(call, name === undefined ? [] : [name]);
	if (status !== 0) return status;
	if (options.has('d')) {
		const text = toLatin1(bytes).replace(options.has('i') ? encoding.alphabet : /\n/g, '');
		const decoded = encoding.decode(text);
		await call.shell.descriptors.require(1).write(decoded.bytes);
		if (!decoded.isWhole) await call.complain('invalid input');
		return decoded.isWhole ? 0 : 1;
	}
	const isWhole = !needsWholeUnits || bytes.length % 4 === 0;
	const text = encoding.encode(bytes);
	const lines = width > 0 ? (text.match(new RegExp(`.{1,${width}}`, 'g')) ?? []).map((line) => `${line}\n`) : [text];
	if (isWhole) await call.out(lines.join(''));
	else await call.complain('invalid input (length must be multiple of 4 characters)');
	return isWhole ? 0 : 1;
}

/** @throws UsageError */
function widthOf(options: Options): number {
	const text = options.get('w');
	if (text === undefined) return DEFAULT_WIDTH;
	if (!/^\s*\+?\d+$/.test(text)) throw new UsageError(`invalid wrap size: '${text}'`);
	// A width longer than any text means lines are not wrapped.
	return Number(text) < 0xffff ? Number(text) : 0;
}
