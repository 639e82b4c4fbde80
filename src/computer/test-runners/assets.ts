/** Files that are not programs but can be imported with bundlers. */
const STYLE = /\.(css|scss|sass|less|styl|stylus|pcss|postcss)$/;
const ASSET =
	/\.(svg|png|jpe?g|jfif|gif|webp|avif|ico|bmp|mp4|webm|ogg|mp3|wav|flac|aac|woff2?|eot|ttf|otf|pdf|txt|md|mdx|html|wasm|webmanifest|graphql|gql|glsl)$/;

/**
 * Result of importing such a file: for a style nothing, or its class names; for media its URL; with `?raw` its text.
 *
 * @param target path of the file and its query
 * @param read returns the text of a file
 * @returns `undefined` for a program
 */
export function importedAsset(
	target: string,
	root: string,
	read: (path: string) => string | null
): { value: unknown } | undefined {
	const [path = '', query = ''] = target.split(/\?(.*)/s);
	const seen = (value: unknown) => ({ value: { __esModule: true, default: value } });
	if (/^raw\b/.test(query)) return seen(read(path) ?? '');
	if (STYLE.test(path)) return seen(/\.module\.\w+$/.test(path) ? classNames() : '');
	const isShown = ASSET.test(path) || /^(url|inline|react|component)\b/.test(query);
	return isShown ? seen(path.startsWith(`${root}/`) ? path.slice(root.length) : path) : undefined;
}

const classNames = (): unknown =>
	new Proxy({}, { get: (_names, name) => (typeof name === 'string' ? name : undefined) });
