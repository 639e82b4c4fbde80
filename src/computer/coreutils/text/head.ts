import { eachInput } from '../input/each-input.ts';
import type { OpenFile } from '#computer/shell/streams/open-file.ts';
import { concat } from '#computer/process/text.ts';
import { utility } from '../options.ts';
import { modern, SPECIFICATION, amountOf, headers, startOfLast } from './amount.ts';

/** `head`: stops reading as soon as it has enough, so that endless producers end. */
export const head = modern(
	/^(-)(\d+)([bkmclqvz]*)$/,
	utility(SPECIFICATION, async (call, options) => {
		const amount = amountOf(options);
		const { sign, count, bytewise, delimiter } = amount;
		const header = headers(call, options);
		const sink = call.shell.descriptors.require(1);
		const copy = async (file: OpenFile) => {
			if (sign === '-') {
				// Holds back only what may have to be left out: the input may be endless.
				let held = new Uint8Array();
				for (;;) {
					const piece = await call.shell.control.race(file.read(65536));
					if (piece.length === 0) return file.unread(held);
					const bytes = concat([held, piece]);
					const end = startOfLast(bytes, amount);
					await sink.write(bytes.subarray(0, end));
					held = bytes.slice(end);
				}
			}
			let left = count;
			while (left > 0) {
				const piece = await call.shell.control.race(file.read(bytewise ? Math.min(left, 65536) : 65536));
				if (piece.length === 0) return;
				let end = piece.length;
				if (bytewise) left -= piece.length;
				else {
					let at = -1;
					do at = piece.indexOf(delimiter, at + 1);
					while (at >= 0 && --left > 0);
					if (left === 0) end = at + 1;
				}
				await sink.write(piece.subarray(0, end));
				file.unread(piece.subarray(end));
			}
		};
		return eachInput(call, options.operands, copy, header);
	})
);
