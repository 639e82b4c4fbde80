import { MOST_ATTACHMENT_BYTES, MOST_ATTACHMENTS } from '../attachments/store-attachment.ts';
import { formatBytes } from '../format.ts';
import { t } from '../strings/index.ts';
import { visibleName } from '../visible-text.ts';

/**
 * Adds files for the first message before there is a project to write them to.
 *
 * @throws TypeError with a sentence if one is too large or there are too many
 */
export function withFiles(known: readonly File[], added: readonly File[]): File[] {
	const large = added.find(({ size }) => size > MOST_ATTACHMENT_BYTES);
	if (large) {
		const [size, limit] = [formatBytes(large.size), formatBytes(MOST_ATTACHMENT_BYTES)];
		throw new TypeError(t.composer.attachmentTooLarge(visibleName(large.name), size, limit));
	}
	const files = [...known, ...added];
	const first = files[MOST_ATTACHMENTS];
	if (first) throw new TypeError(t.composer.tooManyAttachments(visibleName(first.name), MOST_ATTACHMENTS));
	return files;
}
