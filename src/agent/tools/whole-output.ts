import type { ToolContext } from '../tool.ts';
import { RollingOutput } from './rolling-output.ts';
import { TemporaryFiles } from './temporary-files.ts';

/** Path of the file for the complete output of a call. */
export function wholeOutputPath({ callId }: ToolContext): string {
	return `/tmp/sandglass-shell-${callId.replace(/[^\w-]/g, '').slice(-40) || 'call'}.log`;
}

/**
 * Saves an output that the model sees only in part to a file, with keys redacted. The file is removed at the end of the
 * session.
 *
 * @returns a line that names the file; `undefined` if it could not be written
 */
export async function keepWholeOutput(context: ToolContext, text: string): Promise<string | undefined> {
	const output = new RollingOutput(context.environment, wholeOutputPath(context));
	output.add(text);
	output.end();
	const path = await output.wholeFile(true);
	if (path === undefined) return undefined;
	TemporaryFiles.of(context.state).add(path);
	return `[The whole output, ${output.totalLines} lines, is in ${path}]`;
}
