/**
 * What somebody wrote now: a mail's text without what it quotes and without the signature, whichever of the six
 * languages their program speaks. Pure.
 *
 * The library knows quotes, "… wrote:" lines and signatures. What Outlook puts before a quote without any mark is
 * cut here: a block of header lines under something else.
 */
import EmailReplyParser from "email-reply-parser";

/** Of mail programs' own words for the four lines; see the table in `tests/email/corpus.ts`. */
const FROM =
  "From|Von|De|Da|Fra|Från|Van|Od|Lähettäjä|Kimden|От|差出人|发件人|發件人|Feladó|De la|Expéditeur|Mittente";
const OTHERS = [
  "Sent|Date|To|Cc|Subject",
  "Gesendet|Datum|An|Betreff",
  "Envoyé|À|Objet",
  "Enviado|Enviada|Fecha|Data|Para|Asunto|Assunto",
  "Inviato|A|Oggetto",
  "Sendt|Dato|Til|Emne",
  "Skickat|Till|Ämne",
  "Verzonden|Aan|Onderwerp",
  "Wysłano|Do|Temat|Odesláno|Komu|Předmět",
  "Lähetetty|Vastaanottaja|Aihe",
  "Gönderildi|Kime|Konu",
  "Отправлено|Дата|Кому|Тема",
  "送信日時|宛先|件名|发送时间|收件人|主题|傳送時間|收件者|主旨",
  "Elküldve|Címzett|Tárgy|Trimis|Către|Subiect",
].join("|");
const HEADER_BLOCK = new RegExp(
  `\\n[ \\t]*\\*?(?:${FROM})[ \\t]?[:：]\\*?[^\\n]*(?:\\n[ \\t]*\\*?(?:${OTHERS})[ \\t]?[:：]\\*?[^\\n]*){2}`,
  "u",
);

export function visibleText(full: string): string {
  const text = full.replaceAll("\r\n", "\n");
  const block = HEADER_BLOCK.exec(text);
  const before = block === null ? text : text.slice(0, block.index);
  const own = new EmailReplyParser().parseReply(before.trim() === "" ? text : before).trim();
  // All of it looks like a quote: a forwarded mail, or an answer written inside of one. Better too much than nothing.
  return own === "" ? text.trim() : own;
}
