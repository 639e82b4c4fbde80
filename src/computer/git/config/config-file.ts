/** One setting: `remote.origin.url` is section `remote`, subsection `origin`, name `url`. */
export interface Setting {
	key: string;
	value: string;
}

/** Reads git's configuration syntax. What it does not understand it skips. */
export function parseConfig(text: string): Setting[] {
	const settings: Setting[] = [];
	let section = '';
	const lines = text.split('\n');
	for (let i = 0; i < lines.length; i++) {
		let line = lines[i]!.trim();
		while (line.endsWith('\\') && i + 1 < lines.length) line = line.slice(0, -1) + lines[++i]!;
		const head = /^\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]\s*(.*)$/.exec(line);
		if (head) {
			section = head[1]!.toLowerCase() + (head[2] === undefined ? '' : `.${head[2].replace(/\\(.)/g, '$1')}`);
			line = head[3]!;
		}
		const setting = /^([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/.exec(line);
		if (setting)
			settings.push({ key: `${section}.${setting[1]!.toLowerCase()}`, value: unquote(setting[2] ?? 'true') });
	}
	return settings;
}

function unquote(raw: string): string {
	let value = '';
	let quoted = false;
	let keep = 0;
	for (let i = 0; i < raw.length; i++) {
		const letter = raw[i]!;
		if (letter === '"') quoted = !quoted;
		else if (letter === '\\') {
			const next = raw[++i] ?? '';
			value += { n: '\n', t: '\t', b: '\b' }[next] ?? next;
		} else if (!quoted && (letter === '#' || letter === ';')) break;
		else {
			value += letter;
			if (!quoted && /\s/.test(letter)) continue;
		}
		keep = value.length;
	}
	return value.slice(0, keep);
}

/** The key as settings are compared: section and name in lower case, the subsection as it is. */
export function normalizeKey(key: string): string {
	const first = key.indexOf('.');
	const last = key.lastIndexOf('.');
	return key.slice(0, first).toLowerCase() + key.slice(first, last) + key.slice(last).toLowerCase();
}

/** Changes, adds (`value` null: removes) one setting in the text of a configuration file. */
export function editConfig(text: string, key: string, value: string | null, add = false): string {
	const wanted = normalizeKey(key);
	const name = key.slice(key.lastIndexOf('.') + 1);
	const section = wanted.slice(0, wanted.lastIndexOf('.'));
	const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
	let current = '';
	let end = -1;
	let found = -1;
	lines.forEach((line, i) => {
		if (line.trim().startsWith('[')) current = parseConfig(`${line}\nx=1`).at(-1)!.key.replace(/\.x$/, '');
		if (current !== section) return;
		end = i;
		if (parseConfig(`[a]\n${line}`)[0]?.key === `a.${name.toLowerCase()}`) found = i;
	});
	const line = `\t${name} = ${quote(value ?? '')}`;
	if (value === null) {
		if (found >= 0) lines.splice(found, 1);
	} else if (found >= 0 && !add) lines[found] = line;
	else if (end >= 0) lines.splice(end + 1, 0, line);
	else lines.push(sectionHead(section), line);
	return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

/** Takes a whole section out. */
export function removeSection(text: string, section: string): string {
	let current = '';
	const kept = text.split('\n').filter((line) => {
		if (line.trim().startsWith('[')) current = parseConfig(`${line}\nx=1`).at(-1)!.key.replace(/\.x$/, '');
		return current !== section;
	});
	const left = kept.join('\n');
	return left === '' || left.endsWith('\n') ? left : `${left}\n`;
}

function sectionHead(section: string): string {
	const dot = section.indexOf('.');
	if (dot < 0) return `[${section}]`;
	return `[${section.slice(0, dot)} "${section.slice(dot + 1).replace(/(["\\])/g, '\\$1')}"]`;
}

function quote(value: string): string {
	const escaped = value
		.replace(/(["\\])/g, '\\$1')
		.replace(/\n/g, '\\n')
		.replace(/\t/g, '\\t');
	return /^\s|\s$|[#;]/.test(value) ? `"${escaped}"` : escaped;
}
