import { z } from 'zod';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { isEnvironmentError } from '#environment/errors.ts';
import { ReadLedger } from '../../guards/read-ledger.ts';
import type { Tool, ToolContext } from '../../tool.ts';
import { describeChange, expectUnchanged, readOrNull, type FileChangeDetails } from '../file-change.ts';
import { withPathLocks } from '../path-lock.ts';
import { absolutePath, displayPath } from '../paths.ts';
import { ToolError } from '../result.ts';
import { parsePatch, type PatchOperation } from './parse.ts';
import { planPatch, type PlannedChange, type PlanOptions } from './plan.ts';

const schema = z.object({
	patch: z.string().min(1).describe('The patch, from "*** Begin Patch" to "*** End Patch".')
});

export type ApplyPatchSchema = typeof schema;

/**
 * Creates the tool that applies a patch to any number of files, all or nothing: the whole patch is verified and
 * approved before anything is written.
 */
export function createApplyPatch(options: Partial<PlanOptions> = {}): Tool<ApplyPatchSchema> {
	const planOptions: PlanOptions = { addExisting: options.addExisting ?? 'refuse', maxFuzz: options.maxFuzz ?? 3 };
	return {
		name: 'apply_patch',
		description:
			'Adds, updates, moves and deletes files by one patch between "*** Begin Patch" and "*** End Patch". Each file has a header: "*** Add File: path" (every line begins with +), "*** Delete File: path", or "*** Update File: path" (optionally "*** Move to: path"), then hunks that begin with "@@" and hold lines beginning with a space, - or +. Give three lines of context around a change. Nothing is written unless all of it applies.',
		schema,
		access: 'write',
		async execute({ patch }, context) {
			const { environment } = context;
			const operations = parsePatch(patch).map((operation) => underOneName(environment, operation));
			const touched = operations.flatMap((operation) =>
				operation.kind === 'update' && operation.moveTo !== undefined
					? [operation.path, operation.moveTo]
					: [operation.path]
			);
			const absolute = touched.map((path) => absolutePath(environment, path));
			return withPathLocks(environment, absolute, async () => {
				const read = (path: string): Promise<Uint8Array | null> => readFileOnly(context, path);
				const plan = await planPatch(operations, read, planOptions);
				const files = plan.map((change) => ({ ...change, absolute: absolutePath(environment, change.path) }));
				const details: FileChangeDetails[] = files.map(({ absolute, before, after }) =>
					describeChange(displayPath(environment, absolute), before, after)
				);
				for (const [index, { absolute, before, after, kind }] of files.entries()) {
					const { path, added, removed } = details[index] ?? { path: absolute, added: 0, removed: 0 };
					const verb = kind === 'added' ? 'Create' : kind === 'removed' ? 'Delete' : 'Change';
					const description = `${verb} ${path} (+${added} −${removed})`;
					await context.propose({ kind: 'write', path: absolute, before, after, description });
				}
				context.signal.throwIfAborted();
				for (const { absolute, before } of files) await expectUnchanged(context, absolute, before);
				const executable = await movedExecutables(context, operations);
				await writeAll(context, files);
				for (const path of executable) await environment.setMode(path, 0o755);
				const letter = { added: 'A', modified: 'M', removed: 'D' };
				const moved = new Set(
					operations.flatMap((operation) => (operation.kind === 'update' && operation.moveTo ? [operation.path] : []))
				);
				const rows = files
					.filter(({ path, kind }) => !(kind === 'removed' && moved.has(path)))
					.map(({ path, kind }) => `${letter[kind]} ${path}`);
				return {
					content: `Success. Updated the following files:\n${rows.join('\n')}\n`,
					details: { files: details },
					isError: false
				};
			});
		}
	};
}

export const applyPatch = createApplyPatch();

/** Normalizes paths: `./a` and `a` are the same file, whose second change continues from the first. */
function underOneName(environment: ExecutionEnvironment, operation: PatchOperation): PatchOperation {
	const named = (path: string): string => displayPath(environment, absolutePath(environment, path));
	const path = named(operation.path);
	return operation.kind === 'update' && operation.moveTo !== undefined
		? { ...operation, path, moveTo: named(operation.moveTo) }
		: { ...operation, path };
}

async function readFileOnly(context: ToolContext, path: string): Promise<Uint8Array | null> {
	try {
		return await readOrNull(context, absolutePath(context.environment, path));
	} catch (error) {
		if (isEnvironmentError(error) && error.code === 'EISDIR')
			throw new ToolError(`Is a directory: ${path}. A patch works on files.`, { code: 'EISDIR' });
		throw error;
	}
}

/** Executable files stay executable when moved. */
async function movedExecutables(context: ToolContext, operations: readonly PatchOperation[]): Promise<string[]> {
	const targets: string[] = [];
	for (const operation of operations) {
		if (operation.kind !== 'update' || operation.moveTo === undefined) continue;
		const source = absolutePath(context.environment, operation.path);
		if (!(await context.environment.fileExists(source))) continue;
		const { mode } = await context.environment.stat(source);
		if (mode & 0o100) targets.push(absolutePath(context.environment, operation.moveTo));
	}
	return targets;
}

/** Writes the plan; if one write fails, the earlier ones are reverted. */
async function writeAll(context: ToolContext, files: (PlannedChange & { absolute: string })[]): Promise<void> {
	const ledger = ReadLedger.of(context.state);
	const done: typeof files = [];
	const put = async (path: string, bytes: Uint8Array | null): Promise<void> => {
		if (bytes) await context.environment.writeFile(path, bytes);
		else await context.environment.remove(path);
	};
	try {
		for (const file of files) {
			await put(file.absolute, file.after);
			done.push(file);
		}
	} catch (error) {
		for (const file of done.reverse()) await put(file.absolute, file.before);
		throw error;
	}
	for (const { absolute, after } of files) {
		if (after) await ledger.note(absolute, after);
		else ledger.forget(absolute);
	}
}
