import { encode } from '#computer/process/text.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { LineSource } from './input/line-source.ts';

/** Asks on stderr, after the name of the command. Returns whether the next input line begins with `y`. */
export const isAffirmed = (call: Call, question: string): Promise<boolean> =>
	isAnsweredYes(call, `${call.name}: ${question}`);

/** The same with a question that is printed unchanged. */
export async function isAnsweredYes(call: Call, question: string): Promise<boolean> {
	await call.shell.descriptors.get(2)?.write(encode(question));
	// Read byte by byte, so that the next answer stays in the input.
	const answer = await new LineSource(call, [], 10, 1).next();
	return /^[yY]/.test(answer?.text ?? '');
}
