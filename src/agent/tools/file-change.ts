import { isEnvironmentError } from '#environment/errors.ts';
import { diffTexts, type TextDiff } from '../guards/diff.ts';
import { ReadLedger } from '../guards/read-ledger.ts';
import type { ToolContext } from '../tool.ts';
import { decodeText, isBinary } from './file-kind.ts';
import { ToolError } from './result.ts';

/** Returns the file's bytes, or `null` if it does not exist. */
export async function readOrNull(context: ToolContext, path: string): Promise<Uint8Array | null> {
	try {
		return await context.environment.readBytes(path);
	} catch (error) {
		if (isEnvironmentError(error) && error.code === 'ENOENT') return null;
		throw error;
	}
}

export interface FileChangeDetails extends TextDiff {
	path: string;
	kind: 'added' | 'modified' | 'removed';
}

/** Describes a write for the user and the page. Binary content has no line diff. */
export function describeChange(path: string, before: Uint8Array | null, after: Uint8Array | null): FileChangeDetails {
	const kind = before === null ? 'added' : after === null ? 'removed' : 'modified';
	const binary = (bytes: Uint8Array | null): boolean => bytes !== null && isBinary(bytes);
	if (binary(before) || binary(after)) return { path, kind, diff: '', added: 0, removed: 0 };
	const text = (bytes: Uint8Array | null): string => (bytes ? decodeText(bytes) : '');
	return { path, kind, ...diffTexts(path, text(before), text(after)) };
}

/**
 * Asks the guards and the user, then writes, and records that the model knows the new content.
 *
 * @returns a note for the model if the file differed from the version it had seen
 */
export async function writeProposed(
	context: ToolContext,
	path: string,
	before: Uint8Array | null,
	after: Uint8Array,
	description: string,
	isMatchedInShell = false
): Promise<string> {
	const ledger = ReadLedger.of(context.state);
	const seen = before === null ? 'current' : await ledger.compare(path, before);
	await context.propose({ kind: 'write', path, before, after, description, isMatchedInShell });
	context.signal.throwIfAborted();
	await expectUnchanged(context, path, before);
	await context.environment.writeFile(path, after);
	// If only a command has shown the file, the model may know no more of it than the text it replaced.
	if (seen === 'current' || !isMatchedInShell) await ledger.note(path, after);
	return seen === 'stale'
		? ' The file had changed since you last read it: read it again before relying on the rest.'
		: '';
}

/**
 * Checks that the file is unchanged: the decision may take minutes, during which the user or a command may edit the
 * file, and the permission applies only to the old content.
 *
 * @throws ToolError if the file differs from the content for which the change was computed
 */
export async function expectUnchanged(context: ToolContext, path: string, before: Uint8Array | null): Promise<void> {
	const now = await readOrNull(context, path);
	if (now === null ? before === null : before !== null && equalBytes(now, before)) return;
	ReadLedger.of(context.state).forget(path);
	throw new ToolError(
		`${path} was changed by something else while this change waited. Nothing was written. Read it again, then make the change again.`
	);
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
	if (a.length !== b.length) return false;
	// A callback per byte takes a quarter of a second for 10 MB.
	for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
	return true;
}
