import { mount } from 'svelte';
import App from '../../../src/App.svelte';
import { AppState } from '../../../src/page/app-state.svelte.ts';
import { useLanguage } from '../../../src/page/language.ts';
import { installSandglassApi } from '../../../src/page/sandglass-api.ts';
import '../../../src/page/style/tokens.css';
import '../../../src/page/style/base.css';
import { harnessParts } from './parts.ts';

/** The page over stand-ins, for looking at it: in the browser's language: `?flow=waiting|empty|importing|failing|first|trust|read-only|too-large|trouble|egress`. */
const target = document.getElementById('app');
if (!target) throw new Error('no #app');
await useLanguage();
const app = new AppState(harnessParts(new URLSearchParams(location.search)));
installSandglassApi(app);
mount(App, { target, props: { app } });
app.start();
