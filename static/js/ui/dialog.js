/* A modal dialog, on the browser's own dialog element. */

import { html, useEffect, useRef } from "../../vendor/preact/preact.js";
import { gettext } from "../text/translations.js";

/** @import { Child } from "../../vendor/preact/preact.js" */

/** @param {{ title: string, onClose: () => void, children?: Child }} props */
export function Dialog({ title, onClose, children }) {
  const box = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => {
    box.current?.showModal();
    return () => box.current?.close();
  }, []);
  return html`<dialog ref=${box} class="dialog" aria-labelledby="dialog-title" onClose=${onClose}
    onClick=${(/** @type {Event} */ event) => event.target === box.current && box.current?.close()}>
    <div class="dialog-body">
      <header><h2 id="dialog-title">${title}</h2>
        <button type="button" class="quiet" onClick=${() => box.current?.close()}>${gettext("Close")}</button></header>
      ${children}
    </div>
  </dialog>`;
}
