import { expect } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { createAnthropicProfile } from '#agent/profiles/anthropic.ts';
import { bind } from '#agent/profiles/bind.ts';
import { createGeminiProfile } from '#agent/profiles/gemini.ts';
import { createOpenAIProfile } from '#agent/profiles/openai.ts';
import { createPiProfile } from '#agent/profiles/pi.ts';
import { editFileMany } from '#agent/tools/edit-file.ts';
import { ToolRegistry } from '#agent/tools/registry.ts';
import { createHarness } from '#test/contract/tools/harness.ts';
import { asGiven, mutation, placesOf, plain, textOf, type FileLine, type Mutation } from './generate.ts';
import { Random } from './random.ts';

export const FORMATS = ['claude', 'gemini', 'pi', 'patch'] as const;
export type Format = (typeof FORMATS)[number];

/** Counts of the outcomes. */
export interface Tally {
	applied: number;
	ambiguous: number;
	stale: number;
	/** Refusals of a stale change that showed the correct position. */
	shown: number;
}

interface Asked {
	old: string[];
	now: string[];
}

const FILE = 'src/file.txt';

/** Makes changes in one format and checks each: where it is applied, what is unchanged, what follows a refusal. */
export async function playMutations(
	environment: ExecutionEnvironment,
	format: Format,
	seed: number,
	count: number
): Promise<Tally> {
	const tally: Tally = { applied: 0, ambiguous: 0, stale: 0, shown: 0 };
	const { context } = createHarness(environment);
	const registry = new ToolRegistry([
		...createAnthropicProfile({ model: 'claude-opus-4-6' }).tools,
		bind(editFileMany, { name: 'MultiEdit' })
	]);
	const others = {
		gemini: createGeminiProfile({ model: 'gemini-3-pro' }),
		pi: createPiProfile({ model: 'm' }),
		patch: createOpenAIProfile({ model: 'gpt-5.1' })
	};
	const registries = {
		claude: registry,
		gemini: new ToolRegistry(others.gemini.tools),
		pi: new ToolRegistry(others.pi.tools),
		patch: new ToolRegistry(others.patch.tools)
	};
	const ask = async (asked: Asked, random: Random, header?: string): Promise<{ content: string; isError: boolean }> => {
		const { name, args } = callOf(format, asked, random, header);
		return registries[format].execute({ type: 'tool_call', id: 'c', name, arguments: args }, context);
	};
	for (let index = 0; index < count; index++) {
		const random = new Random(seed * 1_000_003 + index * 4 + FORMATS.indexOf(format));
		const wanted = mutation(random);
		const about = `seed ${seed}, ${format} ${index}`;
		await environment.writeFile(FILE, textOf(wanted));
		const result = await (format === 'patch' ? playPatch : playEdit)(wanted, random, ask);
		if (result.kind === 'refused') {
			// Nothing was written, and the error says what to do next.
			expect(await read(environment), about).toBe(textOf(wanted));
			expect(result.content, about).toMatch(/more context|Read the file again|It reads:/);
			tally[result.why]++;
			if (result.why === 'stale' && showsPlace(result.content, wanted)) tally.shown++;
			const retried = result.why === 'stale' ? retryStale(result.content, wanted) : widened(wanted);
			const again = await ask(
				{ old: retried.old, now: retried.now },
				new Random(1),
				headerFor(format, wanted, retried)
			);
			expect([about, again.isError, again.isError ? `${result.content}\n→ ${again.content}` : '']).toEqual([
				about,
				false,
				''
			]);
			expectMade(await read(environment), wanted, retried, about);
		} else {
			expect([about, result.isError, result.isError ? result.content : '']).toEqual([about, false, '']);
			expectMade(await read(environment), wanted, result.asked, about);
			tally.applied++;
		}
	}
	return tally;
}

const read = async (environment: ExecutionEnvironment): Promise<string> =>
	new TextDecoder('utf-8', { ignoreBOM: true }).decode(await environment.readBytes(FILE));

/** The requested change, and the lines of the file that it replaces. */
interface Placed extends Asked {
	from: number;
	count: number;
}

type Played =
	| { kind: 'made'; asked: Placed; isError: boolean; content: string }
	| { kind: 'refused'; why: 'ambiguous' | 'stale'; content: string };
type Ask = (asked: Asked, random: Random, header?: string) => Promise<{ content: string; isError: boolean }>;

const texts = (lines: readonly FileLine[]): string[] => lines.map(({ text }) => text);

function around({ lines, from, count, now }: Mutation, before: number, after: number): Placed {
	const first = Math.max(0, from - before);
	const end = Math.min(lines.length, from + count + after);
	const old = texts(lines.slice(first, end));
	const head = texts(lines.slice(first, from));
	return { old, now: [...head, ...now, ...texts(lines.slice(from + count, end))], from: first, count: end - first };
}

/** Adds as many surrounding lines as needed to make the position unique. */
function widened(wanted: Mutation): Placed {
	for (let more = 0; more <= wanted.lines.length; more++) {
		const placed = around(wanted, more, more);
		if (placed.old.join('').trim() !== '' && placesOf(wanted.lines, placed.old) === 1) return placed;
	}
	return around(wanted, wanted.lines.length, wanted.lines.length);
}

/** Changes one line, so that it differs from what the model remembers. */
function outdated(old: readonly string[], random: Random): string[] {
	const at = random.below(old.length);
	return old.map((text, index) => (index === at ? `${text.trimEnd()} before ${random.below(1_000)}` : text));
}

async function playEdit(wanted: Mutation, random: Random, ask: Ask): Promise<Played> {
	const bare = around(wanted, 0, 0);
	const placed = bare.old.join('').trim() !== '' && random.chance(0.4) ? bare : widened(wanted);
	const given = asGiven(placed.old, random);
	if (wanted.isStale) {
		const { content, isError } = await ask({ old: outdated(given, random), now: placed.now }, random);
		expect(isError).toBe(true);
		return { kind: 'refused', why: 'stale', content };
	}
	const { content, isError } = await ask({ old: given, now: placed.now }, random);
	if (placesOf(wanted.lines, given) > 1 || plain(given.join('')) === '') {
		expect([given, content, isError]).toEqual([given, content, true]);
		return { kind: 'refused', why: 'ambiguous', content };
	}
	return { kind: 'made', asked: placed, isError, content };
}

async function playPatch(wanted: Mutation, random: Random, ask: Ask): Promise<Played> {
	const placed = widened(wanted);
	const given = asGiven(placed.old, random);
	if (wanted.isStale) {
		const { content, isError } = await ask({ old: outdated(given, random), now: placed.now }, random);
		expect(isError).toBe(true);
		return { kind: 'refused', why: 'stale', content };
	}
	const { content, isError } = await ask({ old: given, now: placed.now }, random, headerFor('patch', wanted, placed));
	return { kind: 'made', asked: placed, isError, content };
}

/** A unique line above the change, for the header of a hunk. */
function headerFor(format: Format, { lines }: Mutation, { from }: Placed): string | undefined {
	if (format !== 'patch') return undefined;
	const all = texts(lines).map((text) => plain(text).trim());
	const above = lines[from - 1]?.text;
	if (above === undefined || all.filter((text) => text.includes(plain(above).trim())).length !== 1) return undefined;
	return above.trim() === '' ? undefined : above;
}

function showsPlace(content: string, { lines, from, count }: Mutation): boolean {
	const line = Number(/closest place is line (\d+)/.exec(content)?.[1]) - 1;
	return line <= from && content.includes(lines.slice(from, from + count)[0]?.text ?? '\0');
}

/** Repeats the edit with the current text, as the error requested. */
function retryStale(content: string, wanted: Mutation): Placed {
	expect(content).toMatch(/Could not find/);
	return widened(wanted);
}

function callOf(
	format: Format,
	{ old, now }: Asked,
	random: Random,
	header?: string
): { name: string; args: Record<string, unknown> } {
	const oldText = old.join('\n');
	const newText = now.join('\n');
	switch (format) {
		case 'claude':
			return random.chance(0.5)
				? { name: 'Edit', args: { file_path: FILE, old_string: oldText, new_string: newText } }
				: { name: 'MultiEdit', args: { file_path: FILE, edits: [{ old_string: oldText, new_string: newText }] } };
		case 'gemini':
			return { name: 'replace', args: { file_path: FILE, instruction: 'x', old_string: oldText, new_string: newText } };
		case 'pi':
			return { name: 'edit', args: { path: FILE, edits: [{ oldText, newText }] } };
		case 'patch':
			return { name: 'apply_patch', args: { patch: patchOf(old, now, header) } };
	}
}

/** Common first and last lines of both sides are context. */
function patchOf(old: readonly string[], now: readonly string[], header?: string): string {
	let head = 0;
	while (head < Math.min(old.length, now.length) && plain(old[head] ?? '') === plain(now[head] ?? '')) head++;
	let tail = 0;
	while (
		tail < Math.min(old.length, now.length) - head &&
		plain(old.at(-1 - tail) ?? '') === plain(now.at(-1 - tail) ?? '')
	)
		tail++;
	const hunk = [
		...old.slice(0, head).map((text) => ` ${text}`),
		...old.slice(head, old.length - tail).map((text) => `-${text}`),
		...now.slice(head, now.length - tail).map((text) => `+${text}`),
		...old.slice(old.length - tail).map((text) => ` ${text}`)
	];
	const file = [
		'*** Begin Patch',
		`*** Update File: ${FILE}`,
		header === undefined ? '@@' : `@@ ${header}`,
		...hunk,
		'*** End Patch'
	];
	return file.join('\n');
}

/** Checks that every byte before and after the position is unchanged, and that the requested text is in it. */
function expectMade(text: string, { mark, lines }: Mutation, { from, count, now }: Placed, about: string): void {
	const before =
		mark +
		lines
			.slice(0, from)
			.map((line) => line.text + line.end)
			.join('');
	const behind = lines
		.slice(from + count)
		.map((line) => line.text + line.end)
		.join('');
	expect(text.startsWith(before), `${about}: before the place`).toBe(true);
	expect(text.endsWith(behind), `${about}: behind the place`).toBe(true);
	const made = text
		.slice(before.length, text.length - behind.length)
		.split(/\r?\n/)
		.map(plain);
	while (made.length > now.length && made.at(-1) === '') made.pop();
	expect(made.join('\n').trimEnd(), about).toBe(now.map(plain).join('\n').trimEnd());
}
