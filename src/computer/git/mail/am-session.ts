import { quoteWord } from '../shell-words.ts';
import { decode, encode } from '../bytes.ts';
import { binaryBytes, binaryText } from '../diff/lines.ts';
import { fatal } from '../errors.ts';
import { missingAsNull } from '../objects/store.ts';
import type { Repository } from '../repository.ts';
import { forget } from '../sequence/replay.ts';
import { shellWords } from '../shell-words.ts';
import type { MailHow } from './read-mail.ts';

/** Directory in `.git` for the mails not yet applied. */
const DIRECTORY = 'rebase-apply';
const DIGITS = 4;

/** Options that apply to all mails of a run, even if it is interrupted. */
export interface AmChoices {
	threeWay: boolean;
	quiet: boolean;
	signoff: boolean;
	keep: MailHow['keep'];
	messageId: boolean;
	/** Null: as configured. */
	scissors: boolean | null;
	quotedCr: MailHow['quotedCr'];
	/** Options for applying patches. */
	applyArgs: readonly string[];
}

/** Data of the commit for a mail, saved until the user continues. */
export interface PendingCommit {
	message: string;
	name: string;
	email: string;
	date: string;
}

const KEEPS: Readonly<Record<MailHow['keep'], string>> = { all: 't', 'non-patch': 'b', none: 'f' };

/** State of `git am` between two runs, as git stores it. */
export class AmSession {
	readonly directory: string;

	constructor(private readonly repository: Repository) {
		this.directory = `${repository.gitDir}/${DIRECTORY}`;
	}

	get isRunning(): boolean {
		return this.#read('last') !== null && this.#read('next') !== null;
	}

	/** Checks whether the directory exists, whatever its contents. */
	get isPresent(): boolean {
		return this.repository.files.statOrNull(this.directory) !== null;
	}

	get next(): number {
		return Number(this.note('next'));
	}

	get last(): number {
		return Number(this.note('last'));
	}

	/** Number of the next mail, padded as in file names. */
	get number(): string {
		return String(this.next).padStart(DIGITS, '0');
	}

	begin(mails: readonly string[], choices: AmChoices): void {
		const { repository } = this;
		repository.files.mkdir(this.directory, { recursive: true });
		for (const [i, mail] of mails.entries()) this.write(String(i + 1).padStart(DIGITS, '0'), mail);
		this.write('next', '1\n');
		this.write('last', `${mails.length}\n`);
		this.write('applying', '');
		const flag = (name: string, isOn: boolean) => this.write(name, isOn ? 't\n' : 'f\n');
		flag('threeway', choices.threeWay);
		flag('quiet', choices.quiet);
		flag('sign', choices.signoff);
		flag('utf8', true);
		flag('messageid', choices.messageId);
		this.write('keep', `${KEEPS[choices.keep]}\n`);
		this.write('scissors', choices.scissors === null ? '' : choices.scissors ? 't\n' : 'f\n');
		this.write('quoted-cr', `${choices.quotedCr}\n`);
		this.write('apply-opt', `${choices.applyArgs.map((arg) => ` ${quoteWord(arg)}`).join('')}\n`);
		const head = repository.head();
		this.write('abort-safety', head === null ? '' : `${head}\n`);
		if (head === null) forget(repository, 'ORIG_HEAD');
		else repository.refs.note('ORIG_HEAD', head);
	}

	choices(): AmChoices {
		const keep = this.note('keep');
		const scissors = this.note('scissors');
		const quotedCr = this.note('quoted-cr');
		return {
			threeWay: this.note('threeway') === 't',
			quiet: this.note('quiet') === 't',
			signoff: this.note('sign') === 't',
			keep: keep === 't' ? 'all' : keep === 'b' ? 'non-patch' : 'none',
			messageId: this.note('messageid') === 't',
			scissors: scissors === '' ? null : scissors === 't',
			quotedCr: quotedCr === 'strip' || quotedCr === 'nowarn' ? quotedCr : 'warn',
			applyArgs: shellWords(this.note('apply-opt'))
		};
	}

	/** Next mail as binary text; null if its file is missing. */
	mail(): string | null {
		return this.#read(this.number);
	}

	/** Patch of the next mail; '' if it has none. */
	patch(): string {
		return this.#read('patch') ?? '';
	}

	keepPending({ message, name, email, date }: PendingCommit): void {
		this.write('final-commit', binaryText(encode(message)));
		const script = Object.entries({ NAME: name, EMAIL: email, DATE: date })
			.map(([key, value]) => `GIT_AUTHOR_${key}=${quoteWord(value)}\n`)
			.join('');
		this.write('author-script', binaryText(encode(script)));
	}

	/** Data of the commit that waits for the user. @throws GitError if its files are missing */
	pending(): PendingCommit {
		const message = this.#read('final-commit');
		if (message === null) throw fatal(`cannot resume: .git/${DIRECTORY}/final-commit does not exist.`);
		const script = this.#read('author-script');
		if (script === null) throw fatal(`cannot resume: .git/${DIRECTORY}/author-script does not exist.`);
		const text = decode(binaryBytes(script));
		const value = (key: string) => {
			const line = text.split('\n').find((one) => one.startsWith(`GIT_AUTHOR_${key}=`)) ?? '';
			return shellWords(line.slice(line.indexOf('=') + 1))[0] ?? '';
		};
		return { message: decode(binaryBytes(message)), name: value('NAME'), email: value('EMAIL'), date: value('DATE') };
	}

	/** Moves on to the next mail. */
	advance(): void {
		for (const name of ['author-script', 'final-commit', 'patch', 'info', 'msg', this.number])
			this.repository.files.remove(`${this.directory}/${name}`, { force: true });
		const head = this.repository.head();
		this.write('abort-safety', head === null ? '' : `${head}\n`);
		this.write('next', `${this.next + 1}\n`);
	}

	end(): void {
		forget(this.repository, DIRECTORY);
	}

	/** @param text binary text */
	write(name: string, text: string): void {
		this.repository.files.writeFile(`${this.directory}/${name}`, binaryBytes(text));
	}

	note(name: string): string {
		return (this.#read(name) ?? '').trim();
	}

	#read(name: string): string | null {
		const bytes = missingAsNull(() => this.repository.files.readFile(`${this.directory}/${name}`));
		return bytes && binaryText(bytes);
	}
}
