import { describe, expect, it } from 'vitest';
import { endsInsidePrivateKey, replacePrivateKeys } from '#agent/guards/private-keys.ts';

const LINE = 'MIIEpAIBAAKCAQEA0Z3V'.repeat(3);
const key = (kind = 'RSA ', ...lines: string[]): string =>
	[
		`-----BEGIN ${kind}PRIVATE KEY-----`,
		...(lines.length > 0 ? lines : [LINE, LINE]),
		`-----END ${kind}PRIVATE KEY-----`
	].join('\n');
const hidden = (text: string): string => replacePrivateKeys(text, () => '<key>');

describe('a private key in a text', () => {
	it.each([
		['a whole one', `a\n${key()}\nb`, 'a\n<key>\nb'],
		['one of any kind', `${key('')}\n${key('OPENSSH ')}\n${key('EC ')}`, '<key>\n<key>\n<key>'],
		['one of PGP', '-----BEGIN PGP PRIVATE KEY BLOCK-----\nx\n-----END PGP PRIVATE KEY BLOCK-----', '<key>'],
		['one in a line', `k="${key().replaceAll('\n', '\\n')}";`, 'k="<key>";'],
		['one with headers', key('RSA ', 'Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES-128-CBC,AB', '', LINE), '<key>'],
		['the beginning of one', `a\n-----BEGIN RSA PRIVATE KEY-----\n${LINE}\n${LINE}`, 'a\n<key>'],
		[
			'one whose end is missing, up to its last line',
			`-----BEGIN RSA PRIVATE KEY-----\n${LINE}\n${LINE}\nb\nc`,
			'<key>\nb\nc'
		],
		[
			'one behind line numbers',
			`1\t-----BEGIN RSA PRIVATE KEY-----\n2\t${LINE}\n3\t${LINE}\n4 text`,
			'1\t<key>\n4 text'
		],
		[
			'one whose end is missing, before a line of the program',
			`-----BEGIN RSA PRIVATE KEY-----\n${LINE}\nx = configuration;`,
			'<key>\nx = configuration;'
		],
		[
			'one whose end is missing, before a short word',
			`-----BEGIN RSA PRIVATE KEY-----\n${LINE}\nelevenchars\n`,
			'<key>\nelevenchars\n'
		],
		[
			'the beginning of one with headers',
			`-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,AB\n${LINE}`,
			'<key>'
		],
		['the beginning of one with spaces behind', `-----BEGIN RSA PRIVATE KEY-----\r\n${LINE} \r\n${LINE}\t`, '<key>'],
		['the beginning of one of every letter', `-----BEGIN PRIVATE KEY-----\nAZaz09+/==AZ\nazAZ/+90==ab`, '<key>'],
		...['words-with-hyphens', 'abcdefghijklm_', 'abcdefghijklm~', `${'- '.repeat(151)}Proc-Type: a b`].map(
			(words): [string, string, string] => [
				`no other words behind one: ${words.slice(-20)}`,
				`-----BEGIN PRIVATE KEY-----\n${LINE}\n${words}`,
				`<key>\n${words}`
			]
		),
		[
			'the beginning of one that is a single line',
			`-----BEGIN PRIVATE KEY-----\n${LINE.repeat(60)}\nb c`,
			'<key>\nb c'
		],
		[
			'the beginning of one behind 300 other characters',
			`-----BEGIN PRIVATE KEY-----\n${'- '.repeat(150)}${LINE}`,
			'<key>'
		],
		[
			'no line of a program that only ends like one',
			`-----BEGIN PRIVATE KEY-----\n${'- '.repeat(150)}-${LINE}`,
			`<key>\n${'- '.repeat(150)}-${LINE}`
		],
		['one that is written in its first line', `-----BEGIN PRIVATE KEY----- ${LINE}`, '<key>'],
		[
			'two that begin in one line',
			`-----BEGIN PRIVATE KEY----- -----BEGIN PRIVATE KEY-----\n${LINE}\nb c`,
			'<key>\nb c'
		],
		['its first line alone', '-----BEGIN RSA PRIVATE KEY-----', '<key>'],
		[
			'two without their ends',
			`-----BEGIN RSA PRIVATE KEY-----\n${LINE}\n-----BEGIN RSA PRIVATE KEY-----\n${LINE}`,
			'<key>\n<key>'
		],
		['an end alone', '-----END RSA PRIVATE KEY-----', '-----END RSA PRIVATE KEY-----'],
		[
			'a public key',
			'-----BEGIN PUBLIC KEY-----\nx\n-----END PUBLIC KEY-----',
			'-----BEGIN PUBLIC KEY-----\nx\n-----END PUBLIC KEY-----'
		],
		['no key', 'a\nb', 'a\nb']
	])('is left out: %s', (_, text, left) => {
		expect(hidden(text)).toBe(left);
	});

	it('is handed over whole', () => {
		const keys: string[] = [];
		replacePrivateKeys(`a ${key()} b`, (each) => (keys.push(each), ''));
		expect(keys).toEqual([key()]);
	});

	it('may go on beyond the text, from its beginning', () => {
		const open = `-----BEGIN RSA PRIVATE KEY-----\n${LINE}`;
		expect(endsInsidePrivateKey(`ab\n${open}`)).toBe(3);
		expect(endsInsidePrivateKey(`${open}\nMIIE\n-----EN`)).toBe(0);
		expect(endsInsidePrivateKey(`${open}\na b\nc d\ne f`)).toBeNull();
		expect(endsInsidePrivateKey(key())).toBeNull();
		const short = key('', 'MIIE');
		expect(endsInsidePrivateKey(`${short}\n-----BEGIN PRIVATE KEY-----\nMII`)).toBe(short.length + 1);
		expect(endsInsidePrivateKey(`${key()}\n`)).toBeNull();
		expect(endsInsidePrivateKey('text')).toBeNull();
	});
});
