import{b as w,c as m,e as b,f as a,g as S,j as t,m as v,o as x}from"./chunk-77NHJELI.js";var I=200,M=".chat, #chat-button, [data-ended]",N=400,T={hello:()=>t("Hello!"),good_luck:()=>t("Good luck"),your_turn:()=>t("Your turn!"),well_played:()=>t("Well played"),nice_hand:()=>t("Nice hand"),nice_cut:()=>t("Nice cut"),lucky:()=>t("That was lucky"),oops:()=>t("Oops"),thank_you:()=>t("Thank you"),you_too:()=>t("You too"),one_moment:()=>t("One moment, please"),back:()=>t("I'm back"),good_game:()=>t("Good game"),again:()=>t("Play again?"),sorry_go:()=>t("Sorry, I have to go"),bye:()=>t("Goodbye")};function Y(e){return e.phrase?T[e.phrase]?.()??e.phrase:e.text??""}function B({state:e,act:o}){let{chat:n,narrow:s,wide:c}=e,[r,i]=w(n.mode!=="free"||!e.lines.length),h=b(null);m(()=>{((c?h.current?.querySelector("input"):null)??h.current?.querySelector("h2"))?.focus()},[]),m(()=>{if(!s)return;let u=({target:$})=>{$ instanceof Element&&!$.closest(M)&&o.openChat(!1)};return document.addEventListener("pointerdown",u),()=>document.removeEventListener("pointerdown",u)},[s]);let d=()=>{o.openChat(!1),document.getElementById("chat-button")?.focus()};return a`<section class="chat" ref=${h} aria-labelledby="chat-title" onKeyDown=${u=>{u.key==="Escape"&&(u.stopPropagation(),d())}}>
    <header><h2 id="chat-title" tabindex="-1">${t("Chat")}</h2>
      <button type="button" class="quiet" onClick=${d}>${t("Close")}</button></header>
    ${n.on?a`<${q} state=${e} phrases=${r} /><${L} state=${e} act=${o} phrases=${r} show=${i} />`:a`<div class="chat-note"><p>${t("Your chat is off at every table. Others see that.")}</p>
          <button type="button" class="secondary" onClick=${()=>o.wish("chat",{on:!0})}>${t("Turn it on")}</button></div>`}
    <${O} state=${e} act=${o} />
  </section>`}function q({state:e,phrases:o}){let n=b(null),{lines:s}=e;return m(()=>{n.current&&(n.current.scrollTop=n.current.scrollHeight)},[s.at(-1)?.n,o]),a`<ol ref=${n} class="chat-lines" tabindex="0" aria-label=${t("Messages, oldest first")}>
    ${!s.length&&a`<li class="chat-empty">${t("No messages yet. Say hello!")}</li>`}
    ${s.map(c=>a`<li key=${c.n} class=${`seat-${c.seat??"none"} ${c.own?"own":""}`}>
      <b>${c.own?t("You"):c.name}</b> <bdi>${Y(c)}</bdi></li>`)}
  </ol>`}function A({chat:e,table:o}){if(e.barred)return D(e.barred);let n=o.seats.filter(C(o));return n.some(s=>!e.silent.includes(s.seat))?null:n.length===1?t("%(name)s turned chat off.",{name:n[0].name??""}):t("The others turned chat off.")}function D({until:e,reason:o}){let n=Date.parse(e),s=(n-Date.now())/315576e5,c=x(n,{clock:!0,language:v()}),r=s>10?t("A moderator turned off your chat."):t("A moderator turned off your chat until %(date)s.",{date:c});return o?`${r} ${t("Reason: %(reason)s",{reason:o})}`:r}function C(e){return o=>o.name&&o.seat!==e.you&&o.kind!=="computer"}function L({state:e,act:o,phrases:n,show:s}){let{chat:c,chatSaid:r,chatDraft:i,wide:h}=e,d=c.mode==="free",y=b(Number.NEGATIVE_INFINITY),u=A(e);if(u)return a`<p class="chat-note">${u}</p>`;let $=({detail:l},p)=>{l<2&&performance.now()-y.current>=N&&o.say({phrase:p})},_=()=>{y.current=performance.now(),s(!n)},E=l=>{l.preventDefault();let p=S(l.target,"input",HTMLInputElement),f=p.value;f.trim()&&(p.value="",o.say({text:f}))},g=(n||!d)&&a`<ul class="chat-phrases" id="chat-phrases">${Object.entries(T).map(([l,p])=>a`<li key=${l}><button type="button" onClick=${f=>$(f,l)}>${p()}</button></li>`)}</ul>`,k=d&&a`<form class="chat-say" onSubmit=${E}>
      <button type="button" class="chat-more" aria-expanded=${String(n)} aria-controls="chat-phrases"
        aria-label=${t("Phrases")} title=${t("Phrases")} onClick=${_}>
        <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M5 6h14M5 12h14M5 18h9" /></svg></button>
      <input aria-label=${t("Message to the table")} placeholder=${t("Message\u2026")} dir="auto" autocomplete="off"
        maxlength=${I} enterkeyhint="send" value=${i} onInput=${l=>o.write(l.target.value)} />
      <button type="submit" class="chat-send" aria-disabled=${i.trim()?void 0:"true"}>${t("Send")}</button></form>`;return a`
    ${r&&a`<p class="chat-note chat-refused">${r.message}</p>`}
    ${h?[g,k]:[k,g]}`}function O({state:e,act:o}){let{chat:n,table:s}=e,c=s.seats[s.you??-1]?.kind==="person";return a`<details class="chat-people more">
    <summary>${t("Mute, block or turn off")}</summary>
    <ul>${s.seats.filter(C(s)).map(r=>{let i=n.muted.includes(r.seat),h=n.blocked.includes(r.seat),d=()=>o.wish("mute",{seat:r.seat,on:!i});return a`<li key=${r.seat}><b>${r.name}</b>
        ${!h&&a`<button type="button" class="quiet" aria-pressed=${String(i)} onClick=${d}>${i?t("Unmute"):t("Mute")}</button>`}
        ${c&&(h?a`<span>${t("blocked")}</span>`:a`<button type="button" class="quiet" onClick=${()=>o.wish("block",{seat:r.seat})}>${t("Block")}</button>`)}
        <a href=${`/report/${r.player}/?match=${s.match}`} target="_blank">${t("Report")}</a></li>`})}</ul>
    ${n.on&&a`<button type="button" class="quiet" onClick=${()=>o.wish("chat",{on:!1})}>${t("Turn off chat everywhere")}</button>`}
  </details>`}export{B as Chat,T as PHRASES,Y as words};
