import { encode } from './bytes.ts';
import { binaryText } from './diff/lines.ts';
import { Invocation, type Command } from './invocation.ts';

/** Captures the output of a command. */
class CapturedInvocation extends Invocation {
	text = '';

	override out(text: string | Uint8Array): void {
		this.text += binaryText(typeof text === 'string' ? encode(text) : text);
	}
}

/** Output of a git command that does not wait for anything, as binary text. @throws GitError if the command fails */
export function capturedOutput(
	{ context, cwd, surroundings, env, isBareAsked }: Invocation,
	command: Command,
	args: string[]
): string {
	const captured = new CapturedInvocation(context, cwd, surroundings.overrides, env, isBareAsked);
	void command(captured, args);
	return captured.text;
}
