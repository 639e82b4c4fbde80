import type { ExecutionEnvironment } from '#environment/contract.ts';
import { isEnvironmentError } from '#environment/errors.ts';
import { formatBytes } from '../format.ts';
import { t } from '../strings/index.ts';
import { visibleName } from '../visible-text.ts';
import { ATTACHMENT_FOLDER, attachmentName, numberedName, splitAttachments, type Attachment } from './attachment.ts';

/** Maximum size of an attachment, in bytes. */
export const MOST_ATTACHMENT_BYTES = 50_000_000;
/** Maximum number of attachments per message. */
export const MOST_ATTACHMENTS = 20;

/** Makes git ignore the folder, including this file: commits, published changes and shares contain no attachments. */
const IGNORE_ALL = '*\n';

/** A file that the user chose, dropped or pasted. */
export type GivenFile = Blob & { name?: string };

/**
 * Writes a file from the user's computer to the attachments folder. If the name is taken, a number is added.
 *
 * @throws TypeError with a sentence if the file is too large or unreadable, or the folder is something else
 */
export async function storeAttachment(environment: ExecutionEnvironment, file: GivenFile): Promise<Attachment> {
	const shown = visibleName(file.name ?? '');
	if (file.size > MOST_ATTACHMENT_BYTES)
		throw new TypeError(
			t.composer.attachmentTooLarge(shown, formatBytes(file.size), formatBytes(MOST_ATTACHMENT_BYTES))
		);
	const bytes = await file.arrayBuffer().then(
		(buffer) => new Uint8Array(buffer),
		(cause: unknown) => {
			throw new TypeError(t.composer.attachmentUnreadable(shown), { cause });
		}
	);
	await prepareFolder(environment);
	const path = await freePath(environment, attachmentName(file.name ?? ''));
	await environment.writeFile(path, bytes);
	return { path, size: bytes.length };
}

/** Deletes an attachment that was not sent; does nothing if it is already gone. */
export async function removeAttachment(environment: ExecutionEnvironment, { path }: Attachment): Promise<void> {
	if (await isThere(environment, path)) await environment.remove(path);
}

/** Reads the attachments of a message before the session is forked at a moment that may lack them. */
export async function readAttachments(
	environment: ExecutionEnvironment,
	message: string
): Promise<ReadonlyMap<string, Uint8Array>> {
	const files = new Map<string, Uint8Array>();
	for (const path of splitAttachments(message).paths)
		if ((await kindOf(environment, path)) === 'file') files.set(path, await environment.readBytes(path));
	return files;
}

/** Writes attachments from another environment to the same paths, unless something exists there. */
export async function carryAttachments(
	environment: ExecutionEnvironment,
	files: ReadonlyMap<string, Uint8Array>
): Promise<void> {
	if (files.size > 0) await prepareFolder(environment);
	for (const [path, bytes] of files) if (!(await isThere(environment, path))) await environment.writeFile(path, bytes);
}

/**
 * Prepares the folder. One that belongs to the project keeps its own rules, and must not be a link to another location.
 */
async function prepareFolder(environment: ExecutionEnvironment): Promise<void> {
	const kind = await kindOf(environment, ATTACHMENT_FOLDER);
	if (kind === null) await environment.writeFile(`${ATTACHMENT_FOLDER}/.gitignore`, IGNORE_ALL);
	else if (kind !== 'directory') throw new TypeError(t.composer.noAttachmentFolder(ATTACHMENT_FOLDER));
}

async function freePath(environment: ExecutionEnvironment, name: string): Promise<string> {
	for (let number = 1; ; number++) {
		const path = `${ATTACHMENT_FOLDER}/${numberedName(name, number)}`;
		if (!(await isThere(environment, path))) return path;
	}
}

/** Returns true also for a dangling link, since a write would follow it. */
const isThere = async (environment: ExecutionEnvironment, path: string): Promise<boolean> =>
	(await kindOf(environment, path)) !== null;

async function kindOf(
	environment: ExecutionEnvironment,
	path: string
): Promise<'file' | 'directory' | 'symlink' | null> {
	try {
		return (await environment.stat(path)).kind;
	} catch (error) {
		if (isEnvironmentError(error) && error.code === 'ENOENT') return null;
		throw error;
	}
}
