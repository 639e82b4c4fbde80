import { expect, it } from 'vitest';
import { ShareError, type ShareErrorCode } from '#session/share/errors.ts';

const CODES: Record<ShareErrorCode, true> = {
	damaged: true,
	wrong_key: true,
	not_found: true,
	newer_version: true,
	too_large: true,
	no_server: true,
	server_error: true,
	offline: true,
	not_a_session: true,
	passphrase: true,
	wrong_passphrase: true,
	damaged_file: true,
	file_too_large: true,
	malformed_tree: true,
	instructions: true,
	too_complex: true
};

it('says for each reason what happened in sentences of its own', () => {
	const messages = Object.keys(CODES).map((code) => new ShareError(code as ShareErrorCode).message);
	for (const message of messages) expect(message).toMatch(/^[A-Z].{20,}\.$/s);
	expect(new Set(messages).size).toBe(messages.length);
	expect(String(new ShareError('offline'))).toBe(`ShareError: ${new ShareError('offline').message}`);
});
