import { readFileSync } from 'node:fs';
const [folder, mode] = process.argv.slice(2);
const mutants = JSON.parse(readFileSync(`${folder}/mutants.json`, 'utf8'));
const status = new Map(),
	problems = [];
const rank = { Survived: 1, Timeout: 2, Killed: 3 };
for (const line of readFileSync(`${folder}/verdicts.jsonl`, 'utf8').split('\n')) {
	if (!line) continue;
	const e = JSON.parse(line);
	if (e.problem) {
		problems.push(e);
		continue;
	}
	if ((rank[status.get(e.mutant)] ?? 0) < rank[e.verdict]) status.set(e.mutant, e.verdict);
}
const files = {};
for (const m of mutants) {
	if (m.status === 'Ignored') continue;
	const s = status.get(m.id) ?? 'NoCoverage';
	const f = (files[m.file] ??= { Killed: 0, Survived: 0, Timeout: 0, NoCoverage: 0, list: [] });
	f[s]++;
	if (s !== 'Killed') f.list.push({ ...m, s });
}
const tot = { Killed: 0, Survived: 0, Timeout: 0, NoCoverage: 0 };
for (const [f, r] of Object.entries(files).sort((a, b) => b[1].list.length - a[1].list.length)) {
	for (const k in tot) tot[k] += r[k];
	const n = r.Killed + r.list.length;
	console.log(
		String(r.list.length).padStart(4),
		`${r.Killed}/${n}`.padStart(9),
		`s${r.Survived} t${r.Timeout} n${r.NoCoverage}`.padEnd(16),
		f
	);
	if (mode && f.includes(mode)) {
		const src = readFileSync(f, 'utf8').split('\n');
		for (const m of r.list) {
			const { start, end } = m.location;
			const text =
				start.line === end.line
					? src[start.line].slice(start.column, end.column)
					: src[start.line].slice(start.column) + ' …';
			console.log(
				`      ${start.line + 1}:${start.column} [${m.s[0]}] ${text.slice(0, 100)}  =>  ${String(m.replacement).replace(/\s+/g, ' ').slice(0, 100)}`
			);
		}
	}
}
const n = Object.values(tot).reduce((a, b) => a + b, 0);
console.log(tot, n, ((100 * tot.Killed) / n).toFixed(1) + '%');
for (const p of problems) console.log(p);
