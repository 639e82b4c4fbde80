import type { ExecutionEnvironment } from '#environment/contract.ts';
import { OutputBuffer } from '#environment/output-buffer.ts';
import type { ImportRepository } from '#workspace/contract.ts';
import type { ReceiptStep, ShareBundle } from '../contract.ts';
import { CarriedFiles } from './carried-files.ts';
import { restoreStep } from './history.ts';
import { inspectReceipt, type Inspected } from './inspect-receipt.ts';
import type { Problem, Verified } from './match.ts';
import { plainOutput } from '#agent/tools/plain-output.ts';
import { Redaction } from './redaction.ts';
import { restoreBase } from './restore.ts';
import { sha256, treeHash } from './sha256.ts';
import { steadyOutput } from './steady-output.ts';

/** Time limit for a command of a share in the visitor's tab. Milliseconds. */
const MOST_MS = 120_000;

/**
 * Runs the commands of a share again, each on the files recorded in the share, and compares the conversation,
 * the receipt and the new run. This runs untrusted code: only with the user's consent, and in an environment
 * that is discarded afterwards.
 *
 * @param environment empty
 * @returns each step as soon as it is known
 */
export async function* verifyReceipt(
	bundle: ShareBundle,
	environment: ExecutionEnvironment,
	importRepository: ImportRepository,
	options: Parameters<ImportRepository>[2] = {}
): AsyncGenerator<Verified> {
	await restoreBase(bundle, environment, importRepository, options);
	const start = await environment.snapshot();
	const isBased = bundle.base !== undefined;
	const readBlob = (blob: string): Promise<Uint8Array> => environment.readBlob(blob);
	// Nothing is redacted here: the share was created without its secrets.
	const carried = new CarriedFiles(start.entries, isBased, readBlob, new Redaction(new Set()));
	const hashNow = async (): Promise<string> => treeHash(await carried.of((await environment.snapshot()).entries));
	const inspected = await inspectReceipt(bundle);
	for (const { run: _run, ...shown } of inspected.filter(({ run }) => !run)) yield shown;
	const runs = new Map<string, Inspected[]>();
	for (const each of inspected) {
		const at = each.run?.step.checkpoint ?? '';
		const together = runs.get(at) ?? [];
		runs.set(at, together);
		together.push(each);
	}
	// The first checkpoint is the import itself.
	const first = bundle.checkpoints[0]?.id ?? null;
	for (const step of [{ checkpoint: first, files: {}, removed: [], empty: [] }, ...(bundle.history ?? [])]) {
		await restoreStep(step, environment);
		const due = step.checkpoint === null ? [] : (runs.get(step.checkpoint) ?? []);
		if (due.length === 0) continue;
		const here = await environment.snapshot();
		for (const { run: known, ...shown } of due) {
			if (!known) continue;
			const before = await hashNow();
			const result = await run(environment, known.recorded.command, known.recorded.cwd);
			yield { ...shown, ...(await compare(shown, known.step, result, { before, after: await hashNow() })) };
			await environment.restore(here);
		}
	}
}

async function run(
	environment: ExecutionEnvironment,
	command: string,
	cwd: string | undefined
): Promise<{ printed: string; exitCode: number }> {
	const output = new OutputBuffer();
	const { exitCode } = await environment.exec(command, {
		timeoutMs: MOST_MS,
		...(cwd === undefined ? {} : { cwd }),
		onOutput: ({ data }) => output.add(data)
	});
	return { printed: output.text(), exitCode };
}

async function compare(
	{ problems, gaps, machine }: Pick<Verified, 'problems' | 'gaps' | 'machine'>,
	step: ReceiptStep,
	{ printed, exitCode }: { printed: string; exitCode: number },
	files: { before: string; after: string }
): Promise<Pick<Verified, 'problems' | 'gaps' | 'exitCode' | 'printed'>> {
	const compared = step.link === undefined ? printed : plainOutput(printed);
	const isSame = (await sha256(steadyOutput(compared, exitCode))) === step.output;
	const found: Problem[] = [...problems];
	if (files.before !== step.before) found.push('files_before');
	const outcome: Problem[] = [];
	if (step.after !== null && files.after !== step.after) outcome.push('files_after');
	if (!isSame) outcome.push('output');
	if (exitCode !== step.exitCode) outcome.push('exit_code');
	const result = { exitCode: { recorded: step.exitCode, here: exitCode }, ...(isSame ? {} : { printed }) };
	// That machine had other programs, and perhaps another path for the project.
	if (machine !== undefined && outcome.length > 0)
		return { problems: found, gaps: [...gaps, 'other_machine'], ...result };
	return { problems: [...found, ...outcome], gaps, ...result };
}
