/**
 * The panel's look, kept inside its shadow root. A shop's page themes it with variables on `:root`:
 * `--recourse-accent`, `--recourse-on-accent`, `--recourse-surface`, `--recourse-text`, `--recourse-radius`,
 * `--recourse-font`. Logical properties throughout, so that it mirrors for right-to-left pages.
 */
export const STYLE = `
:host{--accent:var(--recourse-accent,#1f5eff);--on-accent:var(--recourse-on-accent,#fff);--surface:var(--recourse-surface,#fff);--text:var(--recourse-text,#16181d);--soft:#f1f3f6;--line:#d8dce3;--dim:#565d6b;--bad:#b3261e;--good:#12693f;--warn:#7a4b00;--radius:var(--recourse-radius,14px);--font:var(--recourse-font,system-ui,-apple-system,"Segoe UI",Roboto,sans-serif)}
@media(prefers-color-scheme:dark){:host{--surface:var(--recourse-surface,#17191f);--text:var(--recourse-text,#eceef2);--soft:#23262e;--line:#3a3f4a;--dim:#a8afbd;--bad:#ff9a91;--good:#6fd6a1;--warn:#f2c46d;--accent:var(--recourse-accent,#7aa2ff);--on-accent:var(--recourse-on-accent,#0b1020)}}
*{box-sizing:border-box}
.panel{position:fixed;z-index:2147483001;inset-block-end:88px;width:min(390px,calc(100vw - 32px));height:min(640px,calc(100dvh - 108px));display:flex;flex-direction:column;background:var(--surface);color:var(--text);border:1px solid var(--line);border-radius:var(--radius);box-shadow:0 12px 40px rgb(0 0 0/.28);font:15px/1.45 var(--font);overflow:hidden}
.panel.right{right:20px}.panel.left{left:20px}
.panel[hidden]{display:none}
@media(max-width:480px){.panel{inset:0;width:100vw;height:100dvh;border:0;border-radius:0}}
header{display:flex;align-items:center;gap:8px;padding:12px 14px;border-block-end:1px solid var(--line)}
h2{font-size:16px;margin:0;flex:1}
.panel button,textarea{font:inherit;color:inherit}
.panel button{cursor:pointer;border:1px solid var(--line);background:none;border-radius:999px;padding:6px 12px;min-height:36px}
.panel button:hover{background:var(--soft)}
button:focus-visible,textarea:focus-visible,.naming input:focus-visible,a:focus-visible,.log:focus-visible{outline:3px solid var(--accent);outline-offset:1px}
.panel .icon{border:0;width:36px;padding:0;display:grid;place-items:center;font-size:20px}
.panel .primary{background:var(--accent);color:var(--on-accent);border-color:transparent}
.panel .primary:hover{background:var(--accent);filter:brightness(1.08)}
.primary:disabled{opacity:.5;cursor:default}
.menu{position:relative}
.menu ul{position:absolute;z-index:2;inset-block-start:100%;inset-inline-end:0;margin:4px 0 0;padding:6px;list-style:none;min-width:230px;background:var(--surface);border:1px solid var(--line);border-radius:12px;box-shadow:0 8px 24px rgb(0 0 0/.22)}
.menu ul[hidden]{display:none}
.panel .menu li button{width:100%;text-align:start;border:0;border-radius:8px;padding:10px 12px;min-height:44px}
.panel .menu .notice{position:absolute;z-index:2;inset-inline-end:0;width:230px;border:1px solid var(--line);border-radius:12px}
.naming{position:absolute;z-index:2;inset-inline-end:0;width:min(270px,calc(100vw - 32px));flex-direction:column;align-items:stretch;background:var(--surface);border:1px solid var(--line);border-radius:12px;box-shadow:0 8px 24px rgb(0 0 0/.22);font-size:14px}
.naming input{width:100%;margin-block-start:4px;border:1px solid var(--dim);border-radius:8px;padding:8px 10px;min-height:42px;font:inherit;font-size:16px;color:inherit;background:var(--surface)}
.panel .icon:disabled{opacity:.4;cursor:default}
.row{display:flex;gap:8px;flex-wrap:wrap}
.picture{display:block;max-width:100%;max-height:260px;width:auto;height:auto;border-radius:12px;border:1px solid var(--line);background:var(--soft);margin-block-start:4px}
.mine .picture{margin-inline-start:auto}
.picture.lost{opacity:.4}
.chosen{display:flex;gap:8px;flex-wrap:wrap;padding:8px 12px 0}
.chosen span{position:relative}
.chosen .picture{max-height:72px;max-width:110px;margin:0}
.panel .chosen button{position:absolute;inset-block-start:-6px;inset-inline-end:-6px;width:26px;min-height:26px;padding:0;background:var(--surface)}
form .icon{flex:none;align-self:center}
.draft .bubble{border:1px dashed var(--line);background:none}
.notice{margin:0;padding:8px 14px;font-size:13.5px;background:var(--soft);color:var(--text);border-block-end:1px solid var(--line)}
.notice.bad{color:var(--bad)}
.log{flex:1;overflow-y:auto;overscroll-behavior:contain;padding:14px;display:flex;flex-direction:column;gap:10px}
.intro{color:var(--dim);margin:0;font-size:14px}
.message{max-width:88%;align-self:flex-start}
.message.mine{align-self:flex-end}
.who{font-size:12px;color:var(--dim);margin:0 4px 2px}
.mine .who{text-align:end}
.bubble{background:var(--soft);border-radius:14px;border-end-start-radius:4px;padding:9px 12px;white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:plaintext}
.mine .bubble{background:var(--accent);color:var(--on-accent);border-end-start-radius:14px;border-end-end-radius:4px}
.mine.waiting .bubble{background:none;color:var(--text);border:1px dashed var(--dim)}
.mine .under{justify-content:flex-end}
.system .bubble{background:none;border:1px dashed var(--line);color:var(--dim)}
.under{font-size:12px;color:var(--dim);margin:3px 4px 0;display:flex;gap:8px;align-items:center;flex-wrap:wrap}
.panel .under button{min-height:28px;padding:2px 10px;font-size:12px}
.bad{color:var(--bad)}
.card{border:1px solid var(--line);border-radius:12px;padding:10px 12px;margin-block-start:6px;font-size:14px;background:var(--surface)}
.card h3{margin:0 0 4px;font-size:14px;display:flex;justify-content:space-between;gap:8px}
.card h3 span{font-weight:400;color:var(--dim)}
.card ul{list-style:none;margin:0;padding:0}
.card li{display:flex;justify-content:space-between;gap:12px;padding:2px 0}
.card p{margin:6px 0 0;color:var(--dim);font-size:13px}
.card a{color:var(--accent)}
.tracker ol{list-style:none;margin:8px 0 0;padding:0;display:flex}
.tracker li{flex:1;text-align:center;font-size:12px;color:var(--dim);position:relative;padding-block-start:16px;display:block}
.tracker li::before{content:"";position:absolute;inset-block-start:2px;inset-inline-start:calc(50% - 5px);width:10px;height:10px;border-radius:50%;background:var(--line);z-index:1}
.tracker li+li::after{content:"";position:absolute;inset-block-start:6px;inset-inline-end:50%;width:100%;height:2px;background:var(--line)}
.tracker li.done{color:var(--text)}.tracker li.done::before,.tracker li.done+li.done::after,.tracker li.done::after{background:var(--good)}
.tracker li.now::before{background:var(--accent);outline:3px solid color-mix(in srgb,var(--accent) 30%,transparent)}
.tracker .ended{color:var(--bad)}
.sources li,.card p,.intro,.notice{unicode-bidi:plaintext}
.sources{margin:6px 0 0;padding:0;list-style:none;font-size:12.5px;color:var(--dim)}
.dots{align-self:flex-start;display:flex;gap:4px;padding:12px;background:var(--soft);border-radius:14px}
.dots i{width:7px;height:7px;border-radius:50%;background:var(--dim);animation:dot 1.2s infinite}
.dots i:nth-child(2){animation-delay:.2s}.dots i:nth-child(3){animation-delay:.4s}
@keyframes dot{0%,60%,100%{opacity:.3}30%{opacity:1}}
.skeleton{height:40px;border-radius:14px;background:var(--soft);width:70%}
.skeleton:nth-child(2){align-self:flex-end;width:50%}
.replies{display:flex;flex-wrap:wrap;gap:8px;padding:0 14px 10px}
.panel .replies button{border-color:var(--accent);color:var(--accent);background:var(--surface)}
.panel .newest{position:absolute;inset-block-end:76px;inset-inline-start:50%;transform:translateX(-50%);background:var(--surface);box-shadow:0 2px 10px rgb(0 0 0/.2)}
form{display:flex;gap:8px;padding:10px 12px;border-block-start:1px solid var(--line);align-items:flex-end}
textarea{flex:1;resize:none;border:1px solid var(--line);border-radius:12px;padding:9px 12px;background:var(--surface);min-height:42px;max-height:140px;font-size:16px;field-sizing:content}
textarea::placeholder{color:var(--dim);opacity:1}
.csat{border-block-start:1px solid var(--line);padding:12px 14px;display:flex;flex-direction:column;gap:8px}
.csat fieldset{border:0;padding:0;margin:0;display:flex;gap:6px;align-items:center;flex-wrap:wrap}
.csat legend{padding:0;font-weight:600;margin-block-end:6px}
.csat label{position:relative;display:grid;place-items:center;width:44px;height:44px;border:1px solid var(--line);border-radius:10px;cursor:pointer}
.csat input{position:absolute;opacity:0;inset:0;margin:0;cursor:pointer}
.csat label:has(:checked){background:var(--accent);color:var(--on-accent);border-color:transparent}
.csat label:has(:focus-visible){outline:3px solid var(--accent);outline-offset:1px}
.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media(prefers-reduced-motion:reduce){.dots i{animation:none;opacity:.7}}
@media(forced-colors:active){.bubble,.card,button{border:1px solid}}
`;
