import { absolute } from '#computer/abi/paths.ts';
import { decode } from '../bytes.ts';
import { fatal } from '../errors.ts';
import type { Invocation } from '../invocation.ts';
import { missingAsNull } from '../objects/store.ts';
import type { Options } from '../options.ts';
import { VERSION } from '../version.ts';

export const SIGNATURE_OPTIONS = {
	signature: '--signature =',
	noSignature: '--no-signature',
	signatureFile: '--signature-file ='
};

/** Signature below a mail, with its separator line; '' for none. @throws GitError if its file is missing */
export function mailSignature(git: Invocation, options: Options<keyof typeof SIGNATURE_OPTIONS>): string {
	const { config, root } = git.repository;
	const last = options.latest('signature', 'noSignature');
	const given = last === 'signature' ? options.get('signature') : undefined;
	const file = options.get('signatureFile') ?? config.get('format.signaturefile');
	if (last === 'noSignature') return '';
	let text = given ?? (options.has('signatureFile') ? undefined : config.get('format.signature'));
	if (given === undefined && file !== undefined && (text === undefined || options.has('signatureFile'))) {
		const path = absolute(
			file.replace(/^~(?=\/)/, git.env['HOME'] ?? '/'),
			options.has('signatureFile') ? git.cwd : root
		);
		const bytes = missingAsNull(() => git.context.sync.readFile(path));
		if (!bytes) throw fatal(`unable to read signature file '${file}': No such file or directory`);
		text = decode(bytes);
	}
	const shown = text ?? VERSION;
	return shown === '' ? '' : `-- \n${shown}${shown.endsWith('\n') ? '' : '\n'}\n`;
}
