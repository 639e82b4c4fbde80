import { expect, it } from 'vitest';
import type { ImportErrorCode } from '#workspace/contract.ts';
import { ImportError } from '#workspace/import/errors.ts';

it.each<[ImportErrorCode, RegExp]>([
	['invalid_url', /should look like https:/],
	['not_found', /Check the spelling/],
	['private', /Give an access token/],
	['too_large', /Choose the folders/],
	['no_network', /Check the connection/],
	['not_a_zip', /Choose a file that ends in \.zip/],
	['damaged', /download the archive/],
	['empty', /Choose another folder/],
	['unsupported', /Use an https address/],
	['cancelled', /Nothing was imported/],
	['server_error', /Try again/]
])('an import that fails with %s says so in sentences, and what to do', (code, step) => {
	const { message } = new ImportError(code);
	expect(message).toMatch(/^[A-Z].+\. [A-Z].+\.$/);
	expect(message).toMatch(step);
});
