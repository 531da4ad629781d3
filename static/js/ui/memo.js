/* Memoised components: redrawn only when their values change. */

import { html } from "../../vendor/preact/preact.js";

/** @import { Component, VNode } from "../../vendor/preact/preact.js" */

/**
 * Return `Part` as a component that is redrawn only when one of `values(props)` has changed.
 * @template Props
 * @param {(props: Props) => unknown[]} values
 * @param {(props: Props) => VNode} Part
 */
export function memo(values, Part) {
  /**
   * @this {Component<Props>}
   * @param {Props} props
   */
  return function Memoised(props) {
    // Preact asks a component before redrawing it; a function's component is its `this`.
    this.shouldComponentUpdate = (next) => {
      const before = values(this.props);
      return values(next).some((value, at) => value !== before[at]);
    };
    return html`<${Part} ...${props} />`;
  };
}
