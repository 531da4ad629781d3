/* Access to elements and data that a page must have. */

/**
 * Return the first element below `root` that matches `selector`; throw if there is none of that kind.
 * @template {Element} T
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => T} kind
 * @returns {T}
 */
export function one(root, selector, kind) {
  const found = root.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`The page has no ${selector}.`);
  return found;
}

/**
 * Return an attribute data-<name> of an element; throw if it is missing.
 * @param {HTMLElement} element
 * @param {string} name
 */
export function dataOf(element, name) {
  const value = element.dataset[name];
  if (value === undefined) throw new Error(`An element of the page has no data for ${name}.`);
  return value;
}
