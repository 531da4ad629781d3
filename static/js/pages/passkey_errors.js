/* Shows that a passkey could not be made or used; allauth's script only logs it. */

document.addEventListener("allauth.error", (event) => {
  const failed = document.querySelector("[data-passkey-failed]");
  if (!(failed instanceof HTMLElement)) return;
  event.preventDefault();
  failed.hidden = false;
});
