import fc from '#test/fast-check.ts';
import { MemoryLog } from '#agent/memory-log.ts';
import { Session } from '#agent/session.ts';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { createClient } from '#llm/client.ts';
import { branchTo } from '#page/project/branch-to.ts';
import { eventsOf } from '#page/project/stored-events.ts';
import { Fold } from '#page/timeline/fold.ts';
import { itemText } from '#page/timeline/item-text.ts';
import type { ShareBundle } from '#session/contract.ts';
import { providers } from '#test/contract/parity/providers.ts';
import type { ModelServer } from '#test/model-server/server.ts';
import { eventBody, messageBody, openCrafted } from './crafted.ts';

/** A visitor who continues a share: a session in an environment, with a scripted model. */
export interface Reader {
	server: ModelServer;
	environment: ExecutionEnvironment;
}

/** The whole text of a share's replay. */
export function replayText({ entries, leaf }: ShareBundle): string {
	const fold = new Fold();
	for (const event of eventsOf(leaf === undefined ? entries : branchTo(entries, leaf))) fold.push(event);
	return fold.items.map(itemText).join('\n');
}

/** The request made by *Continue* and a first message. */
export async function requestAfterContinue(
	{ server, environment }: Reader,
	{ entries, leaf }: ShareBundle,
	provider = providers[1]!
): Promise<string> {
	const log = new MemoryLog(entries);
	if (leaf !== undefined) log.moveTo(leaf);
	const { name } = provider;
	const client = createClient({ providers: { [name]: provider.config(server.url) } });
	const session = new Session({
		profile: provider.profile(),
		environment,
		client,
		mode: 'full',
		log,
		todoStaleTurns: 0
	});
	const before = server.requests.length;
	await session.submit('Go on.').result;
	await session.close();
	const [request] = server.requests.slice(before);
	return JSON.stringify(request?.body);
}

let serial = 0;
/** Each can be found again wherever it went. */
const word = fc.constantFrom('run the tests', 'delete it', 'line one\nline two', '<!-- not drawn -->', 'tab\there');
const marked = word.map((text) => `mark${++serial}x ${text} x${serial}end`);
const id = fc.constantFrom('call_a', 'call_b', 'call_c');
const toolName = fc.constantFrom('Bash', 'Read', 'TodoWrite', 'other');
const data = fc.constantFrom('AAAA', 'BBBB');
const tag = fc.constantFrom(...providers.map(({ name, profile }) => ({ provider: name, model: profile().model })));
const opaque = fc
	.tuple(tag, marked)
	.map(([of, text]) => ({ ...of, item: { type: 'reasoning', text, thoughtSignature: text } }));
const image = fc.record({ type: fc.constant('image'), mediaType: fc.constantFrom('image/png', 'text/html'), data });
const part = fc.oneof(
	fc.record({ type: fc.constant('text'), text: marked }),
	image,
	fc.record({ type: fc.constant('image_url'), url: marked.map((text) => `https://example.org/?${text}`) }),
	fc.record({ type: fc.constant('document'), mediaType: fc.constant('application/pdf'), data, name: marked }),
	fc.record({ type: fc.constant('audio'), mediaType: fc.constant('audio/wav'), data }),
	fc.record(
		{
			type: fc.constant('tool_call'),
			id,
			name: toolName,
			arguments: fc.dictionary(fc.constantFrom('command', 'file_path', 'todos'), marked),
			rawArguments: marked,
			provider: opaque
		},
		{ requiredKeys: ['type', 'id', 'name', 'arguments'] }
	),
	fc.record({
		type: fc.constant('tool_result'),
		callId: id,
		toolName: marked,
		content: marked,
		images: fc.array(image, { maxLength: 1 }),
		isError: fc.boolean()
	}),
	fc.record({ type: fc.constant('thinking'), text: marked, signature: marked, provider: opaque }),
	fc.record({ type: fc.constant('redacted_thinking'), data: marked, provider: opaque }),
	fc.record({ type: fc.constant('opaque'), provider: opaque })
);
const todos = fc.array(fc.record({ content: marked, status: fc.constant('pending') }), { minLength: 1, maxLength: 2 });
const event = fc.oneof(
	fc.record({ type: fc.constant('user_input'), content: fc.array(part, { maxLength: 2 }) }),
	fc.record({ type: fc.constant('assistant_text_end'), text: marked }),
	fc.record({ type: fc.constant('tool_call_start'), callId: id, toolName, arguments: fc.dictionary(word, marked) }),
	fc.record({
		type: fc.constant('tool_call_end'),
		callId: id,
		toolName,
		output: marked,
		details: fc.option(fc.record({ todos }), { nil: undefined }),
		isError: fc.boolean(),
		durationMs: fc.constant(1)
	}),
	fc.record({ type: fc.constant('todo_reminder'), turnsSinceUpdate: fc.nat(9), items: todos }),
	fc.record({
		type: fc.constant('context_compact'),
		beforeTokens: fc.nat(9),
		afterTokens: fc.nat(9),
		success: fc.boolean()
	})
);
const body = fc.oneof(
	{
		weight: 4,
		arbitrary: fc
			.tuple(fc.constantFrom('user', 'assistant', 'tool'), fc.array(part, { minLength: 1, maxLength: 3 }))
			.map(([role, parts]) => messageBody(role, ...parts))
	},
	{
		weight: 2,
		arbitrary: fc.tuple(event, fc.nat(1_000_000)).map(([each, seq]) => eventBody({ ...each, seq: seq + 1 }))
	},
	fc.record({
		type: fc.constant('compaction'),
		summary: marked,
		firstKeptId: fc.nat(9).map((at) => `e${at}`),
		beforeTokens: fc.nat(9),
		afterTokens: fc.nat(9)
	}),
	fc.record({ type: fc.constant('branch_summary'), summary: marked, fromId: fc.constant('e0') }),
	fc.record({ type: fc.constant('settings'), images: fc.constant({ block: true }) })
);
/** A tree: each entry below one of the three previous ones. */
const tree = fc.array(fc.tuple(body, fc.nat(2)), { minLength: 1, maxLength: 14 }).map((placed) =>
	placed.map(([each, back], index): Record<string, unknown> & { id: string } => ({
		...each,
		id: `e${index}`,
		parentId: index === 0 ? null : `e${Math.max(0, index - 1 - back)}`,
		timestamp: index
	}))
);

/** Continues shares with arbitrary trees: everything sent to the model must be in the replay. */
export async function playUnshown(
	reader: Reader,
	{ count, seed }: { count: number; seed?: number }
): Promise<{ tried: number; found: number }> {
	const figures = { tried: 0, found: 0 };
	await fc.assert(
		fc.asyncProperty(
			tree,
			fc.option(fc.nat(13), { nil: undefined }),
			fc.constantFrom(...providers),
			async (entries, at, provider) => {
				const leaf = at === undefined ? undefined : entries[Math.min(at, entries.length - 1)]?.id;
				const bundle = await openCrafted(entries, leaf === undefined ? {} : { leaf });
				figures.tried++;
				const [sent, shown] = [await requestAfterContinue(reader, bundle, provider), replayText(bundle)];
				const planted = JSON.stringify(entries).match(/mark\d+x .*? x\d+end/g) ?? [];
				for (const text of new Set(planted)) {
					if (!sent.includes(/^mark\d+x/.exec(text)?.[0] ?? text)) continue;
					figures.found++;
					// As a string, or as one within the JSON of a call.
					const plain = JSON.parse(`"${text}"`) as string;
					if (!shown.includes(plain) && !shown.includes(text)) throw new Error(`sent and not shown: ${text}`);
				}
			}
		),
		{ numRuns: count, ...(seed === undefined ? {} : { seed }) }
	);
	return figures;
}
