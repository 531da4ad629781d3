/* The clipboard, which browsers may refuse: in a frame, or if the visitor has blocked it. */

/**
 * Copy a text; where that is refused, select what shows it, so that it can be copied by hand.
 * @param {string} text
 * @param {Node} shown
 * @returns {Promise<boolean>} whether it was copied
 */
export async function copied(text, shown) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    getSelection()?.selectAllChildren(shown);
    return false;
  }
}
