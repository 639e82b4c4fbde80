import type { FolderSize, ImportErrorCode } from '../contract.ts';

const SENTENCES: Record<ImportErrorCode, string> = {
	invalid_url: 'This is not the address of a Git repository. It should look like https://github.com/owner/repository.',
	not_found:
		'There is no repository at this address, or it is private. Check the spelling; for a private one, give a token.',
	private: 'This repository is private. Give an access token that may read it, and try again.',
	too_large: 'This is more than fits in the tab. Choose the folders you need, or import them as a zip.',
	no_network: 'The repository’s server cannot be reached. Check the connection and the address, and try again.',
	not_a_zip: 'This file is not a zip. Choose a file that ends in .zip, or drop the folder itself.',
	damaged: 'What arrived is damaged. Try again; if it stays so, download the archive and check it there.',
	empty: 'There are no files in it. Choose another folder, zip or branch.',
	unsupported: 'This kind of repository cannot be imported. Use an https address, a folder or a zip.',
	cancelled: 'The import was cancelled. Nothing was imported.',
	server_error: 'The repository’s server answered with an error. Try again in a minute.'
};

/** Why an import failed; the message is a sentence and a next step. */
export class ImportError extends Error {
	override readonly name = 'ImportError';
	constructor(
		readonly code: ImportErrorCode,
		/** Underlying cause, displayed in small print. */
		readonly detail?: string,
		/** Set for `too_large` if the contents are known, so that the user can import a part of them. */
		readonly folders?: readonly FolderSize[]
	) {
		super(SENTENCES[code]);
	}
}
