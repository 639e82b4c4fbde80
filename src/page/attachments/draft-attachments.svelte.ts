import { imageType } from '#agent/tools/file-kind.ts';
import type { ImagePart } from '#llm/types.ts';
import { pictureOf } from '../composer/pictures.ts';
import { announce } from '../live.svelte.ts';
import type { Project } from '../project/project.svelte.ts';
import { t } from '../strings/index.ts';
import { visibleName } from '../visible-text.ts';
import type { Attachment } from './attachment.ts';
import { MOST_ATTACHMENTS, removeAttachment, storeAttachment, type GivenFile } from './store-attachment.ts';

/** Bytes needed to distinguish a picture from other files. */
const SIGNATURE_BYTES = 32;

/** Attachments of the message being written: pictures are part of it, other files are stored on the computer. */
export class DraftAttachments {
	pictures: readonly ImagePart[] = $state.raw([]);
	files: readonly Attachment[] = $state.raw([]);
	/** Number of files being read or written. */
	pending = $state(0);
	/** Files are written one after another, so that equal names do not collide. */
	#last: Promise<unknown> = Promise.resolve();

	constructor(
		private readonly project: Project,
		private readonly onFailure: (error: unknown) => void
	) {}

	get isEmpty(): boolean {
		return this.pictures.length === 0 && this.files.length === 0;
	}

	/**
	 * Attaches files in order; reports each one that cannot be attached.
	 *
	 * @returns true if all were attached
	 */
	async add(files: Iterable<GivenFile>): Promise<boolean> {
		const results = [...files].map((file) => {
			this.pending++;
			const adding = this.#last.then(() => this.#add(file));
			const result = adding.then(
				() => true,
				(error: unknown) => {
					this.onFailure(error);
					return false;
				}
			);
			this.#last = result.finally(() => this.pending--);
			return this.#last.then(() => result);
		});
		return (await Promise.all(results)).every(Boolean);
	}

	/** Clears the list after the message was sent. The files stay on the computer. */
	clear(): void {
		this.pictures = [];
		this.files = [];
	}

	removePicture(index: number): void {
		this.pictures = this.pictures.filter((_picture, at) => at !== index);
	}

	/** Removes a file from the message and deletes it from the computer. */
	async removeFile(file: Attachment): Promise<void> {
		this.files = this.files.filter((other) => other !== file);
		announce(t.composer.attachmentRemoved(file.path));
		await removeAttachment(this.project.environment, file);
	}

	async #add(file: GivenFile): Promise<void> {
		const start = await file
			.slice(0, SIGNATURE_BYTES)
			.arrayBuffer()
			.catch(() => null);
		if (start && imageType(new Uint8Array(start))) {
			const picture = await pictureOf(file);
			this.pictures = [...this.pictures, picture];
			return;
		}
		if (!this.project.writable) return;
		if (this.files.length >= MOST_ATTACHMENTS)
			throw new TypeError(t.composer.tooManyAttachments(visibleName(file.name ?? ''), MOST_ATTACHMENTS));
		const attachment = await storeAttachment(this.project.environment, file);
		this.files = [...this.files, attachment];
		announce(t.composer.attached(attachment.path));
	}
}
