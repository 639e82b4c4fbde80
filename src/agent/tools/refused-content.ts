import { GuardRefusal } from '../guards/refusals.ts';
import type { ToolContext } from '../tool.ts';
import { TemporaryFiles } from './temporary-files.ts';

/** Resending shorter content is as fast as a command that copies it. */
const MIN_KEPT_CHARACTERS = 1_000;

/**
 * Saves the content of a write that was refused because the file had not been read, so that the model need not send it
 * again. The file is removed at the end of the session.
 *
 * @returns the refusal, with instructions to write the saved content; any other error unchanged
 */
export async function withContentKept(context: ToolContext, content: string, error: unknown): Promise<unknown> {
	if (!(error instanceof GuardRefusal) || error.guard !== 'read-before-write') return error;
	if (content.length < MIN_KEPT_CHARACTERS) return error;
	const path = `/tmp/sandglass-write-${context.callId.replace(/[^\w-]/g, '').slice(-40) || 'call'}.txt`;
	try {
		const { exitCode } = await context.environment.exec(`cat > ${path}`, { stdin: content, signal: context.signal });
		if (exitCode !== 0) return error;
	} catch {
		// The content cannot be saved here: the model must send it again.
		return error;
	}
	TemporaryFiles.of(context.state).add(path);
	const advice = `What you sent is kept in ${path}: if it still fits once you have read the file, copy it there by a command instead of sending it again.`;
	return new GuardRefusal(error.guard, `${error.message} ${advice}`);
}
