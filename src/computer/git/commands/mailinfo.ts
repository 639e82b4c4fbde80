import { absolute } from '#computer/abi/paths.ts';
import { decode } from '../bytes.ts';
import { binaryBytes, binaryText } from '../diff/lines.ts';
import { repositoryOrNone } from '../diff/no-index.ts';
import { encodeAs, isUtf8Name } from '../encoded-text.ts';
import { GitError } from '../errors.ts';
import type { Command, Invocation } from '../invocation.ts';
import { mailParts, type MailHow, type MailParts } from '../mail/read-mail.ts';
import { parseOptions, type Options } from '../options.ts';

const USAGE = 'mailinfo [<options>] <msg> <patch> < mail >info';

const OPTIONS = {
	keep: '-k',
	keepNonPatch: '-b',
	messageId: '-m --message-id !',
	utf8: '-u',
	keepsCharset: '-n',
	encoding: '--encoding =',
	scissors: '--scissors !',
	quotedCr: '--quoted-cr =',
	inBody: '--inbody-headers !'
};

/** `git mailinfo`: prints the author and subject of the mail on stdin; writes its message and patch to files. */
export const mailinfo: Command = (git, args) => {
	const options = parseOptions(USAGE, args, OPTIONS);
	const [message, patch, ...others] = [...options.operands, ...(options.paths ?? [])];
	if (message === undefined || patch === undefined || others.length > 0) throw new GitError(`usage: git ${USAGE}`, 129);
	const text = binaryText(git.input());
	const parts = mailParts(text, mailHow(git, options));
	const recoded = recoding(git, options);
	const { sync } = git.context;
	sync.writeFile(absolute(message, git.cwd), recoded(parts.body));
	sync.writeFile(absolute(patch, git.cwd), binaryBytes(parts.patch));
	if (text.trim() === '') throw new GitError(`error: empty patch: '${absolute(patch, git.cwd)}'`, 1);
	git.out(recoded(infoOf(parts)));
	return 0;
};

function mailHow(git: Invocation, options: Options<keyof typeof OPTIONS>): MailHow {
	const { config } = repositoryOrNone(git);
	const quotedCr = options.get('quotedCr') ?? config.get('mailinfo.quotedcr') ?? 'warn';
	if (quotedCr !== 'warn' && quotedCr !== 'nowarn' && quotedCr !== 'strip')
		throw new GitError(`error: bad action '${quotedCr}' for '--quoted-cr'`, 129);
	const isScissorsOff = options.isTakenBack('scissors');
	return {
		keep: options.has('keep') ? 'all' : options.has('keepNonPatch') ? 'non-patch' : 'none',
		messageId: options.has('messageId'),
		scissors: !isScissorsOff && (options.has('scissors') || config.flag('mailinfo.scissors', false)),
		quotedCr,
		ignoresInBody: options.isTakenBack('inBody'),
		keepsCharset: keepsCharset(options),
		warn: (text) => git.err(text)
	};
}

const keepsCharset = (options: Options<keyof typeof OPTIONS>): boolean =>
	options.latest('utf8', 'keepsCharset', 'encoding') === 'keepsCharset';

/** Conversion of binary text from UTF-8 to the encoding of the output; text that it lacks letters for stays as it is. */
function recoding(git: Invocation, options: Options<keyof typeof OPTIONS>): (text: string) => Uint8Array {
	const { config } = repositoryOrNone(git);
	const given = options.latest('utf8', 'keepsCharset', 'encoding') === 'encoding' ? options.get('encoding') : undefined;
	const encoding = given ?? config.get('i18n.logoutputencoding') ?? config.get('i18n.commitencoding') ?? 'UTF-8';
	if (keepsCharset(options) || isUtf8Name(encoding)) return binaryBytes;
	return (text) => encodeAs(encoding, decode(binaryBytes(text))) ?? binaryBytes(text);
}

function infoOf({ fields, name, email, subject, date }: MailParts): string {
	const lines: string[] = [];
	if (fields.has('from')) lines.push(`Author: ${name}`, `Email: ${email}`);
	if (fields.has('subject')) lines.push(`Subject: ${subject}`);
	if (fields.has('date')) lines.push(`Date: ${date}`);
	return `${lines.join('\n')}\n\n`.replace(/^\n+/, '\n');
}
