/* The page for paper: a button that opens the browser's own dialog. */

const button = document.querySelector("[data-print]");
button.hidden = false;
button.addEventListener("click", () => print());
