/* A result that is not counted yet: look again. */

const AGAIN_MS = 2000;

setTimeout(() => location.reload(), AGAIN_MS);
