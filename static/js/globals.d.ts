/* Globals that other scripts of a page define. */

/** Django's catalogue of the page's language; absent on pages without one. */
declare function gettext(text: string): string;
declare function ngettext(one: string, many: string, number: number): string;
declare function pgettext(context: string, text: string): string;
declare function interpolate(text: string, values: readonly unknown[]): string;

/**
 * The socket opened by net/early_socket.js, until net/socket.js takes it over; null once that has
 * opened its first socket. It keeps each message with the time at which it came (performance.now()).
 */
declare var earlySocket: (WebSocket & { heard: { text: string; at: number }[] }) | null | undefined;

/** An event whose target type is known, as in a template's handlers. */
type On<T extends Element, E extends Event = Event> = E & { readonly target: T };

/** Events between the scripts of a replay page. */
interface DocumentEventMap {
  /** The step that the replay shows. */
  "replay:step": CustomEvent<{ step: number }>;
  /** A request for another step. */
  "replay:goto": CustomEvent<{ step: number; part?: number }>;
  /** A request for the current step. */
  "replay:ask": CustomEvent<undefined>;
}
