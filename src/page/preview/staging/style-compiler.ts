/**
 * Part of the script {@link SOURCE_COMPILER}: compiles Sass and Tailwind to plain CSS with the project's own packages.
 */
export const STYLE_COMPILER = String.raw`
const SASS = /^(scss|sass)$/;
const WITH_TAILWIND = /@import\s+(url\()?["']tailwindcss|@tailwind\s|@apply\s|@reference\s/;
let sass;

/* The text of a style sheet or of a component's style, whose addresses are as seen from its file. */
function compileStyle(source, language, filename) {
	if (language === 'css') return source;
	if (!SASS.test(language)) throw new Error('styles in ' + language + ' cannot be compiled here; use CSS or Sass');
	sass ??= compiler('sass', 'sass');
	const packages = path.join(root, 'node_modules');
	return sass.compileString(source, {
		syntax: language === 'sass' ? 'indented' : 'scss',
		url: pathToFileURL(path.join(root, filename)),
		loadPaths: [path.dirname(path.join(root, filename)), root, packages],
		/* "~name", as bundlers of old wrote packages. */
		importers: [{ findFileUrl: (url) => (url.startsWith('~') ? pathToFileURL(path.join(packages, url.slice(1))) : null) }, new sass.NodePackageImporter(root)],
		logger: sass.Logger.silent
	}).css;
}
function withCompiledStyles(source, filename) {
	return source.replace(/<style((?:\s[^>]*)?)\slang=["']?(\w+)["']?([^>]*)>([^]*?)<\/style>/g, (whole, before, language, after, text) =>
		'<style' + before + after + '>' + compileStyle(text, language, filename) + '</style>');
}

/* What may be a class in a source: whatever is none, Tailwind leaves out. */
const classes = new Set();
function noteClasses(text) {
	for (const word of text.split(/[\s"'\`]+/)) classes.add(word);
	for (const word of text.split(/[\s"'\`<>=;,{}()]+/)) classes.add(word);
}
const manifest = (folder) => JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
/* Style sheet of a package, or of a part of it. */
function styleOf(id) {
	const [, name, rest] = /^((?:@[^\/]+\/)?[^\/]+)(?:\/(.+))?$/.exec(id);
	const folder = path.join(root, 'node_modules', name);
	const { style, exports } = manifest(folder);
	const entry = exports?.[rest ? './' + rest : '.'];
	const given = typeof entry === 'string' ? entry : (entry?.style ?? (rest ? rest.replace(/(\.css)?$/, '.css') : style));
	return path.join(folder, given ?? 'index.css');
}
async function compileTailwind(source, filename) {
	const file = path.join(root, filename);
	const folder = path.join(root, 'node_modules/tailwindcss');
	if (Number.parseInt(manifest(folder).version) < 4) {
		const plugin = compiler('tailwindcss', 'tailwindcss');
		return (await compiler('postcss', 'postcss')([plugin()]).process(source, { from: file })).css;
	}
	const tailwind = await import(pathToFileURL(path.join(folder, 'dist/lib.mjs')).href);
	const { build } = await tailwind.compile(source, {
		base: path.dirname(file),
		from: file,
		async loadStylesheet(id, base) {
			const name = /^[.\/]/.test(id) ? path.resolve(base, id) : styleOf(id);
			return { path: name, base: path.dirname(name), content: fs.readFileSync(name, 'utf8') };
		},
		async loadModule(id, base) {
			const name = /^[.\/]/.test(id) ? path.resolve(base, id) : createRequire(path.join(base, 'any.js')).resolve(id);
			const module = await import(pathToFileURL(name).href);
			return { path: name, base: path.dirname(name), module: module.default ?? module };
		}
	});
	return build([...classes]);
}
`;
