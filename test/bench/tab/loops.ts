import { spawnSync } from 'node:child_process';
import type { Page } from 'playwright';
import { requireProgram, peerName, plainEnvironment } from '../native-program.ts';
import { median, missing, row, type Row } from '../row.ts';
import { inTime, openTabWorld, type Product } from './world.ts';

const RUNS = 5;
const BOUND = 10;

/** Scripts with 20,000 rounds, as people write them. */
const LOOPS = [
	{ name: 'while [ … ]; i=$((i+1))', script: 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; echo $i' },
	{ name: 'for ((…)), a sum', script: 'for ((i = 0; i < 20000; i++)); do s=$((s + i)); done; echo $s' },
	{
		name: 'for in $(seq …), case and [[ … ]]',
		script: 'for i in $(seq 20000); do case $i in *7) x=$x;; *) [[ $i == 5 ]] && echo five;; esac; done; echo "${i%0}"'
	},
	{ name: 'echo into a pipe', script: 'for i in $(seq 20000); do echo "line $i"; done | tail -1' }
];

/** Measures the shell's loops compared with the machine's own bash without start files. */
export async function loopRows(product: Product): Promise<Row[]> {
	const title = (name: string) => `shell loop of 20,000 rounds: ${name}`;
	const world = await openTabWorld(product);
	try {
		const page = await world.open();
		await inTime(
			page.evaluate(() => window.sandglass!.importRepository({ files: { 'README.md': 'For the benchmark.\n' } }))
		);
		const rows: Row[] = [];
		for (const { name, script } of LOOPS) {
			try {
				const bash = requireProgram('bash');
				const native = nativeTimes(bash.path, script);
				const ours = await inTime(times(page, script, native.output));
				const against = { name: peerName('bash', bash), value: native.ms };
				rows.push(row({ name: title(name), unit: 'ms', ours: median(ours), against, bound: BOUND }));
			} catch (error) {
				rows.push(missing(title(name), 'ms', error));
			}
		}
		return rows;
	} finally {
		await world.close();
	}
}

function times(page: Page, script: string, output: string): Promise<number[]> {
	return page.evaluate(
		async ({ script, output, runs }) => {
			const environment = window.sandglass!.environment!;
			const times: number[] = [];
			for (let run = -1; run < runs; run++) {
				const start = performance.now();
				const { stdout } = await environment.exec(script);
				const time = performance.now() - start;
				if (stdout !== output) throw new Error(`bash prints ${output} and we print ${stdout}`);
				if (run >= 0) times.push(time);
			}
			return times;
		},
		{ script, output, runs: RUNS }
	);
}

/** Includes the start, as ours; without input: bash reads `.bashrc` if that is a socket, as Node's pipes are. */
function nativeTimes(bash: string, script: string): { ms: number; output: string } {
	const times: number[] = [];
	let output = '';
	for (let run = -1; run < RUNS; run++) {
		const start = performance.now();
		const { stdout, error } = spawnSync(bash, ['--noprofile', '--norc', '-c', script], {
			encoding: 'utf8',
			env: plainEnvironment(),
			stdio: ['ignore', 'pipe', 'inherit']
		});
		if (error) throw error;
		if (run >= 0) times.push(performance.now() - start);
		output = stdout;
	}
	return { ms: median(times), output };
}
