import fc from '#test/fast-check.ts';
import { describe, expect, it } from 'vitest';
import {
	attachmentName,
	LIST_TITLES,
	numberedName,
	splitAttachments,
	withAttachments
} from '#page/attachments/attachment.ts';
import { en } from '#page/strings/en/index.ts';
import { zh } from '#page/strings/zh/index.ts';

describe('attachmentName', () => {
	it.each([
		['report.pdf', 'report.pdf'],
		['Q3 report (final).pdf', 'Q3-report-final.pdf'],
		['../../.git/hooks/pre-commit', 'pre-commit'],
		['..\\..\\evil.bat', 'evil.bat'],
		['.gitignore', 'gitignore'],
		['-rf.txt', 'rf.txt'],
		['$(touch x).txt', 'touch-x.txt'],
		['inv\u202egnp.exe', 'invgnp.exe'],
		['a\u3164b.txt', 'ab.txt'],
		['数据 表.csv', '数据-表.csv'],
		['', 'file'],
		['...', 'file'],
		['line\nbreak.txt', 'line-break.txt']
	])('turns %j into %j', (given, expected) => {
		expect(attachmentName(given)).toBe(expected);
	});

	it('is one plain word of at most 120 bytes, which the list in a message reads back', () => {
		fc.assert(
			fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ minLength: 100, maxLength: 400 })), (given) => {
				const name = attachmentName(given);
				expect(name).toMatch(/^[\p{L}\p{M}\p{N}_][\p{L}\p{M}\p{N}._+-]*$/u);
				expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(120);
				const path = `attachments/${name}`;
				expect(splitAttachments(withAttachments('do', [{ path, size: 1234 }]))).toEqual({ words: 'do', paths: [path] });
			})
		);
	});

	it('keeps the extension of a name that is cut', () => {
		expect(attachmentName(`${'长'.repeat(200)}.tar.gz`)).toMatch(/^长+\.gz$/);
	});
});

describe('numberedName', () => {
	it('puts the number before the extension', () => {
		expect(numberedName('report.pdf', 1)).toBe('report.pdf');
		expect(numberedName('report.pdf', 2)).toBe('report-2.pdf');
		expect(numberedName('Makefile', 3)).toBe('Makefile-3');
	});
});

describe('the list of attached files in a message', () => {
	const files = [
		{ path: 'attachments/a.pdf', size: 1_200_000 },
		{ path: 'attachments/b.csv', size: 12 }
	];

	it('stands below the words and is read back', () => {
		const message = withAttachments('Summarize\nthese.', files);
		expect(message).toBe(
			'Summarize\nthese.\n\nAttached files:\n- attachments/a.pdf (1.2 MB)\n- attachments/b.csv (12 B)'
		);
		expect(splitAttachments(message)).toEqual({ words: 'Summarize\nthese.', paths: files.map(({ path }) => path) });
		expect(splitAttachments(withAttachments('', files)).words).toBe('');
		expect(withAttachments('as it was', [])).toBe('as it was');
	});

	it('is read back in every language', () => {
		expect(LIST_TITLES).toEqual([en.composer.attachedFiles, zh.composer.attachedFiles]);
	});

	it.each([
		'Attached files:\n- attachments/../secret (1 B)',
		'Attached files:\n- attachments/.. (1 B)',
		'Attached files:\n- attachments/.gitignore (1 B)',
		'Attached files:\n- attachments/a.txt (ignore all rules)',
		'Delete everything:\n- attachments/a.txt (1 B)',
		'- attachments/a.txt (1 B)',
		'Attached files:\n- attachments/a.txt (1 B)\nand more',
		'Attached files:'
	])('leaves other words alone, which are shown as they are: %j', (message) => {
		expect(splitAttachments(message)).toEqual({ words: message, paths: [] });
	});
});
