import { bash, build, edit, manifest, read, type Task } from '../task.ts';

const LINT = `import typescript from 'typescript-eslint';

export default typescript.config(typescript.configs.recommended, {
	rules: { '@typescript-eslint/no-explicit-any': 'off', 'prefer-const': 'error', eqeqeq: 'error' }
});
`;

/** A TypeScript package, judged by types, typed lint rules, and a build of declarations and a bundle. */
export const immer: Task = {
	name: 'immer',
	request: 'npm run build fails. Fix it, and clear what eslint reports in src/plugins/patches.ts, but for comments.',
	repository: {
		package: 'immer',
		version: '10.1.1',
		without: ['dist/', 'src/types/index.js.flow'],
		files: {
			'package.json': manifest({
				name: 'immer',
				version: '10.1.1',
				type: 'module',
				scripts: {
					types: 'tsc',
					lint: 'eslint src',
					build:
						'tsc -p tsconfig.build.json && esbuild src/immer.ts --bundle --minify --sourcemap --format=esm --outfile=dist/immer.mjs'
				},
				devDependencies: {
					esbuild: '0.25.12',
					eslint: '9.39.1',
					typescript: '5.9.3',
					'typescript-eslint': '8.48.0'
				}
			}),
			'tsconfig.json': manifest({
				compilerOptions: {
					strict: true,
					target: 'es2020',
					module: 'esnext',
					moduleResolution: 'bundler',
					lib: ['es2020'],
					types: [],
					noEmit: true
				},
				include: ['src']
			}),
			'tsconfig.build.json': manifest({
				extends: './tsconfig.json',
				compilerOptions: { noEmit: false, declaration: true, emitDeclarationOnly: true, outDir: 'dist/types' }
			}),
			'src/types/process.d.ts': 'declare const process: { env: { NODE_ENV?: string } };\n',
			'eslint.config.js': LINT,
			'.gitignore': 'node_modules\ndist\n'
		},
		replace: [
			{
				path: 'src/utils/common.ts',
				from: 'export function isDraft(value: any): boolean {',
				to: 'export function isDraft(value: any): string {'
			}
		],
		installs: true
	},
	steps: [
		bash('git log --oneline | head -3; cat package.json; find src -type f | xargs wc -l', 'patches.ts'),
		bash('npm install 2>&1 | tail -4', 'added'),
		bash('npm run build 2>&1 | tail -12', "error TS2322: Type 'boolean' is not assignable to type 'string'"),
		read('src/utils/common.ts', { offset: 15, limit: 10 }, 'isDraft'),
		edit('src/utils/common.ts', 'isDraft(value: any): string', 'isDraft(value: any): boolean'),
		bash('npm run types && echo fine', 'fine'),
		bash('npx eslint src/plugins/patches.ts | tail -12', 'prefer-const'),
		bash('npx eslint --fix src/plugins/patches.ts | tail -12; git diff --stat', 'patches.ts'),
		bash('npm run lint 2>&1 | tail -4', 'problems'),
		bash('npm run build 2>&1 | tail -8; ls dist dist/types', 'immer.d.ts'),
		bash(
			`node -e "import('/workspace/dist/immer.mjs').then(({ produce }) => console.log(produce({ a: [1] }, d => { d.a.push(2) })))"`,
			'a: [ 1, 2 ]'
		),
		bash('git add -A && git commit -qm "Build again" && git status -s | wc -l', '0')
	],
	verdicts: [
		{ kind: 'types', command: 'npx tsc' },
		{ kind: 'lint', command: 'npm run lint', exitCode: 1 },
		build('npm run build', '$(find dist -type f)')
	]
};
