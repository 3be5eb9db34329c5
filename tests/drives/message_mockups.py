"""What messages of Discord and Telegram look like on a phone 390 px wide: pages of HTML.

Close to the platforms' own layout where it decides what can be read: widths, rows, what is cut.
"""

from __future__ import annotations

import re
from html import escape
from typing import Any

STYLE = """
*{box-sizing:border-box} body{margin:0;font:15px/1.35 'DejaVu Sans Condensed',sans-serif;
background:#555;display:flex;gap:12px;align-items:flex-start;width:max-content;padding:8px}
.phone{width:390px;flex:none;padding:8px;min-height:700px}
h3{margin:14px 0 6px;font-size:14px;color:#f80;border-top:2px solid #f80}
img{width:100%;display:block;border-radius:6px;max-height:460px;object-fit:contain}
.discord{background:#313338;color:#dbdee1}
.discord .m{padding:4px 8px 4px 52px;border-left:3px solid transparent}
.discord .own{border-color:#5865f2;background:#3a3c50}
.discord .box{border:1px solid #4a4c52;border-radius:8px;padding:10px;background:#2b2d31;
display:flex;flex-direction:column;gap:8px}
.discord .row{display:flex;flex-wrap:wrap;gap:6px}
.discord .b{background:#4e5058;border-radius:6px;padding:6px 12px;font-size:14px;max-width:100%}
.discord .s1{background:#5865f2} .discord .s3{background:#248046} .discord .s4{background:#da373c}
.discord .b,.telegram .b{overflow:hidden;white-space:nowrap;text-overflow:ellipsis}
.list{width:100%;background:#1e1f22;border-radius:4px;padding:8px}
.list small{display:block;color:#949ba4;font-size:12px} .list b{font-weight:normal}
.sub{font-size:12px;color:#949ba4} .who{background:#3c4270;border-radius:3px}
.discord .off{opacity:.5}
.telegram{background:#cfdbc3;color:#111} .telegram h3{color:#a40}
.telegram .m{width:330px;margin:2px 0 8px} .telegram .t{background:#fff;border-radius:12px;
overflow:hidden;overflow-wrap:anywhere} .telegram .t div{padding:6px 10px;white-space:pre-wrap}
.telegram .re{border-left:3px solid #37a;margin:6px 10px 0;padding:0 6px!important;color:#37a;
font-size:13px} .telegram .row{display:flex;gap:3px;margin-top:3px}
.telegram .b{flex:1 1 0;min-width:0;background:#7d9a75d0;color:#fff;border-radius:8px;
text-align:center;padding:9px 4px;font-size:14px}
.toast{background:#222e;color:#fff;border-radius:8px;padding:8px 12px;margin:4px 0}
.alert{background:#fff;color:#111;border:2px solid #111;border-radius:12px;padding:14px}
.cut{outline:3px solid red}
"""

MEASURE = """() => [...document.querySelectorAll('.b')].filter(b => b.scrollWidth > b.clientWidth)
.map(b => { b.classList.add('cut'); return b.textContent })"""
"""Marks the buttons whose words do not fit and answers what they say."""


def page(phones: list[str]) -> str:
    """A sheet of *phones* beside each other."""
    return f"<!doctype html><meta charset=utf-8><style>{STYLE}</style>" + "".join(phones)


def phone(platform: str, shots: list[tuple[str, str]]) -> str:
    """One column: what stood on the screen at each of *shots*, a title and its HTML."""
    inside = "".join(f"<h3>{escape(title)}</h3>{shown}" for title, shown in shots)
    return f'<div class="phone {platform}">{inside}</div>'


def marked(text: str, names: dict[str, str]) -> str:
    """Discord's marks in *text* as they are shown; *names* are those of people by their ids."""
    lines = []
    for line in escape(text, quote=False).split("\n"):
        line = re.sub(
            r"&lt;@!?(\d+)&gt;", lambda m: f"<span class=who>@{names.get(m[1], '?')}</span>", line
        )
        line = re.sub(r"&lt;t:\d+(:\w)?&gt;", "<u>in 2 hours</u>", line)
        line = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", line)
        line = re.sub(r"`(.+?)`", r"<code>\1</code>", line)
        line = re.sub(r"\[(.+?)\]\((?:&lt;)?http.+?\)", r"<u>\1</u>", line)
        line = re.sub(r"\\([^\w\s])", r"\1", line)
        if line.startswith("-# "):
            line = f"<span class=sub>{line[3:]}</span>"
        elif found := re.match(r"(#+) (.*)", line):
            line = f"<big><b>{found[2]}</b></big>"
        lines.append(line)
    return "<br>".join(lines)


def discord(message: Any, names: dict[str, str]) -> str:
    """One message of the emulated Discord."""
    files = {a["id"]: message.fake.cdn[a["_key"]].path for a in message.data["_all_attachments"]}

    def drawn(c: dict) -> str:
        match c["type"]:
            case 1:
                return f"<div class=row>{''.join(map(drawn, c['components']))}</div>"
            case 2:
                face = f"{(c.get('emoji') or {}).get('name') or ''} {c.get('label') or ''}"
                off = " off" if c.get("disabled") else ""
                return f"<div class='b s{c['style']}{off}'>{escape(face.strip())}</div>"
            case 3 | 5 | 6 | 7 | 8:
                options = c.get("options", [])
                now = ", ".join(o["label"] for o in options if o.get("default"))
                each = "".join(
                    f"<small>· {escape(o['label'])} — {escape(o.get('description') or '')}</small>"
                    for o in options
                )
                head = escape(now or f"‹{c.get('placeholder') or 'Make a selection'}›")
                return f"<div class=list><b>{head} ▾</b>{each}</div>"
            case 9:
                aside = drawn(c["accessory"]) if c.get("accessory") else ""
                return f"<div>{''.join(map(drawn, c['components']))}{aside}</div>"
            case 10:
                return f"<div>{marked(c['content'], names)}</div>"
            case 11:
                return f"<img style='width:80px' src='{files[c['media']['attachment_id']]}'>"
            case 12:
                return "".join(
                    f"<img src='{files[i['media']['attachment_id']]}'>" for i in c["items"]
                )
            case 14:
                return "<hr>"
            case 17:
                return f"<div class=box>{''.join(map(drawn, c['components']))}</div>"
        return f"<div>component {c['type']}</div>"

    own = " own" if message.ephemeral else ""
    shown = marked(message.content, names) + "".join(map(drawn, message.data["components"]))
    kept = {a["id"] for a in message.data["attachments"]}
    shown += "".join(f"<img src='{files[one]}'>" for one in kept)
    return f"<div class='m{own}'>{shown}</div>"


def telegram(message: Any) -> str:
    """One message of the emulated Telegram."""
    data, text = message.data, message.text.encode("utf-16-le")
    marks: dict[int, str] = {}
    for e in data.get("entities") or data.get("caption_entities") or []:
        tag = {"bold": "b", "italic": "i", "code": "code", "blockquote": "q"}.get(e["type"], "u")
        end = e["offset"] + e["length"]
        marks[e["offset"]] = marks.get(e["offset"], "") + f"<{tag}>"
        marks[end] = f"</{tag}>" + marks.get(end, "")
    shown, last = "", 0
    for at in sorted(marks):
        shown += escape(text[2 * last : 2 * at].decode("utf-16-le")) + marks[at]
        last = at
    shown += escape(text[2 * last :].decode("utf-16-le"))
    reply = data.get("reply_to_message") or {}
    said = (reply.get("text") or reply.get("caption") or "").split("\n")[0]
    answer = f"<div class=re>{escape(said[:40])}</div>" if reply else ""
    media = f"<img src='{message.photo.path}'>" if message.photo else ""
    rows = "".join(
        "<div class=row>"
        + "".join(f"<div class=b>{escape(b['text'])}{'↗' * ('url' in b)}</div>" for b in row)
        + "</div>"
        for row in message.keyboard
    )
    where = (
        ""
        if message.chat_id < 0
        else f"<small>privado: {message.data['chat']['first_name']}</small>"
    )
    return f"<div class=m>{where}<div class=t>{answer}{media}<div>{shown}</div></div>{rows}</div>"


def toast(text: str, alert: bool) -> str:
    """What Telegram shows over the chat for a moment, or until it is closed."""
    return f"<div class={'alert' if alert else 'toast'}>{escape(text)}</div>"
