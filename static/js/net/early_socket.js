/* Opens the table's socket while the page's modules are still loading, and keeps its messages for
   them. Not a module, because a module would wait until the page has been parsed. Being loaded
   asynchronously, it may run after them all the same; they have opened a socket of their own then. */

(() => {
  if (globalThis.earlySocket !== undefined) return;
  const address = new URL(document.currentScript?.dataset.socket ?? "", location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  /** @type {{ text: string, at: number }[]} */
  const heard = [];
  const socket = Object.assign(new WebSocket(address), { heard });
  socket.onopen = () => socket.send('{"t":"hello","d":{"v":null}}');
  socket.onmessage = (message) => heard.push({ text: message.data, at: performance.now() });
  globalThis.earlySocket = socket;
})();
