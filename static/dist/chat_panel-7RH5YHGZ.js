import{b as y,c as p,e as f,f as s,g,j as t,m as k,o as w}from"./chunk-66OSNVBD.js";var _=200,x={hello:()=>t("Hello!"),good_luck:()=>t("Good luck"),your_turn:()=>t("Your turn!"),well_played:()=>t("Well played"),nice_hand:()=>t("Nice hand"),nice_cut:()=>t("Nice cut"),lucky:()=>t("That was lucky"),oops:()=>t("Oops"),thank_you:()=>t("Thank you"),you_too:()=>t("You too"),one_moment:()=>t("One moment, please"),back:()=>t("I'm back"),good_game:()=>t("Good game"),again:()=>t("Play again?"),sorry_go:()=>t("Sorry, I have to go"),bye:()=>t("Goodbye")};function M(e){return e.phrase?x[e.phrase]?.()??e.phrase:e.text??""}function L({state:e,act:o}){let{chat:n,wide:a}=e,[r,u]=y(n.mode!=="free"||!e.lines.length),c=f(null);p(()=>{((a?c.current?.querySelector("input"):null)??c.current?.querySelector("h2"))?.focus()},[]);let l=()=>{o.openChat(!1),document.getElementById("chat-button")?.focus()};return s`<section class="chat" ref=${c} aria-labelledby="chat-title" onKeyDown=${h=>{h.key==="Escape"&&(h.stopPropagation(),l())}}>
    <header><h2 id="chat-title" tabindex="-1">${t("Chat")}</h2>
      <button type="button" class="quiet" onClick=${l}>${t("Close")}</button></header>
    ${n.on?s`<${T} state=${e} phrases=${r} /><${E} state=${e} act=${o} done=${l} phrases=${r} show=${u} />`:s`<div class="chat-note"><p>${t("Your chat is off at every table. Others see that.")}</p>
          <button type="button" class="secondary" onClick=${()=>o.wish("chat",{on:!0})}>${t("Turn it on")}</button></div>`}
    <${O} state=${e} act=${o} />
  </section>`}function T({state:e,phrases:o}){let n=f(null),{lines:a}=e;return p(()=>{n.current&&(n.current.scrollTop=n.current.scrollHeight)},[a.at(-1)?.n,o]),s`<ol ref=${n} class="chat-lines" tabindex="0" aria-label=${t("Messages, oldest first")}>
    ${!a.length&&s`<li class="chat-empty">${t("No messages yet. Say hello!")}</li>`}
    ${a.map(r=>s`<li key=${r.n} class=${`seat-${r.seat??"none"} ${r.own?"own":""}`}>
      <b>${r.own?t("You"):r.name}</b> <bdi>${M(r)}</bdi></li>`)}
  </ol>`}function q({chat:e,table:o}){if(e.barred)return D(e.barred);let n=o.seats.filter(S(o));return n.some(a=>!e.silent.includes(a.seat))?null:n.length===1?t("%(name)s turned chat off.",{name:n[0].name??""}):t("The others turned chat off.")}function D({until:e,reason:o}){let n=Date.parse(e),a=(n-Date.now())/315576e5,r=w(n,{clock:!0,language:k()}),u=a>10?t("A moderator turned off your chat."):t("A moderator turned off your chat until %(date)s.",{date:r});return o?`${u} ${t("Reason: %(reason)s",{reason:o})}`:u}function S(e){return o=>o.name&&o.seat!==e.you&&o.kind!=="computer"}function E({state:e,act:o,done:n,phrases:a,show:r}){let{chat:u,chatSaid:c,chatDraft:l,wide:d}=e,h=u.mode==="free",b=q(e);if(b)return s`<p class="chat-note">${b}</p>`;let v=i=>{o.say({phrase:i}),d||n()},C=i=>{i.preventDefault();let $=g(i.target,"input",HTMLInputElement),m=$.value;m.trim()&&($.value="",o.say({text:m}))};return s`
    ${c&&s`<p class="chat-note chat-refused">${c.message}</p>`}
    ${(a||!h)&&s`<ul class="chat-phrases" id="chat-phrases">${Object.entries(x).map(([i,$])=>s`<li key=${i}><button type="button" onClick=${()=>v(i)}>${$()}</button></li>`)}</ul>`}
    ${h&&s`<form class="chat-say" onSubmit=${C}>
      <button type="button" class="chat-more" aria-expanded=${String(a)} aria-controls="chat-phrases"
        aria-label=${t("Phrases")} title=${t("Phrases")} onClick=${()=>r(!a)}>
        <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M5 6h14M5 12h14M5 18h9" /></svg></button>
      <input aria-label=${t("Message to the table")} placeholder=${t("Message\u2026")} dir="auto" autocomplete="off"
        maxlength=${_} enterkeyhint="send" value=${l} onInput=${i=>o.write(i.target.value)} />
      <button type="submit" class="chat-send" aria-disabled=${l.trim()?void 0:"true"}>${t("Send")}</button></form>`}`}function O({state:e,act:o}){let{chat:n,table:a}=e,r=a.seats[a.you??-1]?.kind==="person";return s`<details class="chat-people more">
    <summary>${t("Mute, block or turn off")}</summary>
    <ul>${a.seats.filter(S(a)).map(u=>{let c=n.muted.includes(u.seat),l=n.blocked.includes(u.seat),d=()=>o.wish("mute",{seat:u.seat,on:!c});return s`<li key=${u.seat}><b>${u.name}</b>
        ${!l&&s`<button type="button" class="quiet" aria-pressed=${String(c)} onClick=${d}>${c?t("Unmute"):t("Mute")}</button>`}
        ${r&&(l?s`<span>${t("blocked")}</span>`:s`<button type="button" class="quiet" onClick=${()=>o.wish("block",{seat:u.seat})}>${t("Block")}</button>`)}
        <a href=${`/report/${u.player}/?match=${a.match}`} target="_blank">${t("Report")}</a></li>`})}</ul>
    ${n.on&&s`<button type="button" class="quiet" onClick=${()=>o.wish("chat",{on:!1})}>${t("Turn off chat everywhere")}</button>`}
  </details>`}export{L as Chat,x as PHRASES,M as words};
