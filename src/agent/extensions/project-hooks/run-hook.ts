import { redactSecrets } from '../../guards/redaction.ts';
import { GuardRefusal, PermissionDenied } from '../../guards/refusals.ts';
import type { ToolContext } from '../../tool.ts';
import { CollectedOutput } from '../../tools/collected-output.ts';
import { runCommand } from '../../tools/command-run.ts';
import { plainOutput } from '../../tools/plain-output.ts';
import { truncateCharacters } from '../../tools/truncation.ts';
import type { ProjectHook } from './settings.ts';

/** Maximum characters of a hook's output for the model and the log. */
const MAX_OUTPUT_CHARACTERS = 8_000;

export interface HookOutcome {
	/** `null` if it was not allowed, timed out or could not start; the output states the reason. */
	exitCode: number | null;
	output: string;
	durationMs: number;
}

/**
 * Runs the command of a hook under the same rules as the agent's own commands; anything beyond them needs the user's
 * permission.
 *
 * @param input written to the command's standard input as JSON
 * @returns `null` if the run was stopped meanwhile
 */
export async function runHook(
	context: ToolContext,
	{ command, timeout_seconds: timeoutSeconds }: ProjectHook,
	input: unknown
): Promise<HookOutcome | null> {
	const started = performance.now();
	const output = new CollectedOutput();
	const outcome = (exitCode: number | null, reason = ''): HookOutcome => ({
		exitCode,
		output: truncateCharacters(
			redactSecrets([plainOutput(output.text()).trim(), reason].filter(Boolean).join('\n')),
			MAX_OUTPUT_CHARACTERS,
			'head_tail'
		),
		durationMs: performance.now() - started
	});
	const call = {
		command,
		description: `Run the hook \`${command}\``,
		stdin: JSON.stringify(input),
		timeoutMs: timeoutSeconds * 1_000
	};
	try {
		// The output belongs to the hook, not to the call it accompanies.
		const { result, aborted } = await runCommand({ ...context, onProgress: () => {} }, call, output);
		if (aborted) return null;
		if (result.timedOut) return outcome(null, `It was ended after its limit of ${timeoutSeconds} s.`);
		return outcome(result.exitCode);
	} catch (error) {
		if (context.signal.aborted) return null;
		if (error instanceof PermissionDenied || error instanceof GuardRefusal) return outcome(null, error.message);
		return outcome(null, `It could not run: ${error instanceof Error ? error.message : String(error)}`);
	}
}
