/* Reloads the page until its result is ready. */

const RELOAD_MS = 2000;

setTimeout(() => location.reload(), RELOAD_MS);
