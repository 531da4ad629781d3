/* Times in the visitor's own zone and language; without this they are told in the site's zone, by
   its name. A form that asks for times is told which zone they are of. */

const format = new Intl.DateTimeFormat(document.documentElement.lang || undefined, {
  dateStyle: "medium",
  timeStyle: "short",
});

/** Writes the times below `root` anew. */
export function tellTimes(root) {
  for (const time of root.querySelectorAll("time[data-when]")) {
    time.textContent = format.format(new Date(time.dateTime));
  }
}

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
for (const shown of document.querySelectorAll("[data-zone]")) {
  const field = shown.closest("form").elements.zone;
  if (zone && field) {
    field.value = zone;
    shown.textContent = zone.replaceAll("_", " ");
  }
}
tellTimes(document);
