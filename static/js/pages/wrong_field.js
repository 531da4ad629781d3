/* Takes the visitor to the first wrong field of a form that was refused. The page is loaded anew, and on
   a long one, such as a club's, the form and its explanation are far below the top. */

/** @type {HTMLElement | null} */
const wrong = document.querySelector("main [aria-invalid='true']:not([type='hidden'])");
if (wrong) {
  wrong.focus({ preventScroll: true }); // it would end under the bar at the bottom of phones
  wrong.scrollIntoView({ block: "center" });
}
