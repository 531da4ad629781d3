import{b as y,c as p,e as f,f as s,g,j as t}from"./chunk-VGCG4N5K.js";var v=200,k={hello:()=>t("Hello!"),good_luck:()=>t("Good luck"),your_turn:()=>t("Your turn!"),well_played:()=>t("Well played"),nice_hand:()=>t("Nice hand"),nice_cut:()=>t("Nice cut"),lucky:()=>t("That was lucky"),oops:()=>t("Oops"),thank_you:()=>t("Thank you"),you_too:()=>t("You too"),one_moment:()=>t("One moment, please"),back:()=>t("I'm back"),good_game:()=>t("Good game"),again:()=>t("Play again?"),sorry_go:()=>t("Sorry, I have to go"),bye:()=>t("Goodbye")};function C(e){return e.phrase?k[e.phrase]?.()??e.phrase:e.text??""}function I({state:e,act:o}){let{chat:a,wide:n}=e,[r,u]=y(a.mode!=="free"||!e.lines.length),c=f(null);p(()=>{((n?c.current?.querySelector("input"):null)??c.current?.querySelector("h2"))?.focus()},[]);let l=()=>{o.openChat(!1),document.getElementById("chat-button")?.focus()};return s`<section class="chat" ref=${c} aria-labelledby="chat-title" onKeyDown=${h=>{h.key==="Escape"&&(h.stopPropagation(),l())}}>
    <header><h2 id="chat-title" tabindex="-1">${t("Chat")}</h2>
      <button type="button" class="quiet" onClick=${l}>${t("Close")}</button></header>
    ${a.on?s`<${_} state=${e} phrases=${r} /><${E} state=${e} act=${o} done=${l} phrases=${r} show=${u} />`:s`<div class="chat-note"><p>${t("Your chat is off at every table. Others see that.")}</p>
          <button type="button" class="secondary" onClick=${()=>o.wish("chat",{on:!0})}>${t("Turn it on")}</button></div>`}
    <${q} state=${e} act=${o} />
  </section>`}function _({state:e,phrases:o}){let a=f(null),{lines:n}=e;return p(()=>{a.current&&(a.current.scrollTop=a.current.scrollHeight)},[n.at(-1)?.n,o]),s`<ol ref=${a} class="chat-lines" tabindex="0" aria-label=${t("Messages, oldest first")}>
    ${!n.length&&s`<li class="chat-empty">${t("No messages yet. Say hello!")}</li>`}
    ${n.map(r=>s`<li key=${r.n} class=${`seat-${r.seat??"none"} ${r.own?"own":""}`}>
      <b>${r.own?t("You"):r.name}</b> <bdi>${C(r)}</bdi></li>`)}
  </ol>`}function M({chat:e,table:o}){if(e.barred)return T(e.barred);let a=o.seats.filter(w(o));return a.some(n=>!e.silent.includes(n.seat))?null:a.length===1?t("%(name)s turned chat off.",{name:a[0].name??""}):t("The others turned chat off.")}function T({until:e,reason:o}){let a=document.documentElement.lang||void 0,n=new Date(e),r=(n.getTime()-Date.now())/315576e5,u=n.toLocaleString(a,{dateStyle:"long",timeStyle:"short"}),c=r>10?t("A moderator turned off your chat."):t("A moderator turned off your chat until %(date)s.",{date:u});return o?`${c} ${t("Reason: %(reason)s",{reason:o})}`:c}function w(e){return o=>o.name&&o.seat!==e.you&&o.kind!=="computer"}function E({state:e,act:o,done:a,phrases:n,show:r}){let{chat:u,chatSaid:c,chatDraft:l,wide:d}=e,h=u.mode==="free",m=M(e);if(m)return s`<p class="chat-note">${m}</p>`;let S=i=>{o.say({phrase:i}),d||a()},x=i=>{i.preventDefault();let $=g(i.target,"input",HTMLInputElement),b=$.value;b.trim()&&($.value="",o.say({text:b}))};return s`
    ${c&&s`<p class="chat-note chat-refused">${c.message}</p>`}
    ${(n||!h)&&s`<ul class="chat-phrases" id="chat-phrases">${Object.entries(k).map(([i,$])=>s`<li key=${i}><button type="button" onClick=${()=>S(i)}>${$()}</button></li>`)}</ul>`}
    ${h&&s`<form class="chat-say" onSubmit=${x}>
      <button type="button" class="chat-more" aria-expanded=${String(n)} aria-controls="chat-phrases"
        aria-label=${t("Phrases")} title=${t("Phrases")} onClick=${()=>r(!n)}>
        <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M5 6h14M5 12h14M5 18h9" /></svg></button>
      <input aria-label=${t("Message to the table")} placeholder=${t("Message\u2026")} dir="auto" autocomplete="off"
        maxlength=${v} enterkeyhint="send" value=${l} onInput=${i=>o.write(i.target.value)} />
      <button type="submit" class="chat-send" aria-disabled=${l.trim()?void 0:"true"}>${t("Send")}</button></form>`}`}function q({state:e,act:o}){let{chat:a,table:n}=e,r=n.seats[n.you??-1]?.kind==="person";return s`<details class="chat-people more">
    <summary>${t("Mute, block or turn off")}</summary>
    <ul>${n.seats.filter(w(n)).map(u=>{let c=a.muted.includes(u.seat),l=a.blocked.includes(u.seat),d=()=>o.wish("mute",{seat:u.seat,on:!c});return s`<li key=${u.seat}><b>${u.name}</b>
        ${!l&&s`<button type="button" class="quiet" aria-pressed=${String(c)} onClick=${d}>${c?t("Unmute"):t("Mute")}</button>`}
        ${r&&(l?s`<span>${t("blocked")}</span>`:s`<button type="button" class="quiet" onClick=${()=>o.wish("block",{seat:u.seat})}>${t("Block")}</button>`)}
        <a href=${`/report/${u.player}/?match=${n.match}`} target="_blank">${t("Report")}</a></li>`})}</ul>
    ${a.on&&s`<button type="button" class="quiet" onClick=${()=>o.wish("chat",{on:!1})}>${t("Turn off chat everywhere")}</button>`}
  </details>`}export{I as Chat,k as PHRASES,C as words};
