import { z } from 'zod';
import { replacePrivateKeys } from '../guards/private-keys.ts';
import { ReadLedger } from '../guards/read-ledger.ts';
import { redactSecrets } from '../guards/redaction.ts';
import type { ImagePart } from '#llm/types.ts';
import { MAX_IMAGE_SIDE, PROVIDER_MAX_IMAGE_SIDE } from '../image-policy.ts';
import type { Tool, ToolContext, ToolResult } from '../tool.ts';
import { notebookText } from './documents/notebook.ts';
import { isPdf, pdfText, quoted } from './documents/pdf.ts';
import { decodeText, imageType, isBinary, toBase64 } from './file-kind.ts';
import { imageSize } from './image-size.ts';
import { cutPage, type PageLimits } from './page.ts';
import { displayPath, existingPath } from './paths.ts';
import { ToolError } from './result.ts';

const schema = z.object({
	file_path: z.string().min(1).describe('The file to read.'),
	offset: z.number().int().min(1).optional().describe('First line to read, counted from 1.'),
	limit: z.number().int().min(1).optional().describe('How many lines to read.')
});

export type ReadFileSchema = typeof schema;

/** Details of a read for the page. */
export interface ReadDetails {
	path: string;
	/** 1-based; 0 and 0 for an empty file. */
	startLine: number;
	endLine: number;
	totalLines: number;
	truncated: boolean;
	truncatedBy?: 'lines' | 'bytes';
	outputLines: number;
	totalBytes: number;
	firstLineExceedsLimit?: boolean;
}

/**
 * Creates a read tool.
 *
 * @param name neutral name, the key of its limits
 * @param page limits for one call; absent: only the session's own truncation applies
 */
export function createReadFile(name: string, page?: PageLimits): Tool<ReadFileSchema> {
	return {
		name,
		description:
			'Reads a file. Give offset and limit to read a part of a large one. Pictures (PNG, JPEG, GIF, WebP) are shown as pictures, PDFs and notebooks as their text.',
		schema,
		access: 'read',
		async execute({ file_path, offset, limit }, context) {
			const path = await existingPath(context.environment, file_path);
			const bytes = await context.environment.readBytes(path);
			context.signal.throwIfAborted();
			const image = imageType(bytes);
			if (image) return readImage(context, file_path, path, bytes, image);
			const pdf = isPdf(bytes);
			if (!pdf && isBinary(bytes))
				throw new ToolError(
					`${file_path} is a binary file (${bytes.length} bytes) and cannot be shown as text. Look at it with a command, e.g. \`head -c 64 ${quoted(file_path)} | od -c\`.`
				);
			const text = pdf ? await pdfText(context, file_path, path) : decodeText(bytes);
			const notebook = /\.ipynb$/i.test(path) ? notebookText(text) : null;
			const result = readText(file_path, withoutKeys(notebook ?? text), { offset, limit }, page);
			await ReadLedger.of(context.state).note(path, bytes);
			const details: ReadDetails = {
				path: displayPath(context.environment, path),
				totalBytes: bytes.length,
				...result.details
			};
			return { content: result.content, details, isError: false };
		}
	};
}

export const readFile = createReadFile('read_file');

async function readImage(
	context: ToolContext,
	givenPath: string,
	path: string,
	bytes: Uint8Array,
	mediaType: string
): Promise<ToolResult> {
	const { maxBytes, scale } = context.images;
	const original: ImagePart = { type: 'image', mediaType, data: toBase64(bytes) };
	const size = imageSize(bytes);
	const side = size ? Math.max(size.width, size.height) : 0;
	const isLarge = bytes.length > maxBytes || side > (scale ? MAX_IMAGE_SIDE : PROVIDER_MAX_IMAGE_SIDE);
	const image = isLarge ? await scale?.(original, { maxBytes, maxSide: MAX_IMAGE_SIDE }) : original;
	const pixels = size ? `, ${size.width}×${size.height} pixels` : '';
	if (!image)
		throw new ToolError(
			`${givenPath} is a picture of ${bytes.length} bytes${pixels}; at most ${maxBytes} bytes and ${PROVIDER_MAX_IMAGE_SIDE} pixels a side can be shown. Make a smaller copy with a command, e.g. \`convert ${quoted(givenPath)} -resize ${MAX_IMAGE_SIDE}x${MAX_IMAGE_SIDE} smaller.png\`, and read that.`
		);
	await ReadLedger.of(context.state).note(path, bytes);
	const scaled = image === original ? '' : `, shown smaller as ${image.mediaType}`;
	return {
		content: `Read image file [${mediaType}] ${givenPath} (${bytes.length} bytes${pixels}${scaled})`,
		details: {
			path: displayPath(context.environment, path),
			mediaType: image.mediaType,
			totalBytes: bytes.length,
			...(scaled ? { scaled: true } : {})
		},
		images: [image],
		isError: false
	};
}

/** Redacts whole private keys first, since a part of one would not be recognized. Keeps the line numbers. */
function withoutKeys(text: string): string {
	return replacePrivateKeys(text, (key) => redactSecrets(key) + '\n'.repeat(key.split('\n').length - 1));
}

function readText(
	path: string,
	text: string,
	range: { offset?: number | undefined; limit?: number | undefined },
	page: PageLimits | undefined
): { content: string; details: Omit<ReadDetails, 'path' | 'totalBytes'> } {
	const lines = text.replace(/^\ufeff/, '').split('\n');
	// A line break at the end of the file starts no further line.
	const endsWithLine = lines.at(-1) === '' && lines.length > 1;
	const total = text === '' ? 0 : endsWithLine ? lines.length - 1 : lines.length;
	const offset = range.offset ?? 1;
	if (offset > Math.max(1, total)) throw new ToolError(`Offset ${offset} is beyond end of file (${total} lines total)`);
	const asked = lines.slice(offset - 1, Math.min(total, range.limit === undefined ? total : offset - 1 + range.limit));
	const cut = page ? cutPage(asked, page, offset, total, quoted(path)) : { lines: asked };
	const end = offset - 1 + cut.lines.length;
	const isWhole = offset === 1 && end === total;
	const body = isWhole && endsWithLine ? `${cut.lines.join('\n')}\n` : cut.lines.join('\n');
	const left = total - end;
	const notice =
		cut.notice ?? (page && left > 0 ? `[${left} more lines in file. Use offset=${end + 1} to continue.]` : '');
	return {
		content: notice ? (body ? `${body}\n\n${notice}` : notice) : body,
		details: {
			startLine: total === 0 ? 0 : offset,
			endLine: end,
			totalLines: total,
			truncated: cut.truncatedBy !== undefined,
			...(cut.truncatedBy ? { truncatedBy: cut.truncatedBy } : {}),
			...(cut.firstLineExceedsLimit ? { firstLineExceedsLimit: true } : {}),
			outputLines: cut.lines.length
		}
	};
}
