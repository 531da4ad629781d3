import{b as p,c as $,e as f,f as s,h as t}from"./chunk-YBGCU237.js";var x=200,y={hello:()=>t("Hello!"),good_luck:()=>t("Good luck"),your_turn:()=>t("Your turn!"),well_played:()=>t("Well played"),nice_hand:()=>t("Nice hand"),nice_cut:()=>t("Nice cut"),lucky:()=>t("That was lucky"),oops:()=>t("Oops"),thank_you:()=>t("Thank you"),you_too:()=>t("You too"),one_moment:()=>t("One moment, please"),back:()=>t("I'm back"),good_game:()=>t("Good game"),again:()=>t("Play again?"),sorry_go:()=>t("Sorry, I have to go"),bye:()=>t("Goodbye")};function v(e){return e.phrase?y[e.phrase]?.()??e.phrase:e.text??""}function P({state:e,act:o}){let{chat:a,wide:n}=e,[c,u]=p(a.mode!=="free"||!e.lines.length),r=f(null);$(()=>{((n?r.current?.querySelector("input"):null)??r.current?.querySelector("h2"))?.focus()},[]);let i=()=>{o.openChat(!1),document.getElementById("chat-button")?.focus()};return s`<section class="chat" ref=${r} aria-labelledby="chat-title" onKeyDown=${d=>{d.key==="Escape"&&(d.stopPropagation(),i())}}>
    <header><h2 id="chat-title" tabindex="-1">${t("Chat")}</h2>
      <button type="button" class="quiet" onClick=${i}>${t("Close")}</button></header>
    ${a.on?s`<${C} state=${e} phrases=${c} /><${T} state=${e} act=${o} done=${i} phrases=${c} show=${u} />`:s`<div class="chat-note"><p>${t("Your chat is off at every table. Others see that.")}</p>
          <button type="button" class="secondary" onClick=${()=>o.wish("chat",{on:!0})}>${t("Turn it on")}</button></div>`}
    <${q} state=${e} act=${o} />
  </section>`}function C({state:e,phrases:o}){let a=f(null),{lines:n}=e;return $(()=>{a.current&&(a.current.scrollTop=a.current.scrollHeight)},[n.at(-1)?.n,o]),s`<ol ref=${a} class="chat-lines" tabindex="0" aria-label=${t("Messages, oldest first")}>
    ${!n.length&&s`<li class="chat-empty">${t("No messages yet. Say hello!")}</li>`}
    ${n.map(c=>s`<li key=${c.n} class=${`seat-${c.seat??"none"} ${c.own?"own":""}`}>
      <b>${c.own?t("You"):c.name}</b> <bdi>${v(c)}</bdi></li>`)}
  </ol>`}function _({chat:e,table:o}){if(e.barred)return M(e.barred);let a=o.seats.filter(g(o));return a.some(n=>!e.silent.includes(n.seat))?null:a.length===1?t("%(name)s turned chat off.",{name:a[0].name??""}):t("The others turned chat off.")}function M({until:e,reason:o}){let a=document.documentElement.lang||void 0,n=new Date(e),c=(n.getTime()-Date.now())/315576e5,u=n.toLocaleString(a,{dateStyle:"long",timeStyle:"short"}),r=c>10?t("A moderator turned off your chat."):t("A moderator turned off your chat until %(date)s.",{date:u});return o?`${r} ${t("Reason: %(reason)s",{reason:o})}`:r}function g(e){return o=>o.name&&o.seat!==e.you&&o.kind!=="computer"}function T({state:e,act:o,done:a,phrases:n,show:c}){let{chat:u,chatSaid:r,wide:i}=e,[h,d]=p(""),b=u.mode==="free";$(()=>{r?.text&&d(l=>l||r.text)},[r]);let m=_(e);if(m)return s`<p class="chat-note">${m}</p>`;let k=l=>{o.say({phrase:l}),i||a()},w=l=>{l.preventDefault(),h.trim()&&(o.say({text:h}),d(""))};return s`
    ${r&&s`<p class="chat-note chat-refused">${r.message}</p>`}
    ${(n||!b)&&s`<ul class="chat-phrases" id="chat-phrases">${Object.entries(y).map(([l,S])=>s`<li key=${l}><button type="button" onClick=${()=>k(l)}>${S()}</button></li>`)}</ul>`}
    ${b&&s`<form class="chat-say" onSubmit=${w}>
      <button type="button" class="chat-more" aria-expanded=${String(n)} aria-controls="chat-phrases"
        aria-label=${t("Phrases")} title=${t("Phrases")} onClick=${()=>c(!n)}>
        <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M5 6h14M5 12h14M5 18h9" /></svg></button>
      <input aria-label=${t("Message to the table")} placeholder=${t("Message\u2026")} dir="auto" autocomplete="off"
        maxlength=${x} enterkeyhint="send" value=${h} onInput=${l=>d(l.target.value)} />
      <button type="submit" class="chat-send" aria-disabled=${h.trim()?void 0:"true"}>${t("Send")}</button></form>`}`}function q({state:e,act:o}){let{chat:a,table:n}=e,c=n.seats[n.you??-1]?.kind==="person";return s`<details class="chat-people">
    <summary>${t("Mute, block or turn off")}</summary>
    <ul>${n.seats.filter(g(n)).map(u=>{let r=a.muted.includes(u.seat),i=a.blocked.includes(u.seat),h=()=>o.wish("mute",{seat:u.seat,on:!r});return s`<li key=${u.seat}><b>${u.name}</b>
        ${!i&&s`<button type="button" class="quiet" aria-pressed=${String(r)} onClick=${h}>${r?t("Unmute"):t("Mute")}</button>`}
        ${c&&(i?s`<span>${t("blocked")}</span>`:s`<button type="button" class="quiet" onClick=${()=>o.wish("block",{seat:u.seat})}>${t("Block")}</button>`)}
        <a href=${`/report/${u.player}/?match=${n.match}`} target="_blank">${t("Report")}</a></li>`})}</ul>
    ${a.on&&s`<button type="button" class="quiet" onClick=${()=>o.wish("chat",{on:!1})}>${t("Turn off chat everywhere")}</button>`}
  </details>`}export{P as Chat,y as PHRASES,v as words};
