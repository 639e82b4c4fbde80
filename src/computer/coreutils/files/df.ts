import { type FileSystemUsage, INODES } from '#computer/abi/file-systems.ts';
import { absence } from '#computer/shell/execution/redirections.ts';
import { type BlockSize, blockSizeOf, inBlocks } from '../block-size.ts';
import { type Options, UsageError, utility } from '../options.ts';

const SPECIFICATION =
	'a|all B|block-size= total h|human-readable H si i|inodes k l|local no-sync output=? P|portability sync t|type= ' +
	'T|print-type x|exclude-type= v m';

interface Row {
	/** Operand for which it is shown. */
	file: string;
	isTotal: boolean;
	usage: FileSystemUsage & { inodes: number };
}

interface Column {
	title: string;
	/** Minimum width. */
	width: number;
	isText?: boolean;
	cell(row: Row, size: BlockSize): string;
}

const percent = (used: number, all: number) => `${Math.ceil((used / all) * 100)}%`;

const COLUMNS: Readonly<Record<string, Column>> = {
	source: {
		title: 'Filesystem',
		width: 14,
		isText: true,
		cell: ({ isTotal, usage }) => (isTotal ? 'total' : usage.source)
	},
	fstype: { title: 'Type', width: 4, isText: true, cell: ({ isTotal, usage }) => (isTotal ? '-' : usage.type) },
	itotal: { title: 'Inodes', width: 5, cell: ({ usage }, size) => counted(usage.inodes, size) },
	iused: { title: 'IUsed', width: 5, cell: ({ usage }, size) => counted(usage.files, size) },
	iavail: { title: 'IFree', width: 5, cell: ({ usage }, size) => counted(usage.inodes - usage.files, size) },
	ipcent: { title: 'IUse%', width: 4, cell: ({ usage }) => percent(usage.files, usage.inodes) },
	size: { title: 'Size', width: 5, cell: ({ usage }, size) => inBlocks(usage.totalBytes, size) },
	used: { title: 'Used', width: 5, cell: ({ usage }, size) => inBlocks(usage.usedBytes, size) },
	avail: { title: 'Avail', width: 5, cell: ({ usage }, size) => inBlocks(usage.freeBytes, size) },
	pcent: { title: 'Use%', width: 4, cell: ({ usage }) => percent(usage.usedBytes, usage.totalBytes) },
	file: { title: 'File', width: 0, isText: true, cell: ({ file, isTotal }) => (isTotal ? '-' : file) },
	target: { title: 'Mounted on', width: 0, isText: true, cell: ({ isTotal, usage }) => (isTotal ? '-' : usage.target) }
};

const counted = (count: number, size: BlockSize) => ('base' in size ? inBlocks(count, size) : String(count));

/** `df`: usage of all file systems, or those of the operands. */
export const df = utility(SPECIFICATION, async (call, options) => {
	const fields = fieldsOf(options);
	const given = options.given.map((one) => (one.name === 'H' ? { ...one, name: 'si' } : one));
	const { variables } = call.shell;
	// POSIX format ignores the environment.
	const names = options.has('P') ? [] : ['DF_BLOCK_SIZE', 'BLOCK_SIZE', 'BLOCKSIZE'];
	const size = blockSizeOf(
		given,
		names.map((name) => variables.exported(name))
	);
	let status = 0;
	const rows: Row[] = [];
	const { sync } = call.shell.host.context;
	const systems = sync.fileSystems().map((system) => ({ ...system, inodes: INODES }));
	const isWanted = ({ type }: FileSystemUsage) =>
		(!options.has('t') || options.all('t').includes(type)) && !options.all('x').includes(type);
	for (const file of options.operands) {
		const path = call.shell.path(file);
		const found = sync.statOrNull(path);
		const usage = systems.find(({ device }) => device === found?.device);
		if (usage && isWanted(usage)) rows.push({ file, isTotal: false, usage });
		if (found) continue;
		await call.complain(`${file}: ${absence(sync, path)}`);
		status = 1;
	}
	if (options.operands.length === 0)
		rows.push(...systems.filter(isWanted).map((usage) => ({ file: '-', isTotal: false, usage })));
	if (rows.length === 0) {
		if (status === 0) throw new UsageError('no file systems processed', false);
		return status;
	}
	if (options.has('total')) rows.push({ file: '-', isTotal: true, usage: totalOf(rows) });
	await call.out(table(fields, rows, size, options));
	return status;
});

/** @throws UsageError */
function fieldsOf(options: Options): string[] {
	if (!options.has('output')) {
		const numbers = options.has('i') ? ['itotal', 'iused', 'iavail', 'ipcent'] : ['size', 'used', 'avail', 'pcent'];
		return ['source', ...(options.has('T') ? ['fstype'] : []), ...numbers, 'target'];
	}
	const other = ['i', 'P', 'T'].find((name) => options.has(name));
	if (other !== undefined) throw new UsageError(`options -${other} and --output are mutually exclusive`, true);
	const fields = options.all('output').flatMap((text) => (text === '' ? Object.keys(COLUMNS) : text.split(',')));
	for (const [index, field] of fields.entries()) {
		if (!(field in COLUMNS)) throw new UsageError(`option --output: field '${field}' unknown`, true);
		if (fields.indexOf(field) < index)
			throw new UsageError(`option --output: field '${field}' used more than once`, true);
	}
	return fields;
}

/** Sum over the file systems shown, each counted once. */
function totalOf(rows: readonly Row[]): Row['usage'] {
	const shown = [...new Set(rows.map(({ usage }) => usage))];
	const sum = (field: 'totalBytes' | 'usedBytes' | 'freeBytes' | 'files') =>
		shown.reduce((total, usage) => total + usage[field], 0);
	const [totalBytes, usedBytes, freeBytes] = [sum('totalBytes'), sum('usedBytes'), sum('freeBytes')];
	const inodes = shown.length * INODES;
	return {
		device: 0,
		target: '-',
		source: 'total',
		type: '-',
		totalBytes,
		usedBytes,
		freeBytes,
		files: sum('files'),
		inodes
	};
}

function table(fields: readonly string[], rows: readonly Row[], size: BlockSize, options: Options): string {
	const columns = fields.flatMap((field) => COLUMNS[field] ?? []);
	const lines = [
		fields.map((field) => titleOf(field, size, options)),
		...rows.map((row) =>
			// Without a source column, the target column labels the total.
			columns.map((column) =>
				row.isTotal && column === COLUMNS['target'] && !fields.includes('source') ? 'total' : column.cell(row, size)
			)
		)
	];
	const widths = columns.map(({ width }, at) => Math.max(width, ...lines.map((line) => line[at]?.length ?? 0)));
	return lines
		.map((line) =>
			columns
				.map(({ isText }, at) => {
					const text = line[at] ?? '';
					if (!isText) return text.padStart(widths[at] ?? 0);
					return at === columns.length - 1 ? text : text.padEnd(widths[at] ?? 0);
				})
				.join(' ')
		)
		.map((line) => `${line}\n`)
		.join('');
}

function titleOf(field: string, size: BlockSize, options: Options): string {
	const isHuman = 'base' in size;
	if (field === 'pcent' && options.has('P')) return 'Capacity';
	if (field === 'avail' && !options.has('output') && !isHuman) return 'Available';
	if (field !== 'size' || isHuman) return COLUMNS[field]?.title ?? '';
	if (options.has('P')) return `${size.bytes}-blocks`;
	const unit =
		size.bytes === 1024
			? '1K'
			: size.bytes === 1
				? '1B'
				: size.bytes % 1024 ** 2 === 0
					? `${size.bytes / 1024 ** 2}M`
					: String(size.bytes);
	return `${unit}-blocks`;
}
