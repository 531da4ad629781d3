/* Memoised components: redrawn only when their values change, at once or a frame later. */

import { html } from "../../vendor/preact/preact.js";
import { inNextFrame } from "./frames.js";

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

/**
 * Return `Part` as a component that is redrawn in the frame after the one in which a value changed:
 * what the player looks at is drawn first, and one long frame becomes two short ones.
 * @template Props
 * @param {(props: Props) => unknown[]} values
 * @param {(props: Props) => VNode} Part
 */
export function later(values, Part) {
  /**
   * @this {Component<Props> & { planned?: boolean }}
   * @param {Props} props
   */
  return function Later(props) {
    this.shouldComponentUpdate = (next) => {
      const before = values(this.props);
      if (!this.planned && values(next).some((value, at) => value !== before[at])) {
        this.planned = true;
        inNextFrame(() => {
          this.planned = false;
          this.forceUpdate();
        });
      }
      return false;
    };
    return html`<${Part} ...${props} />`;
  };
}
