/** Strings of the dialog that pushes a branch. */
export const publish = {
	title: 'Push a branch and open a pull request',
	button: 'Push a branch…',
	noRemote: 'This project has no Git remote. Download a patch or zip instead.',
	intro: (path: string, host: string) =>
		`Everything that changed since the import goes to ${path} on ${host}, as one commit on a branch of its own. Your files stay as they are.`,
	branch: 'Branch',
	target: 'Into',
	targetDefault: 'the default branch',
	subject: 'Title',
	description: 'Description',
	draft: 'Draft title and description',
	name: 'Author',
	email: 'E-mail of the author',
	kind: 'The host is',
	kinds: { github: 'GitHub', gitlab: 'GitLab', gitea: 'Gitea or Forgejo', none: 'another: push the branch only' },
	token:
		'If the host asks who you are, a token is asked for. It stays in this page’s memory, goes to that host alone, and never into the sandbox.',
	start: 'Push and open',
	push: 'Push the branch',
	steps: {
		fetching: 'Fetching the branch it begins at…',
		committing: 'Making the commit…',
		pushing: 'Pushing…',
		opening: 'Opening the pull request…'
	},
	pushed: (branch: string) => `The branch ${branch} is pushed.`,
	opened: 'The pull request is open:',
	existed: 'The pull request was open already, and has the new commit:',
	checkpoint: (branch: string) => `Pushed to ${branch}`
};
