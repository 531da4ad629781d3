/* Parts of the page that are drawn anew only where what they show is another. */

import { html } from "../vendor/preact/preact.js";

/** `Part`, which is drawn anew only where one of `values(props)` is not the one before. */
export function drawnFor(values, Part) {
  return function Kept(props) {
    // preact asks a component before it draws it again; a function's component is its `this`.
    this.shouldComponentUpdate = (next) => {
      const before = values(this.props);
      return values(next).some((value, at) => value !== before[at]);
    };
    return html`<${Part} ...${props} />`;
  };
}
