/** Files of the templates that the preview shows. */
type Files = Record<string, string>;

const STYLE = `body {
	font: 18px/1.6 system-ui, sans-serif;
	max-width: 40em;
	margin: 12vh auto;
	padding: 0 1em;
}
button {
	font: inherit;
	padding: 0.3em 1em;
}
`;

const document = (title: string, script: string): string => `<!doctype html>
<html lang="en">
	<head>
		<meta charset="utf-8">
		<meta name="viewport" content="width=device-width">
		<title>${title}</title>
		<link rel="stylesheet" href="style.css">
	</head>
	<body>
		<div id="app"></div>
		<script type="module" src="${script}"></script>
	</body>
</html>
`;

const manifest = (name: string, dependencies: Record<string, string>): string =>
	`${JSON.stringify({ name, version: '0.1.0', private: true, type: 'module', dependencies }, null, '\t')}\n`;

const readme = (title: string): string =>
	`# ${title}\n\nOpen \`index.html\` in the preview; it is built as you edit.\n`;

export const VANILLA: Files = {
	'index.html': document('New page', 'src/main.ts'),
	'style.css': STYLE,
	'src/main.ts': `import { counter } from './counter.ts';

const app = document.querySelector<HTMLDivElement>('#app');
if (app) app.append(counter('Clicks'));
`,
	'src/counter.ts': `/** A button that counts its clicks. */
export function counter(label: string): HTMLButtonElement {
	const button = document.createElement('button');
	let count = 0;
	const show = (): void => {
		button.textContent = \`\${label}: \${count}\`;
	};
	button.addEventListener('click', () => {
		count += 1;
		show();
	});
	show();
	return button;
}
`,
	'package.json': manifest('vanilla-ts', {}),
	'readme.md': readme('Vanilla TypeScript')
};

export const REACT: Files = {
	'index.html': document('React app', 'src/main.tsx'),
	'style.css': STYLE,
	'src/main.tsx': `import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';

const root = document.getElementById('app');
if (root) createRoot(root).render(<App />);
`,
	'src/App.tsx': `import { useState } from 'react';

export function App() {
	const [count, setCount] = useState(0);
	return (
		<main>
			<h1>React</h1>
			<button onClick={() => setCount(count + 1)}>Clicks: {count}</button>
		</main>
	);
}
`,
	'package.json': manifest('react-app', { react: '^19.0.0', 'react-dom': '^19.0.0' }),
	'readme.md': readme('React app')
};

export const SVELTE: Files = {
	'index.html': document('Svelte app', 'src/main.ts'),
	'style.css': STYLE,
	'src/main.ts': `import { mount } from 'svelte';
import App from './App.svelte';

const target = document.getElementById('app');
if (target) mount(App, { target });
`,
	'src/App.svelte': `<script lang="ts">
	let count = $state(0);
</script>

<main>
	<h1>Svelte</h1>
	<button onclick={() => (count += 1)}>Clicks: {count}</button>
</main>
`,
	'package.json': manifest('svelte-app', { svelte: '^5.0.0' }),
	'readme.md': readme('Svelte app')
};

export const VUE: Files = {
	'index.html': document('Vue app', 'src/main.ts'),
	'style.css': STYLE,
	'src/main.ts': `import { createApp } from 'vue';
import App from './App.vue';

createApp(App).mount('#app');
`,
	'src/App.vue': `<script setup lang="ts">
import { ref } from 'vue';

const count = ref(0);
</script>

<template>
	<main>
		<h1>Vue</h1>
		<button @click="count += 1">Clicks: {{ count }}</button>
	</main>
</template>
`,
	'package.json': manifest('vue-app', { vue: '^3.5.0' }),
	'readme.md': readme('Vue app')
};

const sitePage = (title: string, body: string): string => `<!doctype html>
<html lang="en">
	<head>
		<meta charset="utf-8">
		<meta name="viewport" content="width=device-width">
		<title>${title}</title>
		<link rel="stylesheet" href="style.css">
	</head>
	<body>
		<nav><a href="index.html">Home</a> <a href="about.html">About</a></nav>
		<h1>${title}</h1>
		${body}
	</body>
</html>
`;

export const STATIC_SITE: Files = {
	'index.html': sitePage('New site', '<p>Two pages and one style sheet, no build step.</p>'),
	'about.html': sitePage('About', '<p>Say here whose site it is.</p>'),
	'style.css': STYLE,
	'readme.md': '# Static site\n\nPages link to each other; the preview follows the links.\n'
};

export const PAGE: Files = {
	'index.html': `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>New page</title>
<style>
	body { font: 18px/1.6 system-ui, sans-serif; max-width: 40em; margin: 15vh auto; padding: 0 1em; }
</style>
</head>
<body>
<h1>New page</h1>
<p>Ask the agent to change it, and look at it in the preview.</p>
</body>
</html>
`
};
