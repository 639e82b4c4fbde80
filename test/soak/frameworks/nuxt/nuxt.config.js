export default defineNuxtConfig({ telemetry: false, compatibilityDate: '2025-07-15', css: ['~/app.css'] });
