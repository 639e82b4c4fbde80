import type { ExecutionEnvironment } from '../../environment/contract.ts';
import { OutputBuffer } from '../../environment/output-buffer.ts';
import type { ImportRepository } from '../../workspace/contract.ts';
import type { ReceiptStep, ShareBundle } from '../contract.ts';
import { CarriedFiles } from './carried-files.ts';
import { restoreStep } from './history.ts';
import type { Verified } from './match.ts';
import { recordedCommands } from './receipt.ts';
import { Redaction } from './redaction.ts';
import { restoreBase } from './restore.ts';
import { sha256, treeHash } from './sha256.ts';
import { steadyOutput } from './steady-output.ts';

/** A command of a share may run so long in the visitor's tab. Milliseconds. */
const MOST_MS = 120_000;

/**
 * Runs the commands of a share again, each on the files that the share says it ran on, and tells what matches its
 * receipt. Runs what a stranger wrote: only for who said so, and in an environment that is thrown away afterwards.
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
	// Nothing is taken out here: the share came without its secrets.
	const carried = new CarriedFiles(start.entries, isBased, readBlob, new Redaction(new Set()));
	const hashNow = async (): Promise<string> => treeHash(await carried.of((await environment.snapshot()).entries));
	const commands = new Map(recordedCommands(bundle.entries).map((recorded) => [recorded.callId, recorded]));
	const receipt = bundle.receipt ?? [];
	// The first checkpoint is the import itself.
	const first = bundle.checkpoints[0]?.id ?? null;
	for (const step of [{ checkpoint: first, files: {}, removed: [], empty: [] }, ...(bundle.history ?? [])]) {
		await restoreStep(step, environment);
		const here = await environment.snapshot();
		for (const told of receipt.filter(({ checkpoint }) => checkpoint === step.checkpoint)) {
			const recorded = commands.get(told.callId);
			if (!recorded || (await sha256(recorded.command)) !== told.command) continue;
			const before = (await hashNow()) === told.before;
			const result = await run(environment, recorded.command, recorded.cwd);
			yield {
				callId: told.callId,
				command: recorded.command,
				files: { before, after: told.after === null ? null : (await hashNow()) === told.after },
				...(await compare(told, result))
			};
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
	told: ReceiptStep,
	{ printed, exitCode }: { printed: string; exitCode: number }
): Promise<Pick<Verified, 'output' | 'exitCode' | 'printed'>> {
	const steady = steadyOutput(printed);
	const output = (await sha256(steady)) === told.output;
	return { output, exitCode: { told: told.exitCode, here: exitCode }, ...(output ? {} : { printed }) };
}
