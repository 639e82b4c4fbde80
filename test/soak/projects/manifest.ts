import type { Project } from './project.ts';
import { PYTHON_PROJECTS } from './python-projects.ts';

/** All projects: those of npm, and those of Python. */
export const PROJECTS: Project[] = [
	{
		repository: 'expressjs/express',
		commit: 'a3714473feb3d2908add734d340e7755fd85e0a3',
		steps: [{ name: 'lint', command: 'npx eslint .' }],
		tests: 'npx mocha --require test/support/env --reporter tap --check-leaks test/ test/acceptance/'
	},
	{
		repository: 'koajs/koa',
		commit: 'e0ba8ef39d27fe5dae5492f9fe753d155124f994',
		steps: [],
		tests: 'node --test --test-reporter=tap',
		differences: '`util.inspect` reads a getter that throws on koa’s context prototype.'
	},
	{
		repository: 'tj/commander.js',
		commit: 'ba6d13ddb4243e5913367734f8c159089ffe7834',
		steps: [],
		tests: 'node --test --test-reporter=tap'
	},
	{
		repository: 'debug-js/debug',
		commit: 'f405ade8a4b7a0dc353e0f7390c1be90060f3621',
		steps: [],
		tests: 'npx mocha -R tap test.js test.node.js'
	},
	{
		repository: 'axios/axios',
		commit: '23a25af0688d1db2c396deb09229d2271cc24f6c',
		steps: [],
		tests: 'npx mocha -R tap test/unit/**/*.js --timeout 30000 --exit',
		differences:
			'The progress and the abort of `fetch` to this machine come in one piece; stacks name other functions behind an `await`. Six tests with a `lookup` of their own are mended since.'
	},
	{
		repository: 'chalk/chalk',
		commit: '678e5505458d0cf40134e205aed4454e0eeac45c',
		steps: [],
		tests: 'npx ava --tap'
	},
	{
		repository: 'expressjs/body-parser',
		commit: 'b1f3d588c5dca4b3a4ca7d5d3765c9129118926a',
		steps: [],
		tests: 'npx mocha --reporter tap --check-leaks test/'
	},
	{
		repository: 'chaijs/chai',
		commit: '099f48a326f0d77a0e4e9a34d7050b4217dd62d1',
		steps: [],
		tests:
			'npx esbuild --bundle --format=esm --target=es2021 --keep-names --outfile=index.js lib/chai.js && npx mocha --reporter tap --require ./test/bootstrap/index.js test/*.js'
	},
	{
		repository: 'sindresorhus/p-limit',
		commit: 'df476048d023ff868cd45b35ee47f5fb0ca2b25a',
		steps: [],
		tests: 'npx ava --tap'
	},
	{
		repository: 'fastify/fast-uri',
		commit: 'c6a74bfd9d8c6b0df5362b3c7ae88d8021cb1e39',
		steps: [],
		tests: 'npx tape test/**/*.js'
	},
	{
		repository: 'ljharb/qs',
		commit: '3a890d4ecd3deb72a45d90be36f4f8c5970467c7',
		steps: [],
		tests: 'npx tape "test/**/*.js"'
	},
	{
		repository: 'minimistjs/minimist',
		commit: '30b56212c17fdad7575c652a6aef5e61afa026e4',
		steps: [],
		tests: 'npx tape "test/**/*.js"'
	},
	{
		repository: 'unjs/defu',
		commit: '80c0146afb11ebd86183a579ec469f3abd976695',
		installFlags: '--legacy-peer-deps',
		steps: [],
		tests: 'npx vitest run --reporter=tap',
		differences: 'A suite of `node:test` in a test of vitest reports nothing of its own.'
	},
	{
		repository: 'unjs/ufo',
		commit: '11308c0bb5cb4a4bc3bfcbdc5c03177b097423e6',
		steps: [],
		tests: 'npx vitest run --reporter=tap'
	},
	{
		repository: 'pillarjs/path-to-regexp',
		commit: 'cbf30259e6d34d6135f9e7dbaa3371e7188f9936',
		steps: [],
		tests: 'npx vitest run --reporter=tap'
	},
	{
		repository: 'reduxjs/reselect',
		commit: '93bb49091fc5e0e0569c745a7240df433548f386',
		steps: [],
		tests: 'npx vitest run --reporter=tap'
	},
	{
		repository: 'immerjs/immer',
		commit: '061c2425e1c9dff89e4e4189d42af1b7839dfe0a',
		installFlags: '--legacy-peer-deps',
		steps: [],
		tests: 'npx vitest run --reporter=tap'
	},
	{
		repository: 'unjs/pathe',
		commit: '2a558aee716f6820a199cdf5b075ef4aafb69399',
		steps: [],
		tests: 'npx vitest run --reporter=tap'
	},
	{
		repository: 'unjs/destr',
		commit: '541b6f9aeada9fc30de9c5a7e086dbfc1c6fcdc7',
		steps: [],
		tests: 'npx vitest run --reporter=tap'
	},
	{
		repository: 'unjs/hookable',
		commit: 'b77477c027039362ee0ec4f39b8998c4f1b21707',
		steps: [],
		tests: 'npx vitest run --reporter=tap',
		differences:
			'A context of `vm` shares the objects of the language with the program: a promise of its code is one of the program.'
	},
	{
		repository: 'sindresorhus/camelcase',
		commit: '8596a65fcbfedd474cdedf16f48b7d9381eb7953',
		steps: [],
		tests: 'npx ava --tap'
	},
	{
		repository: 'sindresorhus/slugify',
		commit: 'd572cba97a8f661d201f4e8bdc0842bc532c9773',
		steps: [],
		tests: 'npx ava --tap'
	},
	{
		repository: 'ljharb/object-inspect',
		commit: '33bdee95b862bca5f9db68d9b10b01ca59932e0a',
		steps: [],
		tests: 'npx tape "test/*.js"'
	},
	{
		repository: 'reduxjs/redux-thunk',
		commit: '184205d49f707c6f203269e0d39ad85824801816',
		steps: [],
		tests: 'npx vitest run --reporter=tap'
	},
	{
		repository: 'npm/node-semver',
		commit: '6e05b7637396ac66522cff8731f07cfe0ef49a29',
		steps: [],
		tests: 'npx tap --no-coverage -R tap'
	},
	{
		repository: 'npm/ini',
		commit: '3c96c74fd42584bd655e17a4e63e2ef0a3b406ee',
		steps: [],
		tests: 'npx tap --no-coverage -R tap'
	},
	{
		repository: 'yargs/yargs-parser',
		commit: '60f2db5dacde1e94f960ce0941a717f3f422f865',
		steps: [{ name: 'build', command: 'npx tsc -p tsconfig.test.json' }],
		tests: 'npx mocha --reporter tap test/*.mjs'
	},
	{
		repository: 'iamkun/dayjs',
		commit: '0f6c19e3b63bcc3ff74917cb3a60125020c75648',
		steps: [],
		tests: 'npx jest --json --coverage=false'
	},
	{
		repository: 'testing-library/dom-testing-library',
		commit: 'e395d5b8ecd4ec95cc02540ddcf16571ecd33e0f',
		steps: [],
		tests: 'npx kcd-scripts test --json --coverage=false --watchAll=false'
	},
	{
		repository: 'jprichardson/node-fs-extra',
		commit: '62a4e720804aaa45d377d06788e258375cc544fa',
		steps: [],
		tests: 'npx mocha --reporter tap "lib/**/__tests__/*.test.js"'
	},
	{
		repository: 'micromatch/picomatch',
		commit: '4f41a8edade7a5ab19832f7b40ecce46b288767f',
		steps: [],
		tests: 'npx mocha --reporter tap'
	},
	{
		repository: 'unjs/h3',
		commit: 'ac609aae8fa93947b564de55e2d1a6bec5ad18ad',
		steps: [],
		tests: 'npx vitest run --reporter=tap',
		differences: 'Messages of errors of WebCrypto are the browser’s.'
	},
	{
		repository: 'motdotla/dotenv',
		commit: '2fc7eac8ad77cbd5f7814355c7fa352dbcf3c358',
		steps: [],
		tests: 'npx tap run tests/**/*.js --allow-empty-coverage --disable-coverage --timeout=60000 -R tap'
	},
	{
		repository: 'sindresorhus/p-queue',
		commit: '180ab9e25cd10b6f548767d7176076b50d25e188',
		steps: [],
		tests: 'node --import=tsx/esm --test --test-reporter=tap test/*.ts'
	},
	{
		repository: 'fastify/fastify-plugin',
		commit: 'f06b46c4f882dac70e63ebd75bd23cb015ed67ba',
		steps: [{ name: 'lint', command: 'npx eslint' }],
		tests: 'node --test --test-reporter=tap'
	},
	{
		repository: 'expressjs/multer',
		commit: '0adb21d0294fe7315344feb6ddee00b0666d9e8a',
		steps: [{ name: 'lint', command: 'npx eslint .' }],
		tests: 'npx mocha --reporter tap --exit --check-leaks test/'
	},
	{
		repository: 'fastify/secure-json-parse',
		commit: 'aa7555b85eb6aed4f4e4fbf0b4ef85d795822320',
		steps: [],
		tests: 'npx tape "test/*.test.js"'
	},
	{
		repository: 'fastify/fastify-cors',
		commit: '2a47537e6deb32652f16aba19d05adb14736c108',
		steps: [{ name: 'lint', command: 'npx eslint' }],
		tests: 'node --test --test-reporter=tap'
	},
	{
		repository: 'isaacs/minipass',
		commit: 'ab4b3b05d0d557ac6bb178f38501b11d0c96454e',
		steps: [],
		tests: 'npx tap run --allow-empty-coverage --disable-coverage --timeout=60000 -R tap'
	},
	{
		repository: 'eemeli/yaml',
		commit: 'bf03c0cb1ee997c56ed85c70f56c73e05b1cc001',
		steps: [],
		tests: 'npx vitest run --reporter=tap'
	},
	{
		repository: 'ladjs/supertest',
		commit: 'fd571c82cdce1a7ba93f9a576277dbe535fd381f',
		steps: [],
		tests: 'npx mocha --exit --require should --reporter tap --check-leaks',
		differences: 'No servers of https and none of HTTP/2.'
	},
	{
		repository: 'expressjs/session',
		commit: '2c9512fb790e4bf80b3b62305eb8078028607785',
		steps: [{ name: 'lint', command: 'npx eslint .' }],
		tests: 'npx mocha --require test/support/env --check-leaks --exit --reporter tap test/'
	},
	{
		repository: 'moment/luxon',
		commit: 'b6b9d03709085008287ed7f4ce5067f0f4be53f2',
		steps: [],
		tests: 'npx jest --json --coverage=false',
		differences: 'Chromium has no dates, numbers and calendars of some languages, such as Belarusian.'
	},
	{
		repository: 'mde/ejs',
		commit: '2c41365ca042a70978e5795adc05fbb8b35fb013',
		steps: [{ name: 'build', command: 'npx jake compile' }],
		tests: 'npx mocha --reporter tap -u tdd'
	},
	{
		repository: 'yargs/yargs',
		commit: '2a4378bdc2eac9cf7d0cdfe0a52b1b25f779806a',
		steps: [{ name: 'build', command: 'npx tsc && npx tsc -p tsconfig.test.json' }],
		tests: 'npx mocha --reporter tap ./test/*.mjs --require ./test/before.mjs --timeout=24000 --check-leaks'
	},
	{
		repository: 'jashkenas/underscore',
		commit: 'e70d5bd070f1d883b40e786a955a61e4f4b3c2c6',
		steps: [],
		tests: 'npx qunit test/'
	},
	{
		repository: 'Keyang/node-csvtojson',
		commit: 'de1eac2ea5646a69a0c25672bb668d1ee1330cbf',
		steps: [],
		tests: 'TS_NODE_CACHE_DIRECTORY=.ts-node npx mocha -r ts-node/register src/**/*.test.ts ./test/*.ts -R tap'
	},
	{
		repository: 'caolan/async',
		commit: '77fd31096b7b421d6cd6be84757c767e0b35b9fd',
		steps: [],
		tests: 'npx mocha --reporter tap'
	},
	{
		repository: 'terser/terser',
		commit: '9fc8a85aaa7087d2b8c9b4b31d267202b731b5f1',
		steps: [],
		tests: 'npx mocha test/mocha --reporter tap'
	},
	{
		repository: 'hapijs/hapi',
		commit: 'f2a24f6635c0892842f6eaf9154d3788f2f1d084',
		steps: [],
		tests: 'npx lab -a @hapi/code -r tap -m 5000',
		differences: 'No `lsof`; the delay of the event loop is not measured.'
	},
	{
		repository: 'hapijs/joi',
		commit: 'c86ddc0b6143a0e8cec0f1c6047c4b62db8cb0c2',
		steps: [],
		tests: 'npx lab -a @hapi/code -r tap'
	},
	{
		repository: 'nock/nock',
		commit: '07fbfab489ca878fda0db9ad34b1cee6381bb21c',
		steps: [],
		tests: 'npx mocha --recursive tests --reporter tap'
	},
	{
		repository: 'terkelg/prompts',
		commit: '58771d2911fc2a9c3751a0143ed66cf4321c8514',
		steps: [],
		tests: 'npx tape test/*.js'
	},
	{
		repository: 'websockets/ws',
		commit: 'a2f4e7c046c2112bbce6fef39a083dac77d6f0d2',
		steps: [],
		tests: 'npx mocha --reporter tap test/*.test.js',
		differences: 'A blob is read slower than a connection closes; the test that fails leaves its server open.'
	},
	{
		repository: 'pinojs/pino',
		commit: 'b394c2c16ac6a8919cd33d7f5684a01baca1096f',
		steps: [],
		// Without tests for browsers, which print TAP of their own.
		tests:
			'node --test --test-reporter=tap --test-timeout=20000 test/[!b]*.test.js test/basic.test.js test/broken-pipe.test.js'
	},
	{
		repository: 'handlebars-lang/handlebars.js',
		commit: '13a7a679910d2adbfe7f6fad61ce8f98426b0378',
		steps: [],
		installFlags: '--legacy-peer-deps',
		tests: 'npx vitest run --project node --reporter=tap'
	},
	{
		repository: 'cheeriojs/cheerio',
		commit: '808f8456b38a730497c675f1478d659cc4adfefe',
		steps: [],
		tests: 'npx vitest run --reporter=tap'
	},
	{
		repository: 'validatorjs/validator.js',
		commit: 'cdb7dafc281d14125b924969bf3ee5bc482ec169',
		installFlags: '--legacy-peer-deps',
		steps: [{ name: 'build', command: 'npm run build' }],
		tests: 'npx mocha --require @babel/register --reporter tap --recursive'
	},
	{
		repository: 'pmndrs/zustand',
		commit: 'f094eebe9bd3b4b0d77b997f69ab1d273f69a877',
		install: 'rm package-lock.json && npm install --ignore-scripts --no-audit --no-fund',
		steps: [{ name: 'types', command: 'npx tsc --noEmit' }],
		tests: 'npx vitest run --reporter=tap'
	},
	{
		repository: 'uuidjs/uuid',
		commit: '70177807e9229dfacde2038dc1e722f1828f358a',
		steps: [{ name: 'build', command: 'npm run build' }],
		tests: 'node --test --test-reporter=tap --enable-source-maps dist-node/test/*.js',
		differences: 'A file without tests counts as a test: natively under its absolute path, here under its relative one.'
	},
	{
		repository: 'ianstormtaylor/superstruct',
		commit: 'e414c8afd3b69f6bc0173b8ee25f71d8e5694f01',
		steps: [
			{ name: 'build', command: 'npm run build' },
			{ name: 'types', command: 'npm run test:types' }
		],
		tests: 'npx vitest run --reporter=tap'
	},
	{
		repository: 'josdejong/mathjs',
		commit: 'f7c10b1bc1324a25d117b668ea9a9c0232e2068e',
		steps: [],
		tests: 'npx mocha --reporter tap test/unit-tests'
	},
	{
		repository: 'lukeed/kleur',
		commit: 'fa3454483899ddab550d08c18c028e6db1aab0e5',
		steps: [],
		tests: 'npx uvu -r esm -i utils -i xyz'
	},
	{
		repository: 'postcss/postcss',
		commit: '8f3784702ecb4c5fdbdccf82d9c033a450aa08d5',
		install:
			'npm pkg delete devDependencies.multiocular && npm install --ignore-scripts --no-audit --no-fund --legacy-peer-deps',
		steps: [],
		tests: 'npx uvu -r ts-node/register/transpile-only test "\\.test\\.(ts|js)$"'
	},
	{
		repository: 'paulmillr/chokidar',
		commit: '0bc7bed37d6b018e5b11afcce329bbf797d6441f',
		steps: [{ name: 'build', command: 'npx tsc' }],
		tests: `(node index.test.js | sed -nE 's/.*\\x1b\\[32m(.*): ✓.*/ok 1 - \\1/p')`
	},
	{
		repository: 'auth0/node-jsonwebtoken',
		commit: 'bc28861f1fa981ed9c009e29c044a19760a0b128',
		steps: [],
		tests: 'npx mocha --reporter tap'
	},
	{
		repository: 'winstonjs/winston',
		commit: '4b963a9f5b1ef24efb6250354a108b80c0c6e7d9',
		steps: [{ name: 'lint', command: 'npm run lint' }],
		// Its setup prints lines of its own.
		tests: 'npx jest --forceExit --json --outputFile=verdicts.json > /dev/null; cat verdicts.json'
	},
	{
		repository: 'expressjs/cors',
		commit: '5317ebe670db2aaebc1d496eb5d33493deefb3ed',
		steps: [{ name: 'lint', command: 'npx eslint lib test' }],
		tests: 'npx mocha --require test/support/env --reporter tap'
	},
	{
		repository: 'markedjs/marked',
		commit: '681373ccc058b5dc93c1f63291d755d7d714c2fa',
		// One of its development packages is on GitHub.
		install:
			'rm package-lock.json && npm pkg set overrides.marked-repo=npm:marked@18.0.0 && npm install --ignore-scripts --no-audit --no-fund',
		steps: [
			{ name: 'build', command: 'npm run build' },
			{ name: 'types', command: 'npx tsc --project tsconfig-type-test.json' }
		],
		tests: 'node --test --test-reporter=tap test/run-spec-tests.js test/unit/*.test.js'
	},
	{
		repository: 'mochajs/mocha',
		commit: 'e6b9ee773481fd739ae24caeb42f32ac0b010f95',
		steps: [{ name: 'build', command: 'npm run build' }],
		tests: 'node bin/mocha.js --reporter tap "test/unit/**/*.spec.cjs" "test/node-unit/**/*.spec.{cjs,js}"',
		differences:
			'The parser of TypeScript has messages of its own; a test expects that `listeners()` without a name throws, a fault of Node up to 22.13.'
	},
	{
		repository: 'honojs/hono',
		commit: '28a9c128912de19f3fb28b00ae289c9b93f6f392',
		steps: [],
		tests: 'npx vitest run --coverage.enabled=false --project main --project node --reporter=tap',
		differences: 'Chromium leaves out a referrer of another origin.'
	},
	{
		repository: 'pmndrs/zustand',
		commit: 'f094eebe9bd3b4b0d77b997f69ab1d273f69a877',
		steps: [{ name: 'types', command: 'npx tsc --noEmit' }],
		tests: 'npx vitest run --reporter=tap'
	},
	{
		repository: 'jquense/yup',
		commit: 'ff31eee8a2b10c938bb3a22544d9e33957a8cf01',
		// It has a patch of Yarn for the tool of its releases.
		install:
			'npm pkg delete devDependencies.@4c/rollout resolutions && npm install --ignore-scripts --no-audit --no-fund --legacy-peer-deps',
		steps: [{ name: 'types', command: 'npx tsc --noEmit' }],
		tests: 'npx vitest run --reporter=tap',
		differences:
			'Names of four tests contain the time. npm installs the versions of Yarn’s lockfile here, whose types are right; natively it takes a newer `property-expr`, whose are not.'
	},
	{
		repository: 'toss/es-toolkit',
		commit: 'a1918b04e0e46e70000e0b6b048f1aabaafc1afb',
		// Its workspaces are the documentation and benchmarks, tied together by a protocol of Yarn.
		install: 'npm pkg delete workspaces && npm install --ignore-scripts --no-audit --no-fund --legacy-peer-deps',
		steps: [],
		tests:
			'npx vitest run --reporter=tap --coverage.enabled=false src/array src/object src/string src/function src/promise',
		differences: 'A Blob copied property by property is no Blob in a browser.'
	},
	...PYTHON_PROJECTS
];
