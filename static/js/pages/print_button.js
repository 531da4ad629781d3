/* The button of the print page: opens the browser's print dialog. */

import { one } from "../ui/dom.js";

const button = one(document, "[data-print]", HTMLElement);
button.hidden = false;
button.addEventListener("click", () => print());
