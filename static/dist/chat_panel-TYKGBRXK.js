import{b as w,c as f,e as p,f as s,g as S,j as t,m as x,o as v}from"./chunk-66OSNVBD.js";var E=200,N=400,T={hello:()=>t("Hello!"),good_luck:()=>t("Good luck"),your_turn:()=>t("Your turn!"),well_played:()=>t("Well played"),nice_hand:()=>t("Nice hand"),nice_cut:()=>t("Nice cut"),lucky:()=>t("That was lucky"),oops:()=>t("Oops"),thank_you:()=>t("Thank you"),you_too:()=>t("You too"),one_moment:()=>t("One moment, please"),back:()=>t("I'm back"),good_game:()=>t("Good game"),again:()=>t("Play again?"),sorry_go:()=>t("Sorry, I have to go"),bye:()=>t("Goodbye")};function q(e){return e.phrase?T[e.phrase]?.()??e.phrase:e.text??""}function B({state:e,act:o}){let{chat:n,wide:a}=e,[r,c]=w(n.mode!=="free"||!e.lines.length),u=p(null);f(()=>{((a?u.current?.querySelector("input"):null)??u.current?.querySelector("h2"))?.focus()},[]);let l=()=>{o.openChat(!1),document.getElementById("chat-button")?.focus()};return s`<section class="chat" ref=${u} aria-labelledby="chat-title" onKeyDown=${h=>{h.key==="Escape"&&(h.stopPropagation(),l())}}>
    <header><h2 id="chat-title" tabindex="-1">${t("Chat")}</h2>
      <button type="button" class="quiet" onClick=${l}>${t("Close")}</button></header>
    ${n.on?s`<${D} state=${e} phrases=${r} /><${Y} state=${e} act=${o} done=${l} phrases=${r} show=${c} />`:s`<div class="chat-note"><p>${t("Your chat is off at every table. Others see that.")}</p>
          <button type="button" class="secondary" onClick=${()=>o.wish("chat",{on:!0})}>${t("Turn it on")}</button></div>`}
    <${A} state=${e} act=${o} />
  </section>`}function D({state:e,phrases:o}){let n=p(null),{lines:a}=e;return f(()=>{n.current&&(n.current.scrollTop=n.current.scrollHeight)},[a.at(-1)?.n,o]),s`<ol ref=${n} class="chat-lines" tabindex="0" aria-label=${t("Messages, oldest first")}>
    ${!a.length&&s`<li class="chat-empty">${t("No messages yet. Say hello!")}</li>`}
    ${a.map(r=>s`<li key=${r.n} class=${`seat-${r.seat??"none"} ${r.own?"own":""}`}>
      <b>${r.own?t("You"):r.name}</b> <bdi>${q(r)}</bdi></li>`)}
  </ol>`}function O({chat:e,table:o}){if(e.barred)return P(e.barred);let n=o.seats.filter(_(o));return n.some(a=>!e.silent.includes(a.seat))?null:n.length===1?t("%(name)s turned chat off.",{name:n[0].name??""}):t("The others turned chat off.")}function P({until:e,reason:o}){let n=Date.parse(e),a=(n-Date.now())/315576e5,r=v(n,{clock:!0,language:x()}),c=a>10?t("A moderator turned off your chat."):t("A moderator turned off your chat until %(date)s.",{date:r});return o?`${c} ${t("Reason: %(reason)s",{reason:o})}`:c}function _(e){return o=>o.name&&o.seat!==e.you&&o.kind!=="computer"}function Y({state:e,act:o,done:n,phrases:a,show:r}){let{chat:c,chatSaid:u,chatDraft:l,wide:d}=e,h=c.mode==="free",m=p(Number.NEGATIVE_INFINITY),b=O(e);if(b)return s`<p class="chat-note">${b}</p>`;let C=i=>{performance.now()-m.current<N||(o.say({phrase:i}),d||n())},I=()=>{m.current=performance.now(),r(!a)},M=i=>{i.preventDefault();let $=S(i.target,"input",HTMLInputElement),k=$.value;k.trim()&&($.value="",o.say({text:k}))},y=(a||!h)&&s`<ul class="chat-phrases" id="chat-phrases">${Object.entries(T).map(([i,$])=>s`<li key=${i}><button type="button" onClick=${()=>C(i)}>${$()}</button></li>`)}</ul>`,g=h&&s`<form class="chat-say" onSubmit=${M}>
      <button type="button" class="chat-more" aria-expanded=${String(a)} aria-controls="chat-phrases"
        aria-label=${t("Phrases")} title=${t("Phrases")} onClick=${I}>
        <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M5 6h14M5 12h14M5 18h9" /></svg></button>
      <input aria-label=${t("Message to the table")} placeholder=${t("Message\u2026")} dir="auto" autocomplete="off"
        maxlength=${E} enterkeyhint="send" value=${l} onInput=${i=>o.write(i.target.value)} />
      <button type="submit" class="chat-send" aria-disabled=${l.trim()?void 0:"true"}>${t("Send")}</button></form>`;return s`
    ${u&&s`<p class="chat-note chat-refused">${u.message}</p>`}
    ${d?[y,g]:[g,y]}`}function A({state:e,act:o}){let{chat:n,table:a}=e,r=a.seats[a.you??-1]?.kind==="person";return s`<details class="chat-people more">
    <summary>${t("Mute, block or turn off")}</summary>
    <ul>${a.seats.filter(_(a)).map(c=>{let u=n.muted.includes(c.seat),l=n.blocked.includes(c.seat),d=()=>o.wish("mute",{seat:c.seat,on:!u});return s`<li key=${c.seat}><b>${c.name}</b>
        ${!l&&s`<button type="button" class="quiet" aria-pressed=${String(u)} onClick=${d}>${u?t("Unmute"):t("Mute")}</button>`}
        ${r&&(l?s`<span>${t("blocked")}</span>`:s`<button type="button" class="quiet" onClick=${()=>o.wish("block",{seat:c.seat})}>${t("Block")}</button>`)}
        <a href=${`/report/${c.player}/?match=${a.match}`} target="_blank">${t("Report")}</a></li>`})}</ul>
    ${n.on&&s`<button type="button" class="quiet" onClick=${()=>o.wish("chat",{on:!1})}>${t("Turn off chat everywhere")}</button>`}
  </details>`}export{B as Chat,T as PHRASES,q as words};
