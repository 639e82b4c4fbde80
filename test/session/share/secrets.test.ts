import { describe, expect, it } from 'vitest';
import type { EntryBody, SessionEntry } from '#agent/session-log.ts';
import { collectShare } from '#session/share/collect.ts';
import { redactSecrets } from '#session/share/secrets.ts';
import { madeSession } from './made-session.ts';
import { plantSecrets } from './planted.ts';

const COUNT = 200;

/** The Park-Miller generator, from a fixed seed. */
function generator(seed: number): () => number {
	let state = seed;
	return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

const planted = plantSecrets(COUNT, generator(20261121));
const inFiles = planted.filter((_, index) => index % 2 === 0);
const inConversation = planted.filter((_, index) => index % 2 === 1);

const files = new Map(inFiles.map(({ text }, index) => [`config/${index}.txt`, `# One of many\n${text}\nlast line\n`]));
const bodies = inConversation.map(({ text }, index): EntryBody =>
	index % 2 === 0
		? { type: 'message', message: { role: 'user', content: [{ type: 'text', text: `Use this:\n${text}\n` }] } }
		: {
				type: 'message',
				message: {
					role: 'tool',
					content: [
						{ type: 'tool_result', callId: 'c', toolName: 'shell', content: `$ env\n${text}\n`, isError: false }
					]
				}
			}
);
const entries = bodies.map((body, index): SessionEntry => ({ id: `e${index}`, parentId: null, timestamp: 0, ...body }));

const session = madeSession([{}, Object.fromEntries(files), {}], entries);

async function sharedText(keepSecrets: string[]) {
	const { bundle, secrets } = await collectShare(...(await session), { viewOnly: false, keepSecrets, history: true });
	// They were in the files only for a while: a checkpoint contains them.
	const carried = [bundle.files, ...(bundle.history ?? []).map((step) => step.files)].flatMap(Object.values);
	const contents = carried.map(({ base64 }) => Buffer.from(base64, 'base64').toString());
	const conversation = bundle.entries.map((entry) => (entry.type === 'message' ? entry.message.content : []));
	const said = conversation
		.flat()
		.map((part) => (part.type === 'tool_result' ? part.content : 'text' in part && part.text));
	return { text: [...contents, ...said].join('\n'), secrets };
}

describe('200 planted secrets', () => {
	it('none of which leaves unasked', async () => {
		const { text, secrets } = await sharedText([]);
		const left = planted.filter(({ secret }) => text.includes(secret));
		expect(left).toEqual([]);
		expect(secrets.length).toBeGreaterThanOrEqual(COUNT);
		expect(text).toContain('last line');
	});

	it('all of which stay when the user puts them back', async () => {
		const { secrets } = await sharedText([]);
		const { text } = await sharedText(secrets.map(({ id }) => id));
		expect(planted.filter(({ secret }) => !text.includes(secret))).toEqual([]);
	});
});

describe('a secret that only its place tells', () => {
	it.each([
		['postgres://me:hunter22@db.example/x', 'hunter22', 'password in an address'],
		['Authorization: Bearer abc.DEF-123', 'abc.DEF-123', 'authorization header'],
		['authorization:basic QWxhZGRpbjpvcGVu==', 'QWxhZGRpbjpvcGVu==', 'authorization header'],
		['{ "Authorization" :  "token   abcdefgh" }', 'abcdefgh', 'authorization header'],
		['password hunter22', 'hunter22', 'password'],
		['\t password  hunter22 \nport 1', 'hunter22', 'password'],
		['machine  h.example  login  me  password  hunter22', 'hunter22', 'password'],
		...['api_key', 'apikey', 'API-KEY', 'access_key', 'accesskey', 'private-key', 'privatekey', 'SECRET_KEY_BASE'].map(
			(name): [string, string, string] => [`${name}=abcdefgh12345678`, 'abcdefgh12345678', 'secret value']
		),
		[`"token" :  'abc/+_-1defghijk'`, 'abc/+_-1defghijk', 'secret value'],
		['password: 12/+_-a456789012=', '12/+_-a456789012=', 'secret value'],
		[`credential${'x'.repeat(40)}: abcdefgh12345678`, 'abcdefgh12345678', 'secret value'],
		['-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----', null, 'private key']
	])('is taken out of %j', (text, secret, kind) => {
		const whole = secret ?? text;
		const asked: string[][] = [];
		const redacted = redactSecrets(text, (...found) => asked.push(found) === 0);
		expect(redacted).toBe(text.replace(whole, () => `[taken out: ${kind}]`));
		expect(asked).toEqual([[kind, whole]]);
		expect(redactSecrets(text, () => true)).toBe(text);
	});

	it.each([
		'The password hunter22 is short.',
		'password hunter22 again',
		'my password hunter22',
		'password short',
		'token: abcdefgh1234567',
		'token: abcdefghijklmnopqrst',
		'token: 1234567890123456789',
		'token: abcdefgh12345678(1)',
		'token: abcdefgh12345678.x',
		`token${'x'.repeat(41)}: abcdefgh12345678`,
		'Authorization: Bearer short'
	])('is none in %j', (text) => {
		expect(redactSecrets(text, () => false)).toBe(text);
	});
});

it('does not take for a secret what every repository is full of', () => {
	const ordinary = [
		'commit 9fceb02d0ae598e95dc970b74767f19372d61af8',
		'"integrity": "sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg=="',
		'import { tokenize, passwordField } from "./secrets-panel.svelte";',
		'const token = tokens[index + 1] ?? nextToken(stream);',
		'password: process.env.DB_PASSWORD,',
		'id: 123e4567-e89b-12d3-a456-426614174000',
		'https://example.org:8080/path?signature=short',
		'<input type="password" name="password" autocomplete="current-password">',
		'task-skip-everything-and-more: false',
		'The secret of good code is naming.'
	].join('\n');
	expect(redactSecrets(ordinary, () => false)).toBe(ordinary);
});

it('takes time by the length of a text only', () => {
	const hostile = ['eyJaaaaaaaaaaaa-', 'a-', 'AAAA', 'token', 'https://', '-----BEGIN PRIVATE KEY-----\n', 'sk.eyJ'];
	// In quadratic time, each of these would take minutes.
	for (const part of hostile) expect(redactSecrets(part.repeat(20_000), () => false)).toBeTypeOf('string');
});
