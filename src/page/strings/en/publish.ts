/** Strings of the dialog that pushes a branch. */
export const publish = {
	title: 'Push a branch and open a pull request',
	button: 'Push…',
	noRemote: 'This project has no Git remote. Download a patch or zip instead.',
	intro: (path: string, host: string) =>
		`Everything changed since the import goes to ${path} on ${host}, as one commit on a new branch. Your files stay as they are.`,
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
		'You’re asked for a token if the host needs one. It stays in this page’s memory and goes only to that host, never to programs in this tab.',
	start: 'Push and open',
	push: 'Push the branch',
	steps: {
		fetching: 'Fetching the base branch…',
		committing: 'Making the commit…',
		pushing: 'Pushing…',
		opening: 'Opening the pull request…'
	},
	pushed: (branch: string) => `Pushed ${branch}`,
	opened: 'The pull request is open:',
	existed: 'The pull request was already open and now has the new commit:',
	checkpoint: (branch: string) => `Pushed to ${branch}`
};
