/* Opens the table's socket while the page's modules are still on their way: what it hears is kept
   for them. No module itself, since it must not wait for the page to be read. */

(() => {
  const address = new URL(document.currentScript.dataset.socket, location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(address);
  socket.heard = [];
  socket.onopen = () => socket.send('{"t":"hello","d":{"v":null}}');
  socket.onmessage = (message) => socket.heard.push(message.data);
  globalThis.earlySocket = socket;
})();
