import{b as p,c as $,e as b,f as s,g as t}from"./chunk-WXCYQYYI.js";var x=200,y={hello:()=>t("Hello!"),good_luck:()=>t("Good luck"),your_turn:()=>t("It is your turn"),well_played:()=>t("Well played"),nice_hand:()=>t("Nice hand"),nice_cut:()=>t("Nice cut"),lucky:()=>t("That was lucky"),oops:()=>t("Oops"),thank_you:()=>t("Thank you"),you_too:()=>t("You too"),one_moment:()=>t("One moment, please"),back:()=>t("I am back"),good_game:()=>t("Good game"),again:()=>t("Shall we play again?"),sorry_go:()=>t("Sorry, I have to go"),bye:()=>t("Goodbye")};function v(e){return e.phrase?y[e.phrase]?.()??e.phrase:e.text??""}function O({state:e,act:o}){let{chat:a,wide:n}=e,[c,i]=p(a.mode!=="free"),r=b(null);$(()=>{((n?r.current?.querySelector("input"):null)??r.current?.querySelector("h2"))?.focus()},[]);let u=()=>{o.openChat(!1),document.getElementById("chat-button")?.focus()};return s`<section class="chat" ref=${r} aria-labelledby="chat-title" onKeyDown=${d=>{d.key==="Escape"&&(d.stopPropagation(),u())}}>
    <header><h2 id="chat-title" tabindex="-1">${t("Chat")}</h2>
      <button type="button" class="quiet" onClick=${u}>${t("Close")}</button></header>
    ${a.on?s`<${C} state=${e} phrases=${c} /><${q} state=${e} act=${o} done=${u} phrases=${c} show=${i} />`:s`<div class="chat-note"><p>${t("Your chat is off: you read nothing and write nothing, at every table. The others see that.")}</p>
          <button type="button" class="secondary" onClick=${()=>o.wish("chat",{on:!0})}>${t("Switch it on")}</button></div>`}
    <${E} state=${e} act=${o} />
  </section>`}function C({state:e,phrases:o}){let a=b(null),{lines:n}=e;return $(()=>{a.current&&(a.current.scrollTop=a.current.scrollHeight)},[n.at(-1)?.n,o]),s`<ol ref=${a} class="chat-lines" tabindex="0" aria-label=${t("What was written, oldest first")}>
    ${!n.length&&s`<li class="chat-empty">${t("Nothing was written yet.")}</li>`}
    ${n.map(c=>s`<li key=${c.n} class=${`seat-${c.seat??"none"} ${c.own?"own":""}`}>
      <b>${c.own?t("You"):c.name}</b> <bdi>${v(c)}</bdi></li>`)}
  </ol>`}function _({chat:e,table:o}){if(e.barred)return T(e.barred);let a=o.seats.filter(g(o));return a.some(n=>!e.silent.includes(n.seat))?null:a.length===1?t("%(name)s has switched the chat off.",{name:a[0].name??""}):t("The others have switched the chat off.")}function T({until:e,reason:o}){let a=document.documentElement.lang||void 0,n=new Date(e),c=(n.getTime()-Date.now())/315576e5,i=n.toLocaleString(a,{dateStyle:"long",timeStyle:"short"}),r=c>10?t("A moderator has taken writing from you."):t("A moderator has taken writing from you until %(date)s.",{date:i});return o?`${r} ${t("The reason: %(reason)s",{reason:o})}`:r}function g(e){return o=>o.name&&o.seat!==e.you&&o.kind!=="computer"}function q({state:e,act:o,done:a,phrases:n,show:c}){let{chat:i,chatSaid:r,wide:u}=e,[h,d]=p(""),m=i.mode==="free";$(()=>{r?.text&&d(l=>l||r.text)},[r]);let f=_(e);if(f)return s`<p class="chat-note">${f}</p>`;let w=l=>{o.say({phrase:l}),u||a()},k=l=>{l.preventDefault(),h.trim()&&(o.say({text:h}),d(""))};return s`
    ${r&&s`<p class="chat-note chat-refused">${r.message}</p>`}
    ${(n||!m)&&s`<ul class="chat-phrases" id="chat-phrases">${Object.entries(y).map(([l,S])=>s`<li key=${l}><button type="button" onClick=${()=>w(l)}>${S()}</button></li>`)}</ul>`}
    ${m&&s`<form class="chat-say" onSubmit=${k}>
      <button type="button" class="chat-more" aria-expanded=${String(n)} aria-controls="chat-phrases"
        aria-label=${t("Phrases")} title=${t("Phrases")} onClick=${()=>c(!n)}>
        <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M5 6h14M5 12h14M5 18h9" /></svg></button>
      <input aria-label=${t("Write to the others at the table")} placeholder=${t("Write\u2026")} dir="auto" autocomplete="off"
        maxlength=${x} enterkeyhint="send" value=${h} onInput=${l=>d(l.target.value)} />
      <button type="submit" class="chat-send" disabled=${!h.trim()}>${t("Send")}</button></form>`}`}function E({state:e,act:o}){let{chat:a,table:n}=e,c=n.seats[n.you??-1]?.kind==="person";return s`<details class="chat-people">
    <summary>${t("Mute, block, switch off")}</summary>
    <ul>${n.seats.filter(g(n)).map(i=>{let r=a.muted.includes(i.seat),u=a.blocked.includes(i.seat),h=()=>o.wish("mute",{seat:i.seat,on:!r});return s`<li key=${i.seat}><b>${i.name}</b>
        ${!u&&s`<button type="button" class="quiet" aria-pressed=${String(r)} onClick=${h}>${r?t("Read again"):t("Mute")}</button>`}
        ${c&&(u?s`<span>${t("blocked")}</span>`:s`<button type="button" class="quiet" onClick=${()=>o.wish("block",{seat:i.seat})}>${t("Block")}</button>`)}
        <a href=${`/report/${i.player}/?match=${n.match}`} target="_blank">${t("Report")}</a></li>`})}</ul>
    ${a.on&&s`<button type="button" class="quiet" onClick=${()=>o.wish("chat",{on:!1})}>${t("Switch my chat off, at every table")}</button>`}
  </details>`}export{O as Chat,y as PHRASES,v as words};
