import { UsageError } from '../../options.ts';

type Part = 'hd' | 'ad' | 'de' | 'ln';

/** Colors of the parts of a comparison: header, added, deleted, line numbers; `rs` resets. */
const PALETTE: Readonly<Record<Part | 'rs', string>> = { rs: '0', hd: '1', ad: '32', de: '31', ln: '36' };

/** Colors parts of the output, or returns them unchanged. */
export type Painter = (part: Part, text: string) => string;

export const plain: Painter = (_part, text) => text;

/** @param palette `rs=0:hd=1:ad=32:de=31:ln=36`; parts may be missing. @throws UsageError */
export function painterOf(palette: string): Painter {
	const colours = { ...PALETTE };
	for (const entry of palette.split(':').filter(Boolean)) {
		const [, name = '', value = ''] = /^(\w\w)=([\d;]*)$/.exec(entry) ?? [];
		if (!(name in colours)) throw new UsageError('unparsable value for --palette');
		colours[name as keyof typeof colours] = value;
	}
	return (part, text) => `\x1b[${colours[part]}m${text}\x1b[${colours.rs}m`;
}
