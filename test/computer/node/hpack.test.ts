import { expect, it } from 'vitest';
import { CompressionError, HeaderDecoder } from '#computer/node/modules/http2/protocol/header-decoder.ts';
import { encodedBound, HeaderEncoder } from '#computer/node/modules/http2/protocol/header-encoder.ts';
import type { HeaderField } from '#computer/node/modules/http2/protocol/header-table.ts';
import { huffmanDecode, huffmanEncode } from '#computer/node/modules/http2/protocol/huffman.ts';
import fc from '#test/fast-check.ts';

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex.replace(/\s/g, ''), 'hex'));
const hex = (given: Uint8Array) => Buffer.from(given).toString('hex');
const fields = (text: string): HeaderField[] =>
	text
		.trim()
		.split('\n')
		.map((line) => {
			const [, name = '', value = ''] = /^\s*(:?[^:]+): (.*)$/.exec(line) ?? [];
			return { name, value };
		});

function decoded(decoder: HeaderDecoder, block: string): HeaderField[] {
	const found: HeaderField[] = [];
	decoder.decode(bytes(block), (field) => found.push(field));
	return found;
}

const REQUESTS = [
	':method: GET\n:scheme: http\n:path: /\n:authority: www.example.com',
	':method: GET\n:scheme: http\n:path: /\n:authority: www.example.com\ncache-control: no-cache',
	':method: GET\n:scheme: https\n:path: /index.html\n:authority: www.example.com\ncustom-key: custom-value'
];
const DATE = 'date: Mon, 21 Oct 2013 20:13:2';
const RESPONSES = [
	`:status: 302\ncache-control: private\n${DATE}1 GMT\nlocation: https://www.example.com`,
	`:status: 307\ncache-control: private\n${DATE}1 GMT\nlocation: https://www.example.com`,
	`:status: 200\ncache-control: private\n${DATE}2 GMT\nlocation: https://www.example.com\ncontent-encoding: gzip\nset-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1`
];

/** Examples of RFC 7541, appendix C: blocks of a connection, with the size of the table after each. */
const EXAMPLES: Record<string, { limit: number; messages: string[]; blocks: [block: string, tableBytes: number][] }> = {
	'C.3, requests in plain text': {
		limit: 4096,
		messages: REQUESTS,
		blocks: [
			['8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d', 57],
			['8286 84be 5808 6e6f 2d63 6163 6865', 110],
			['8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65', 164]
		]
	},
	'C.4, requests in Huffman code': {
		limit: 4096,
		messages: REQUESTS,
		blocks: [
			['8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff', 57],
			['8286 84be 5886 a8eb 1064 9cbf', 110],
			['8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf', 164]
		]
	},
	'C.5, responses that fill the table': {
		limit: 256,
		messages: RESPONSES,
		blocks: [
			[
				`4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3120 474d
				546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70 6c65 2e63 6f6d`,
				222
			],
			['4803 3330 37c1 c0bf', 222],
			[
				`88c1 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3220 474d 54c0 5a04 677a 6970 7738 666f
				6f3d 4153 444a 4b48 514b 425a 584f 5157 454f 5049 5541 5851 5745 4f49 553b 206d 6178 2d61 6765 3d33 3630 303b
				2076 6572 7369 6f6e 3d31`,
				215
			]
		]
	},
	'C.6, the same in Huffman code': {
		limit: 256,
		messages: RESPONSES,
		blocks: [
			[
				`4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718 63c7
				8f0b 97c8 e9ae 82ae 43d3`,
				222
			],
			['4883 640e ffc1 c0bf', 222],
			[
				`88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d d7f2 e6c7 b335
				dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07`,
				215
			]
		]
	}
};

it.each(Object.entries(EXAMPLES))('decodes the example %s', (_name, { limit, messages, blocks }) => {
	const decoder = new HeaderDecoder(limit);
	for (const [at, [block, tableBytes]] of blocks.entries()) {
		expect(decoded(decoder, block)).toEqual(fields(messages[at] ?? ''));
		expect(decoder.tableBytes).toBe(tableBytes);
	}
});

it('encodes the requests of the example C.4 in the same way', () => {
	const encoder = new HeaderEncoder();
	const blocks = EXAMPLES['C.4, requests in Huffman code']?.blocks ?? [];
	for (const [at, [block]] of blocks.entries()) {
		expect(hex(encoder.encode(fields(REQUESTS[at] ?? '')))).toBe(hex(bytes(block)));
	}
});

it('decodes single fields with and without an index, and those that must never have one', () => {
	const decoder = new HeaderDecoder();
	const custom = { name: 'custom-key', value: 'custom-header' };
	expect(decoded(decoder, '400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572')).toEqual([custom]);
	expect(decoder.tableBytes).toBe(55);
	expect(decoded(decoder, '040c 2f73 616d 706c 652f 7061 7468')).toEqual([{ name: ':path', value: '/sample/path' }]);
	expect(decoded(decoder, '1008 7061 7373 776f 7264 0673 6563 7265 74')).toEqual([
		{ name: 'password', value: 'secret', isSensitive: true }
	]);
	expect(decoded(decoder, '82be')).toEqual([{ name: ':method', value: 'GET' }, custom]);
});

const NAMES = ['accept', 'x-a', 'cookie', 'authorization', ':path', 'content-length', 'set-cookie', ':status'];
const text = fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 60 }).map((all) => String.fromCharCode(...all));
const field = fc.record(
	{
		name: fc.oneof(fc.constantFrom(...NAMES), text),
		value: fc.oneof(fc.constantFrom('', '/', '200'), text),
		isSensitive: fc.constant(true)
	},
	{ requiredKeys: ['name', 'value'] }
);

it('decodes what it encodes, with tables of any size', () => {
	const message = fc.record({
		fields: fc.array(field, { maxLength: 12 }),
		limit: fc.option(fc.integer({ min: 0, max: 600 }))
	});
	fc.assert(
		fc.property(fc.array(message, { maxLength: 12 }), (messages) => {
			const encoder = new HeaderEncoder();
			const decoder = new HeaderDecoder();
			for (const { fields: sent, limit } of messages) {
				if (limit !== null) {
					encoder.setLimit(limit);
					decoder.setLimit(limit);
				}
				const block = encoder.encode(sent);
				const found: HeaderField[] = [];
				decoder.decode(block, (one) => found.push(one));
				expect(found.map(({ name, value }) => [name, value])).toEqual(sent.map(({ name, value }) => [name, value]));
				expect(block.length).toBeLessThanOrEqual(encodedBound(sent));
				expect(decoder.tableBytes).toBe(encoder.tableBytes);
				expect(decoder.tableBytes).toBeLessThanOrEqual(limit ?? 4096);
				for (const [at, one] of sent.entries()) if (one.isSensitive) expect(found[at]?.isSensitive).toBe(true);
			}
		})
	);
});

it('decodes Huffman code of every text, and refuses code that ends in another way', () => {
	fc.assert(
		fc.property(text, (given) => {
			expect(Buffer.from(huffmanDecode(huffmanEncode(given)) ?? []).toString('latin1')).toBe(given);
		})
	);
	// Eight bits of filling, filling with zeros, and the code for the end of a string.
	for (const wrong of ['1fff', '18', 'ffffffff', 'fffffffc']) expect(huffmanDecode(bytes(wrong))).toBeNull();
});

it.each([
	['an index beyond the tables', 'be'],
	['the index 0', '80'],
	['a text that is longer than the block', '0085ff'],
	['a number without an end', 'ffffffffffffffffffff'],
	['a table beyond the limit', '3fe21f'],
	['a size of the table behind a field', '8220'],
	['a name beyond 64 KiB', '007f81ff03']
])('refuses %s', (_what, block) => {
	expect(() => decoded(new HeaderDecoder(), block)).toThrow(CompressionError);
});

it('requires that a smaller table is confirmed', () => {
	const decoder = new HeaderDecoder();
	decoder.setLimit(0);
	expect(() => decoded(decoder, '82')).toThrow(CompressionError);
	expect(decoded(decoder, '2082')).toEqual([{ name: ':method', value: 'GET' }]);
});

it('fails on nothing but invalid code, whatever it is given', () => {
	fc.assert(
		fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 4 }), (blocks) => {
			const decoder = new HeaderDecoder();
			for (const block of blocks) {
				try {
					decoder.decode(block, () => undefined);
				} catch (error) {
					expect(error).toBeInstanceOf(CompressionError);
				}
				expect(decoder.tableBytes).toBeLessThanOrEqual(4096);
			}
		})
	);
});
