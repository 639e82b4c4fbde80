import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { Answer, LoadedSuite, Suite } from './suite.ts';

export interface Run {
	suite: Suite;
	loaded: LoadedSuite;
	root: string;
	/** Null if the real program's answer differs between two runs. */
	native: (Answer | null)[];
	answers: Answer[];
	/** Answers of the suite's peer, if it has one. */
	peer: Answer[];
	isWhole: boolean;
}

interface Failing {
	name: string;
	group: string;
	script: string;
	/** Answers of a case, with its first failing assertion. */
	answers?: { native: Answer; ours: Answer };
	/** Set if the suite's peer gives the same answer as the real program. */
	peerIsEqual?: boolean;
}

const DOCUMENT = 'docs/conformance.md';
const START = (name: string) => `<!-- ${name} -->`;
const END = (name: string) => `<!-- end of ${name} -->`;

/** Writes the list of failing cases, both sides' answers and the suite's section of the document. Returns a summary. */
export async function writeReport(run: Run): Promise<string> {
	const { suite, loaded, root } = run;
	const failing: Failing[] = [];
	let [comparable, alike] = [0, 0];
	for (const [index, { name, group, script }] of loaded.cases.entries()) {
		const native = run.native[index];
		if (!native) continue;
		const ours = run.answers[index] ?? { stdout: '', status: null };
		const { count, different } = compare(name, native, ours, loaded);
		comparable += count;
		const peer = run.peer[index];
		const peerDiffers = new Set(peer ? compare(name, native, peer, loaded).different : []);
		alike += count - peerDiffers.size;
		for (const [at, name] of different.entries()) {
			const beside = peer ? { peerIsEqual: !peerDiffers.has(name) } : {};
			failing.push({ name, group, script, ...beside, ...(at === 0 ? { answers: { native, ours } } : {}) });
		}
	}
	await rm(root, { recursive: true, force: true });
	await mkdir('test-results/conformance', { recursive: true });
	await writeFile(`test-results/conformance/${suite.name}.json`, JSON.stringify(failing, null, '\t'));
	const equal = comparable - failing.length;
	const beside = suite.peer ? `; ${suite.peer.title}: ${alike}` : '';
	const summary = `${suite.title}: ${equal} of ${comparable} equal (${((equal / comparable) * 100).toFixed(1)} %)${beside}`;
	if (!run.isWhole) return summary;
	const list = `test/conformance/${suite.name}.failing.txt`;
	const before = new Set((await readFile(list, 'utf8').catch(() => '')).split('\n'));
	const fallen = before.size > 1 ? failing.filter(({ name }) => !before.has(name)) : [];
	await writeFile(list, failing.map(({ name }) => `${name}\n`).join(''));
	const names = failing.map(({ name }) => name);
	await replacePart(
		suite.name,
		part(run, comparable, failing) + besidePeer(run, alike, failing) + causes(suite, names)
	);
	return [summary, ...fallen.map(({ name }) => `Equal before, and not now: ${name}`)].join('\n');
}

/** Compares two answers: completely, or by the assertions that pass in the real program's. */
export function compare(
	name: string,
	native: Answer,
	ours: Answer,
	{ assertions }: Pick<LoadedSuite, 'assertions'>
): { count: number; different: string[] } {
	if (!assertions) {
		const isEqual = ours.stdout === native.stdout && ours.status === native.status;
		return { count: 1, different: isEqual ? [] : [name] };
	}
	const [wanted, held] = [assertions(native), assertions(ours)];
	return { count: wanted.size, different: [...wanted].filter((one) => !held.has(one)).map((one) => `${name} ${one}`) };
}

function part(run: Run, comparable: number, failing: Failing[]): string {
	const { suite, loaded } = run;
	const equal = comparable - failing.length;
	const groups = new Map<string, number>();
	for (const { group } of failing) groups.set(group, (groups.get(group) ?? 0) + 1);
	const share = ((equal / comparable) * 100).toFixed(1);
	const rows = [...groups].sort((a, b) => b[1] - a[1]).map(([group, count]) => `| ${group} | ${count} |`);
	return [
		`## ${suite.title}`,
		'',
		'| suite | date | cases | beside | answered the same twice | equal here | share |',
		'| --- | --- | --- | --- | --- | --- | --- |',
		`| [${suite.name}](${suite.repository}) ${loaded.version} | ${new Date().toISOString().slice(0, 10)} | ${loaded.cases.length}${loaded.assertions ? ' scripts' : ''} | ${loaded.native} | ${comparable} | ${equal} | ${share} % |`,
		'',
		'Different answers by group:',
		'',
		'| group | cases |',
		'| --- | --- |',
		...rows
	].join('\n');
}

/** Describes what passes in the suite's peer, and how much of it passes here. */
function besidePeer({ suite: { peer } }: Run, alike: number, failing: Failing[]): string {
	if (!peer) return '';
	const missing = failing.filter(({ peerIsEqual }) => peerIsEqual).length;
	const share = (((alike - missing) / alike) * 100).toFixed(1);
	const head = `| beside | equal there | of these equal here | share |\n| --- | --- | --- | --- |`;
	return `\n\n${head}\n| ${peer.title} | ${alike} | ${alike - missing} | ${share} % |`;
}

/** Permanent differences, with their reasons. */
function causes({ causes: known = [] }: Suite, failing: string[]): string {
	const rows = known
		.map(([cases, cause]) => [cause, failing.filter((name) => cases.test(name)).length] as const)
		.filter(([, count]) => count > 0)
		.map(([cause, count]) => `| ${cause} | ${count} |`);
	return rows.length ? ['', '', '| cause | cases |', '| --- | --- |', ...rows].join('\n') : '';
}

async function replacePart(name: string, text: string): Promise<void> {
	const head =
		'# Conformance\n\nWritten by `npm run conformance`: each case runs in the tab and beside the real program in the same run; output and exit status are compared.\n';
	const before = await readFile(DOCUMENT, 'utf8').catch(() => head);
	const whole = `${START(name)}\n\n${text}\n\n${END(name)}`;
	const [start, end] = [before.indexOf(START(name)), before.indexOf(END(name))];
	const after =
		start < 0 ? `${before}\n${whole}\n` : before.slice(0, start) + whole + before.slice(end + END(name).length);
	await writeFile(DOCUMENT, after);
}
