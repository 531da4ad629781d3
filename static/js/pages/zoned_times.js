/* Shows times in the visitor's zone and language; without this they are in the site's zone, which is
   named. Sends the visitor's zone with forms that ask for times. */

const format = new Intl.DateTimeFormat(document.documentElement.lang || undefined, {
  dateStyle: "medium",
  timeStyle: "short",
});

/**
 * Localise the times below `root`.
 * @param {ParentNode} root
 */
export function tellTimes(root) {
  /** @type {NodeListOf<HTMLTimeElement>} */
  const times = root.querySelectorAll("time[data-when]");
  for (const time of times) {
    time.textContent = format.format(new Date(time.dateTime));
  }
}

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
for (const shown of document.querySelectorAll("[data-zone]")) {
  const field = shown.closest("form")?.elements.namedItem("zone");
  if (zone && field instanceof HTMLInputElement) {
    field.value = zone;
    shown.textContent = zone.replaceAll("_", " ");
  }
}
tellTimes(document);
