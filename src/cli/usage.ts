/** Wrong arguments or missing settings; the message explains what to do and is printed without a stack trace. */
export class UsageError extends Error {
	override readonly name = 'UsageError';
}

export type Topic = 'sandglass' | 'serve' | 'run' | 'verify';

const SERVE = `Usage: sandglass [serve] [options]

Starts Sandglass on this machine and prints its address.

Options:
  --port <number>   port of the page; previews use the ports after it (default 5173, or PORT)
  --host <address>  address to listen on (default 127.0.0.1, or HOST)
  --here            offer the current folder as a machine for sessions; commands there have your
                    rights, so the server listens on this machine only
  -h, --help        print this help

Keys of model providers are read from the environment: ANTHROPIC_API_KEY, OPENAI_API_KEY,
GEMINI_API_KEY. Without a key the page plays a demo, and takes keys of its users.
Shares are stored in SHARES_DIR (default: sandglass/shares in the user's data folder).
`;

const RUN = `Usage: sandglass run [options] "<task>"
       sandglass run [options] -          (reads the task from standard input)

Runs the agent on the current folder until the task is done.

Options:
  -m, --model <name>       model, e.g. claude-opus-4-6 (default: the best one there is a key for)
  -p, --provider <name>    anthropic, openai, gemini or compatible-<name> (default: found by the model)
      --mode <mode>        plan: change nothing; ask: ask before each effect; auto-edit: ask except for
                           edits; full: ask nothing (default auto-edit)
      --json               print each event as a line of JSON instead of text
      --max-cost <dollars> stop when this much is spent
      --max-turns <number> stop after so many responses of the model
      --trust              follow the instructions and skills of the folder (AGENTS.md and others)
      --hooks              run the commands of the folder's .sandglass/settings.json at their points
      --log <file>         write the session to this file; continue it if it exists
  -C, --directory <path>   work in this folder instead
  -h, --help               print this help

Questions are asked on the terminal; without a terminal the answer is no.
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 stopped by a limit or a denied permission,
130 interrupted.
`;

const VERIFY = `Usage: sandglass verify [options] <link or file>

Checks the receipts of a share: compares the recorded commands with the conversation, runs them
again on the recorded files in a temporary folder, and reports what differs. The commands come from
the author of the share. They run without network, may write to the temporary folder only, and run
only if bubblewrap (Linux) or sandbox-exec (macOS) can enforce that.

Options:
      --inspect            compare receipts and conversation only; run nothing
      --site <address>     site that downloads the base of a file's project
      --json               print each result as a line of JSON
  -h, --help               print this help

The passphrase of an encrypted file is read from SANDGLASS_PASSPHRASE.
Exit codes: 0 no difference, 1 something differs or failed, 2 wrong usage.
`;

const SANDGLASS = `Usage: sandglass [command] [options]

Commands:
  serve    start Sandglass on this machine (default)
  run      run the agent on the current folder
  verify   check the receipts of a share

  sandglass <command> --help    describes a command
  sandglass --version           prints the version
`;

/** Help texts by command. */
export const HELP: Readonly<Record<Topic, string>> = {
	sandglass: SANDGLASS,
	serve: SERVE,
	run: RUN,
	verify: VERIFY
};
