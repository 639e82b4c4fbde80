import { parseAssignment, type Assignment } from './assignment-line.ts';
import { expand } from './expand.ts';
import { MakeFailure } from './failure.ts';
import { joined, withoutComment, type LogicalLine } from './logical-lines.ts';
import { type MakeState, placeText } from './state.ts';

/** Reads the lines from `define` to its `endef`. @returns also the index of that line @throws MakeFailure */
export async function readDefine(
	state: MakeState,
	lines: readonly LogicalLine[],
	start: number,
	head: string
): Promise<{ assignment: Assignment; last: number }> {
	const { place } = state;
	const written = parseAssignment(head);
	const name = (await expand(state, state.readScope, written?.name ?? head)).trim();
	if (name === '') throw new MakeFailure('empty variable name', placeText(place));
	if (written && written.value.trim() !== '') await state.warn("extraneous text after 'define' directive", place);
	const body: string[] = [];
	let depth = 1;
	for (let index = start + 1; index < lines.length; index++) {
		const line = lines[index];
		const text = joined(line?.text ?? '');
		const word = text.startsWith(state.prefix) ? '' : (/^\s*(define|endef)(?:\s|$)/.exec(text)?.[1] ?? '');
		if (word === 'define') depth++;
		if (word === 'endef') {
			const rest = withoutComment(text)
				.replace(/^\s*endef/, '')
				.trim();
			if (rest !== '')
				await state.warn("extraneous text after 'endef' directive", place && { ...place, line: line?.number ?? 0 });
			if (--depth === 0)
				return {
					assignment: { name: literal(name), operator: written?.operator ?? '=', value: body.join('\n') },
					last: index
				};
		}
		body.push(text);
	}
	throw new MakeFailure("missing 'endef', unterminated 'define'", placeText(place));
}

/** Escapes a name, so that another expansion leaves it unchanged. */
const literal = (name: string): string => name.replaceAll('$', '$$$$');
