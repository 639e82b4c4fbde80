import { GuardRefusal } from '../guards/refusals.ts';
import type { ToolContext } from '../tool.ts';
import { TemporaryFiles } from './temporary-files.ts';

/** Shorter contents are sent again as quickly as a command that copies them. */
const MIN_KEPT_CHARACTERS = 1_000;

/**
 * Keeps the content of a write that was refused because the file had not been read, so that the model need not send it
 * again; the file lasts as long as the session.
 *
 * @returns the refusal, with how to write the kept content; any other error as it is
 */
export async function withContentKept(context: ToolContext, content: string, error: unknown): Promise<unknown> {
	if (!(error instanceof GuardRefusal) || error.guard !== 'read-before-write') return error;
	if (content.length < MIN_KEPT_CHARACTERS) return error;
	const path = `/tmp/sandglass-write-${context.callId.replace(/[^\w-]/g, '').slice(-40) || 'call'}.txt`;
	try {
		const { exitCode } = await context.environment.exec(`cat > ${path}`, { stdin: content, signal: context.signal });
		if (exitCode !== 0) return error;
	} catch {
		// Nothing can be kept here: the model sends it again.
		return error;
	}
	TemporaryFiles.of(context.state).add(path);
	const advice = `What you sent is kept in ${path}: if it still fits once you have read the file, copy it there by a command instead of sending it again.`;
	return new GuardRefusal(error.guard, `${error.message} ${advice}`);
}
