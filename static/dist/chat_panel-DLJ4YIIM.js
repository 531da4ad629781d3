import{b as y,c as f,e as m,f as a,g,j as t,m as k,o as w}from"./chunk-66OSNVBD.js";var S=200,v={hello:()=>t("Hello!"),good_luck:()=>t("Good luck"),your_turn:()=>t("Your turn!"),well_played:()=>t("Well played"),nice_hand:()=>t("Nice hand"),nice_cut:()=>t("Nice cut"),lucky:()=>t("That was lucky"),oops:()=>t("Oops"),thank_you:()=>t("Thank you"),you_too:()=>t("You too"),one_moment:()=>t("One moment, please"),back:()=>t("I'm back"),good_game:()=>t("Good game"),again:()=>t("Play again?"),sorry_go:()=>t("Sorry, I have to go"),bye:()=>t("Goodbye")};function C(e){return e.phrase?v[e.phrase]?.()??e.phrase:e.text??""}function I({state:e,act:o}){let{chat:n,narrow:s,wide:u}=e,[r,i]=y(n.mode!=="free"||!e.lines.length),l=m(null);f(()=>{((u?l.current?.querySelector("input"):null)??l.current?.querySelector("h2"))?.focus()},[]),f(()=>{if(!s)return;let h=({target:c})=>{c instanceof Element&&!c.closest(".chat, #chat-button")&&o.openChat(!1)};return document.addEventListener("pointerdown",h),()=>document.removeEventListener("pointerdown",h)},[s]);let d=()=>{o.openChat(!1),document.getElementById("chat-button")?.focus()};return a`<section class="chat" ref=${l} aria-labelledby="chat-title" onKeyDown=${h=>{h.key==="Escape"&&(h.stopPropagation(),d())}}>
    <header><h2 id="chat-title" tabindex="-1">${t("Chat")}</h2>
      <button type="button" class="quiet" onClick=${d}>${t("Close")}</button></header>
    ${n.on?a`<${_} state=${e} phrases=${r} /><${T} state=${e} act=${o} phrases=${r} show=${i} />`:a`<div class="chat-note"><p>${t("Your chat is off at every table. Others see that.")}</p>
          <button type="button" class="secondary" onClick=${()=>o.wish("chat",{on:!0})}>${t("Turn it on")}</button></div>`}
    <${q} state=${e} act=${o} />
  </section>`}function _({state:e,phrases:o}){let n=m(null),{lines:s}=e;return f(()=>{n.current&&(n.current.scrollTop=n.current.scrollHeight)},[s.at(-1)?.n,o]),a`<ol ref=${n} class="chat-lines" tabindex="0" aria-label=${t("Messages, oldest first")}>
    ${!s.length&&a`<li class="chat-empty">${t("No messages yet. Say hello!")}</li>`}
    ${s.map(u=>a`<li key=${u.n} class=${`seat-${u.seat??"none"} ${u.own?"own":""}`}>
      <b>${u.own?t("You"):u.name}</b> <bdi>${C(u)}</bdi></li>`)}
  </ol>`}function E({chat:e,table:o}){if(e.barred)return M(e.barred);let n=o.seats.filter(x(o));return n.some(s=>!e.silent.includes(s.seat))?null:n.length===1?t("%(name)s turned chat off.",{name:n[0].name??""}):t("The others turned chat off.")}function M({until:e,reason:o}){let n=Date.parse(e),s=(n-Date.now())/315576e5,u=w(n,{clock:!0,language:k()}),r=s>10?t("A moderator turned off your chat."):t("A moderator turned off your chat until %(date)s.",{date:u});return o?`${r} ${t("Reason: %(reason)s",{reason:o})}`:r}function x(e){return o=>o.name&&o.seat!==e.you&&o.kind!=="computer"}function T({state:e,act:o,phrases:n,show:s}){let{chat:u,chatSaid:r,chatDraft:i}=e,l=u.mode==="free",d=E(e);if(d)return a`<p class="chat-note">${d}</p>`;let b=({detail:c},$)=>{c<2&&o.say({phrase:$})},h=c=>{c.preventDefault();let $=g(c.target,"input",HTMLInputElement),p=$.value;p.trim()&&($.value="",o.say({text:p}))};return a`
    ${r&&a`<p class="chat-note chat-refused">${r.message}</p>`}
    ${(n||!l)&&a`<ul class="chat-phrases" id="chat-phrases">${Object.entries(v).map(([c,$])=>a`<li key=${c}><button type="button" onClick=${p=>b(p,c)}>${$()}</button></li>`)}</ul>`}
    ${l&&a`<form class="chat-say" onSubmit=${h}>
      <button type="button" class="chat-more" aria-expanded=${String(n)} aria-controls="chat-phrases"
        aria-label=${t("Phrases")} title=${t("Phrases")} onClick=${()=>s(!n)}>
        <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M5 6h14M5 12h14M5 18h9" /></svg></button>
      <input aria-label=${t("Message to the table")} placeholder=${t("Message\u2026")} dir="auto" autocomplete="off"
        maxlength=${S} enterkeyhint="send" value=${i} onInput=${c=>o.write(c.target.value)} />
      <button type="submit" class="chat-send" aria-disabled=${i.trim()?void 0:"true"}>${t("Send")}</button></form>`}`}function q({state:e,act:o}){let{chat:n,table:s}=e,u=s.seats[s.you??-1]?.kind==="person";return a`<details class="chat-people more">
    <summary>${t("Mute, block or turn off")}</summary>
    <ul>${s.seats.filter(x(s)).map(r=>{let i=n.muted.includes(r.seat),l=n.blocked.includes(r.seat),d=()=>o.wish("mute",{seat:r.seat,on:!i});return a`<li key=${r.seat}><b>${r.name}</b>
        ${!l&&a`<button type="button" class="quiet" aria-pressed=${String(i)} onClick=${d}>${i?t("Unmute"):t("Mute")}</button>`}
        ${u&&(l?a`<span>${t("blocked")}</span>`:a`<button type="button" class="quiet" onClick=${()=>o.wish("block",{seat:r.seat})}>${t("Block")}</button>`)}
        <a href=${`/report/${r.player}/?match=${s.match}`} target="_blank">${t("Report")}</a></li>`})}</ul>
    ${n.on&&a`<button type="button" class="quiet" onClick=${()=>o.wish("chat",{on:!1})}>${t("Turn off chat everywhere")}</button>`}
  </details>`}export{I as Chat,v as PHRASES,C as words};
