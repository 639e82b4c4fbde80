/** Alternatives to programs that users and models try and that cannot run in a browser tab. One line per kind. */
const INSTEAD: [names: string, advice: string][] = [
	[
		'vim vi nvim nano emacs pico micro joe ed ex code subl gedit',
		"There is no editor in this terminal: the Files tab opens files, and sed, tee or cat > file <<'EOF' write them."
	],
	['sudo doas su', 'Leave it out: there is one user here, who may write below /workspace, /home/user and /tmp.'],
	[
		'apt apt-get aptitude apk dnf yum pacman brew snap port',
		'Nothing can be added to this system; npm install and pip install (pure Python) bring packages.'
	],
	['perl', 'Perl is not here: sed -E, awk, node -p and python3 -c do what its one-liners do.'],
	[
		'gcc g++ cc c++ clang clang++ go cargo rustc rustup java javac kotlin kotlinc scala swift dotnet ghc zig ocaml elixir mix erl R julia',
		'This language does not run in a browser tab. JavaScript, TypeScript, Python and WASI programs (./program.wasm) do.'
	],
	['ruby gem bundle bundler rake rails php composer lua', 'This language is not here: node and python3 are.'],
	['deno', 'node runs TypeScript here as it is: node file.ts.'],
	[
		'docker docker-compose podman kubectl helm minikube vagrant',
		'There are no containers in a browser tab; a server started with & listens beside this shell.'
	],
	['gh glab hub', 'Pull requests are made by Publish in the page; git push sends a branch.'],
	[
		'ssh scp sftp rsync telnet ftp nc ncat netcat ping traceroute dig nslookup host whois',
		'Only HTTP leaves this sandbox, asked for host by host: curl, git, npm and fetch() use it.'
	],
	[
		'systemctl service crontab at launchctl',
		'There are no services: a command with & goes on while its terminal is open.'
	],
	['tmux screen', 'Several terminals can be opened beside each other in the Terminal tab.'],
	['man info tldr', 'Nearly every command explains itself with --help.'],
	['xdg-open open start', 'The Preview tab shows a page or a server of this sandbox.'],
	[
		'psql postgres mysql mysqld mariadb mongo mongod mongosh redis-cli redis-server',
		'There are no database servers here: sqlite3 is, as a command, in Python and by npm packages in WebAssembly.'
	],
	[
		'uv uvx poetry pdm hatch rye pixi pipenv conda mamba micromamba pipx pyenv',
		'pip does this here, for the one Python there is: pip install -e . takes what pyproject.toml names, pip install -r a list.'
	],
	[
		'python2 python3.8 python3.9 python3.10 python3.11 python3.12 python3.13 pypy pypy3',
		'There is one Python here: python3, version 3.14.'
	],
	[
		'mypy dmypy',
		"mypy's newer versions are partly native code: pip install 'mypy<1.19' brings the last one made of Python."
	],
	['ruff', 'ruff is native code: pip install flake8 or pycodestyle brings linters made of Python.'],
	[
		'black flake8 pylint isort pycodestyle autopep8 yapf bandit coverage tox nox poe invoke pre-commit virtualenv ipython cookiecutter twine',
		'pip install it first: what is pure Python runs here.'
	],
	[
		'cmake ninja meson bazel gradle mvn ant',
		'There is no compiler to build with; esbuild, tsc and the tools of npm build for the web.'
	],
	[
		'terraform aws gcloud az heroku fly flyctl vercel netlify wrangler',
		'Clouds cannot be reached from this sandbox with your account: do that on your machine.'
	],
	['zsh fish dash ksh csh', 'The shell here is bash (bash file, or sh file).'],
	['7z 7za unrar lz4', 'These archives are here: tar with gzip, bzip2, xz and zstd, and zip.'],
	['nvm fnm volta asdf mise n', 'There is one Node here, version 22, and nothing to choose from.'],
	['bat batcat', 'cat -n shows a file with its numbers.'],
	['fd fdfind', "find . -name '*.ts' and rg --files -g '*.ts' find files."],
	['exa eza lsd', 'ls -la and tree list files.'],
	['ag ack', 'rg searches here.'],
	['top htop atop btop glances', 'ps aux lists what runs here; kill and pkill end it.'],
	['watch', 'Repeat it with while sleep 2; do …; done, or by the --watch of node, tsc, vite and others.'],
	[
		'free vmstat iostat lscpu lsblk',
		"This computer is a browser tab: its memory and processors are the browser's; df and du tell of files."
	],
	['yq', 'npx js-yaml file.yml | jq … reads YAML.'],
	[
		'iconv dos2unix unix2dos',
		"tr -d '\\r' and sed change line ends; new TextDecoder(…) of node reads other encodings."
	],
	['pbcopy pbpaste xclip xsel', 'What is selected in the terminal is copied by the browser.'],
	['parallel', 'xargs -P runs several at once.'],
	['locate updatedb', 'find and rg --files look for files.'],
	['history', 'The up arrow and Ctrl-R go through what was typed here.'],
	[
		'openssl gpg',
		"sha256sum and base64 are here, and node's crypto: node -p \"crypto.randomBytes(16).toString('hex')\""
	],
	['uuidgen', 'node -p "crypto.randomUUID()" makes one.'],
	['cal ncal', 'python3 -m calendar shows one.'],
	['chown chgrp', 'Every file here belongs to the one user there is; chmod says what may be done with it.'],
	[
		'strace ltrace gdb lldb perf valgrind',
		'There is nothing native to trace; node --inspect is not here either: print, or write a test.'
	]
];

const advice = new Map(INSTEAD.flatMap(([names, text]) => names.split(' ').map((name) => [name, text] as const)));

/** Alternative to a missing program; `null` for an unknown name. */
export const insteadOf = (name: string): string | null => advice.get(name) ?? null;
