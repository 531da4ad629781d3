import{b as p,c as $,e as b,f as a,g as t}from"./chunk-PU4DLTFW.js";var x=200,f={hello:()=>t("Hello!"),good_luck:()=>t("Good luck"),your_turn:()=>t("It is your turn"),well_played:()=>t("Well played"),nice_hand:()=>t("Nice hand"),nice_cut:()=>t("Nice cut"),lucky:()=>t("That was lucky"),oops:()=>t("Oops"),thank_you:()=>t("Thank you"),you_too:()=>t("You too"),one_moment:()=>t("One moment, please"),back:()=>t("I am back"),good_game:()=>t("Good game"),again:()=>t("Shall we play again?"),sorry_go:()=>t("Sorry, I have to go"),bye:()=>t("Goodbye")};function v(e){return e.phrase?f[e.phrase]?.()??e.phrase:e.text}function O({state:e,act:o}){let{chat:s,wide:n}=e,[c,l]=p(s.mode!=="free"),r=b(null);$(()=>{((n?r.current.querySelector("input"):null)??r.current.querySelector("h2")).focus()},[]);let u=()=>{o.openChat(!1),document.getElementById("chat-door")?.focus()};return a`<section class="chat" ref=${r} aria-labelledby="chat-title" onKeyDown=${d=>{d.key==="Escape"&&(d.stopPropagation(),u())}}>
    <header><h2 id="chat-title" tabindex="-1">${t("Chat")}</h2>
      <button type="button" class="quiet" onClick=${u}>${t("Close")}</button></header>
    ${s.on?a`<${C} state=${e} phrases=${c} /><${q} state=${e} act=${o} done=${u} phrases=${c} show=${l} />`:a`<div class="chat-note"><p>${t("Your chat is off: you read nothing and write nothing, at every table. The others see that.")}</p>
          <button type="button" class="secondary" onClick=${()=>o.wish("chat",{on:!0})}>${t("Switch it on")}</button></div>`}
    <${E} state=${e} act=${o} />
  </section>`}function C({state:e,phrases:o}){let s=b(null),{lines:n}=e;return $(()=>{s.current.scrollTop=s.current.scrollHeight},[n.at(-1)?.n,o]),a`<ol ref=${s} class="chat-lines" tabindex="0" aria-label=${t("What was written, oldest first")}>
    ${!n.length&&a`<li class="chat-empty">${t("Nothing was written yet.")}</li>`}
    ${n.map(c=>a`<li key=${c.n} class=${`seat-${c.seat??"none"} ${c.own?"own":""}`}>
      <b>${c.own?t("You"):c.name}</b> <bdi>${v(c)}</bdi></li>`)}
  </ol>`}function _({chat:e,table:o}){if(e.barred)return T(e.barred);let s=o.seats.filter(w(o));return s.some(n=>!e.silent.includes(n.seat))?null:s.length===1?t("%(name)s has switched the chat off.",{name:s[0].name}):t("The others have switched the chat off.")}function T({until:e,reason:o}){let s=document.documentElement.lang||void 0,n=new Date(e),c=(n-Date.now())/315576e5,l=n.toLocaleString(s,{dateStyle:"long",timeStyle:"short"}),r=c>10?t("A moderator has taken writing from you."):t("A moderator has taken writing from you until %(date)s.",{date:l});return o?`${r} ${t("The reason: %(reason)s",{reason:o})}`:r}function w(e){return o=>o.name&&o.seat!==e.you&&o.kind!=="computer"}function q({state:e,act:o,done:s,phrases:n,show:c}){let{chat:l,chatSaid:r,wide:u}=e,[h,d]=p(""),m=l.mode==="free";$(()=>{r?.text&&d(i=>i||r.text)},[r]);let y=_(e);if(y)return a`<p class="chat-note">${y}</p>`;let g=i=>{o.say({phrase:i}),u||s()},k=i=>{i.preventDefault(),h.trim()&&(o.say({text:h}),d(""))};return a`
    ${r&&a`<p class="chat-note chat-refused">${r.message}</p>`}
    ${(n||!m)&&a`<ul class="chat-phrases" id="chat-phrases">${Object.entries(f).map(([i,S])=>a`<li key=${i}><button type="button" onClick=${()=>g(i)}>${S()}</button></li>`)}</ul>`}
    ${m&&a`<form class="chat-say" onSubmit=${k}>
      <button type="button" class="chat-more" aria-expanded=${String(n)} aria-controls="chat-phrases"
        aria-label=${t("Phrases")} title=${t("Phrases")} onClick=${()=>c(!n)}>
        <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M5 6h14M5 12h14M5 18h9" /></svg></button>
      <input aria-label=${t("Write to the others at the table")} placeholder=${t("Write\u2026")} dir="auto" autocomplete="off"
        maxlength=${x} enterkeyhint="send" value=${h} onInput=${i=>d(i.target.value)} />
      <button type="submit" class="chat-send" disabled=${!h.trim()}>${t("Send")}</button></form>`}`}function E({state:e,act:o}){let{chat:s,table:n}=e,c=n.seats[n.you]?.kind==="person";return a`<details class="chat-people">
    <summary>${t("Mute, block, switch off")}</summary>
    <ul>${n.seats.filter(w(n)).map(l=>{let r=s.muted.includes(l.seat),u=s.blocked.includes(l.seat),h=()=>o.wish("mute",{seat:l.seat,on:!r});return a`<li key=${l.seat}><b>${l.name}</b>
        ${!u&&a`<button type="button" class="quiet" aria-pressed=${String(r)} onClick=${h}>${r?t("Read again"):t("Mute")}</button>`}
        ${c&&(u?a`<span>${t("blocked")}</span>`:a`<button type="button" class="quiet" onClick=${()=>o.wish("block",{seat:l.seat})}>${t("Block")}</button>`)}
        <a href=${`/report/${l.player}/?match=${n.match}`} target="_blank">${t("Report")}</a></li>`})}</ul>
    ${s.on&&a`<button type="button" class="quiet" onClick=${()=>o.wish("chat",{on:!1})}>${t("Switch my chat off, at every table")}</button>`}
  </details>`}export{O as Chat,f as PHRASES,v as words};
